// Package intake takes the submissions of every dialect the one way in which
// they are judged.
package intake

import (
	"context"
	"errors"
	"sync"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// ErrTooOften means that a team submits more often than the contest allows.
// Nothing was recorded.
var ErrTooOften = errors.New("the team submits too often")

// Intake takes submissions to a contest. It may be used by several goroutines.
type Intake struct {
	svc *service.Service

	mu    sync.Mutex
	first *retrieval.Question // of the ground truth that media is for
	media *retrieval.Media
}

// New returns the intake of a contest.
func New(svc *service.Service) *Intake { return &Intake{svc: svc} }

// Moment is what was asked when a request arrived.
type Moment struct {
	Question retrieval.Question // that ran; without an id if none did
	Form     retrieval.Form     // of answers to it
	media    *retrieval.Media
	started  time.Time
}

// Moment returns what is asked now. It is to be asked for before the body of a
// submission is read, which may take until after the next question has begun.
func (i *Intake) Moment() (m Moment) {
	if m = i.moment(); m.Question.ID == "" && i.svc.Refresh() {
		m = i.moment()
	}
	return m
}

func (i *Intake) moment() (m Moment) {
	i.svc.Read(func(state *contest.State) {
		m.Question, _ = state.Question(state.ActiveQuestion())
		m.started = state.Round(m.Question.ID).Started
		rules := state.Rules()
		m.Form, m.media = rules.FormOf(&m.Question), i.names(state.Questions())
	})
	return m
}

// names returns the media names of a ground truth, made once for each.
func (i *Intake) names(questions []retrieval.Question) *retrieval.Media {
	i.mu.Lock()
	defer i.mu.Unlock()
	var first *retrieval.Question
	if len(questions) > 0 {
		first = &questions[0] // a ground truth is replaced and never changed
	}
	if i.media == nil || first != i.first {
		i.first, i.media = first, retrieval.NewMedia(questions)
	}
	return i.media
}

// Submission is an answer of a team.
type Submission struct {
	Team    contest.TeamID
	Arrived time.Time // by the service's clock, before anything of the body was read
	Body    *retrieval.Body
	Sent    string // the body as it is recorded: as sent, without the team's token
	Key     string // equal keys of a team are one submission; empty: none was given
}

// Judged is what a submission came to.
type Judged struct {
	Seq      contest.Seq
	Hash     [32]byte // of the record; with Seq it is the proof that it was recorded
	Question retrieval.QuestionID
	Result   retrieval.Result
	Repeated bool // its key had come before, and this is what was announced then
}

// Submit has a submission judged and recorded. The error is [ErrTooOften], a
// [*retrieval.Malformed], a [*contest.Reject] or one of [service.Service.Do].
func (i *Intake) Submit(ctx context.Context, at Moment, s Submission) (Judged, error) {
	if !i.svc.Allow(s.Team) {
		return Judged{}, ErrTooOften
	}
	judged, err := i.judge(ctx, at, s)
	if now := i.missed(at, s, err); now != nil {
		return i.judge(ctx, *now, s)
	}
	return judged, err
}

// missed returns the moment of a submission again if a question had begun before
// it arrived that this process had not heard of then.
func (i *Intake) missed(at Moment, s Submission, err error) *Moment {
	var refused *contest.Reject
	var unread *retrieval.Malformed
	switch {
	case errors.As(err, &refused) && refused.Code == contest.NoActiveQuestion: // what was not known has been read meanwhile
	case errors.As(err, &unread) && i.svc.Refresh():
	default:
		return nil
	}
	now := i.moment()
	if now.Question.ID == "" || now.Question.ID == at.Question.ID || now.started.After(s.Arrived) {
		return nil
	}
	return &now
}

// judge has a submission judged as an answer to the question of a moment.
func (i *Intake) judge(ctx context.Context, at Moment, s Submission) (Judged, error) {
	command := contest.Submit{Team: s.Team, Question: at.Question.ID, Arrived: s.Arrived, Body: s.Sent, Key: s.Key}
	first, repeated := i.repeated(s.Team, s.Key)
	switch {
	case repeated:
		command.Question = first.Question // it may be over, and another one may run
	case at.Question.ID != "":
		var err error
		if command.Answer, err = retrieval.Interpret(s.Body, at.Form, at.media); err != nil {
			return Judged{}, err
		}
	}
	outcome, err := i.svc.Do(ctx, command, s.Arrived)
	if err != nil {
		return Judged{}, err
	}
	if len(outcome.Events) > 0 {
		judged, record := outcome.Events[0].Event.(contest.SubmissionJudged), outcome.Records[0]
		i.svc.Stats.Submissions.Add(1)
		return Judged{record.Seq, record.Hash, judged.Question, judged.Announced, false}, nil
	}
	first, _ = i.repeated(s.Team, s.Key)
	record, err := i.svc.Record(ctx, first.Seq)
	if err != nil {
		return Judged{}, err
	}
	return Judged{record.Seq, record.Hash, first.Question, first.Announced, true}, nil
}

func (i *Intake) repeated(team contest.TeamID, key string) (first contest.Attempt, repeated bool) {
	i.svc.Read(func(state *contest.State) { first, repeated = state.Repeated(team, key) })
	return first, repeated
}
