package main

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/retrieval"
)

// past is what a journal says of what was given before.
type past struct {
	settings  contest.Settings // that a contest file gave last
	rules     map[string]bool  // digests of all rules that were in force
	questions [][]retrieval.Question
	names     map[string]bool // keys of all names that a team of now was registered with or has had
}

func readPast(ctx context.Context, log journal.Log) (*past, error) {
	p := &past{rules: map[string]bool{}, names: map[string]bool{}}
	submission := contest.SubmissionJudged{}.Kind()
	for record, err := range log.Read(ctx, 0) {
		if err != nil {
			return nil, fmt.Errorf("read the journal: %w", err)
		}
		if record.Kind == submission {
			continue // nearly all are, and tell nothing here
		}
		decoded, err := journal.Decode(record)
		if err != nil {
			return nil, err
		}
		p.take(decoded.Event)
	}
	return p, nil
}

func (p *past) take(event contest.Event) {
	switch event := event.(type) {
	case contest.Opened:
		p.settings = event.Settings
		p.rules[event.Rules.Digest()] = true
		p.questions = append(p.questions, event.Questions)
	case contest.Configured:
		p.settings = event.Settings
	case contest.RulesReplaced:
		p.rules[event.Rules.Digest()] = true
	case contest.GroundTruthReplaced:
		p.questions = append(p.questions, event.Questions)
	case contest.TeamRegistered:
		p.names[contest.NameKey(event.Name)] = true
	case contest.TeamRenamed:
		p.names[contest.NameKey(event.Name)] = true
	case contest.ContestReset:
		if event.Teams {
			clear(p.names)
		}
	}
}

// hadQuestions reports whether a ground truth was in force.
func (p *past) hadQuestions(given []retrieval.Question) bool {
	return slices.ContainsFunc(p.questions, func(q []retrieval.Question) bool { return reflect.DeepEqual(q, given) })
}
