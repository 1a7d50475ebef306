package service

import (
	"context"
	"fmt"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Verified is what a journal was found to hold.
type Verified struct {
	Events      int
	Submissions int
	Head        contest.Seq
	Hash        journal.Hash
}

// Verify checks that a journal is whole: that no record was changed, removed or
// added behind its back, that every event follows from the ones before it, and
// that every score that was announced is the one that comes out when the facts
// are judged again. The error names the first record that is not so.
func Verify(ctx context.Context, log journal.Log) (Verified, error) {
	var found Verified
	if err := journal.Verify(ctx, log); err != nil {
		return found, err
	}
	var submitted *contest.SubmissionJudged
	var at contest.Seq
	announced := func(state *contest.State) error {
		if submitted == nil {
			return nil
		}
		a, ok := state.Attempt(at)
		if told := submitted.Announced; !ok || a.Current != told {
			return fmt.Errorf("event %d (submission_judged): team %s was told %v (%s) at question %s, and the facts give %v (%s): found %+v, expected %+v",
				at, submitted.Team, told.Score, told.Correctness, submitted.Question, a.Current.Score, a.Current.Correctness, told, a.Current)
		}
		submitted = nil
		return nil
	}
	state, err := Replay(ctx, log, func(state *contest.State, r contest.Recorded) error {
		if err := announced(state); err != nil {
			return err
		}
		found.Events++
		if e, ok := r.Event.(contest.SubmissionJudged); ok {
			found.Submissions++
			submitted, at = &e, r.Seq
		}
		return nil
	})
	if err == nil {
		err = announced(state)
	}
	if err != nil {
		return found, err
	}
	found.Head, found.Hash, err = log.Head(ctx)
	return found, err
}
