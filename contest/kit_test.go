package contest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

// book is a contest under test: commands in, events kept.
type book struct {
	t      rapid.TB
	state  contest.State
	events []contest.Recorded
	now    time.Time
}

var questions = []retrieval.Question{
	{ID: "1", Type: retrieval.KIS, Scene: "K14", Video: "V026", Events: []retrieval.Event{{Start: 370000, End: 386000}}},
	{ID: "2", Type: retrieval.QA, Scene: "K17", Video: "V003", Events: []retrieval.Event{{Start: 340000, End: 380000}}, Answers: []string{"MOCCHAU"}},
	{ID: "3", Type: retrieval.TR, Scene: "K02", Video: "V005", Events: []retrieval.Event{{Start: 9925, End: 9975}, {Start: 10000, End: 10050}, {Start: 10125, End: 10175}}},
}

func rules(name string) retrieval.Ruleset {
	r, ok := retrieval.Preset(name)
	if !ok {
		panic("no preset " + name)
	}
	return r
}

func newBook(t rapid.TB, change ...func(*contest.Open)) *book {
	b := &book{t: t, now: epoch}
	open := contest.Open{Contest: "c", Settings: contest.DefaultSettings(), Rules: rules("aic2025"), Questions: questions}
	for _, f := range change {
		f(&open)
	}
	b.must(open)
	return b
}

// do has a command decided now and takes in what it makes happen.
func (b *book) do(command contest.Command) ([]contest.Recorded, *contest.Reject) {
	b.t.Helper()
	events, refused := b.state.Decide(command, b.now)
	if refused != nil && len(events) > 0 {
		b.t.Fatalf("%#v: refused, and still makes %v happen", command, events)
	}
	var done []contest.Recorded
	for _, event := range events {
		r := contest.Recorded{Seq: b.state.Seq() + 1, At: b.now, Event: event}
		if r.At.Before(b.state.At()) {
			r.At = b.state.At()
		}
		if err := b.state.Apply(r); err != nil {
			b.t.Fatal(err)
		}
		done = append(done, r)
	}
	b.events = append(b.events, done...)
	return done, refused
}

// must is do for a command that is not refused.
func (b *book) must(command contest.Command) []contest.Recorded {
	b.t.Helper()
	done, refused := b.do(command)
	if refused != nil {
		b.t.Fatalf("%#v: %v", command, refused)
	}
	return done
}

// refuse is do for a command that must be refused.
func (b *book) refuse(command contest.Command, code contest.Code) {
	b.t.Helper()
	_ = b.rejection(command, code)
}

// rejection is refuse, and returns the refusal.
func (b *book) rejection(command contest.Command, code contest.Code) *contest.Reject {
	b.t.Helper()
	before := b.table()
	done, refused := b.do(command)
	if refused == nil || refused.Code != code {
		b.t.Fatalf("%#v: got %v and %v, want to be refused as %s", command, done, refused, code)
	}
	var asError error = refused
	if target := (*contest.Reject)(nil); !errors.As(asError, &target) || !strings.HasPrefix(asError.Error(), string(code)) || refused.Detail == "" {
		b.t.Errorf("the refusal says %q", asError)
	}
	if after := b.table(); after != before {
		b.t.Errorf("%#v was refused and changed\n%s\ninto\n%s", command, before, after)
	}
	return refused
}

func (b *book) after(d time.Duration) *book {
	b.now = b.now.Add(d)
	return b
}

// team registers a team called by its id.
func (b *book) team(id contest.TeamID) {
	b.t.Helper()
	b.must(contest.Register{ID: id, Name: "Team " + string(id), TokenHash: "hash of " + string(id), Organiser: true})
}

// answer is a submission of values to the running question that arrives now.
func (b *book) answer(id contest.TeamID, values ...float64) contest.Submit {
	question, ok := b.state.Question(b.state.ActiveQuestion())
	if !ok {
		question = questions[0]
	}
	answer := retrieval.Answer{Scene: question.Scene, Video: question.Video, Values: values, Text: "MOCCHAU"}
	return contest.Submit{Team: id, Question: question.ID, Arrived: b.now, Body: fmt.Sprint(values), Answer: answer}
}

func (b *book) table() string { return render(&b.state) }

func render(state *contest.State) string {
	out, err := json.MarshalIndent([]any{state.Jury(), state.Public(), state.Series(nil)}, "", " ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

// replay applies events to a new state.
func replay(t rapid.TB, events []contest.Recorded) *contest.State {
	t.Helper()
	state := &contest.State{}
	for _, r := range events {
		if err := state.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	return state
}
