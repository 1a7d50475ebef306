package main

import (
	"testing"
	"testing/synctest"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// The demo plays every question for its time, and heeds what somebody with the
// admin token does meanwhile.
func TestDemoPlaysAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := []retrieval.Question{}
		for _, id := range []retrieval.QuestionID{"1", "2", "3", "4"} {
			questions = append(questions, retrieval.Question{ID: id, Type: retrieval.KIS, Video: "V1", Events: []retrieval.Event{{Start: 1, End: 2}}})
		}
		r := &running{plan: &plan{open: contest.Open{Contest: "c", Settings: contest.DefaultSettings(), Rules: preset(), Questions: questions}}}
		var err error
		if r.svc, err = service.New(t.Context(), journal.NewMemory(), r.plan.open, service.Options{}); err != nil {
			t.Fatal(err)
		}
		defer r.svc.Close()
		began := time.Now()
		do := func(at time.Duration, command contest.Command) {
			time.Sleep(time.Until(began.Add(at))) // of the test's own time
			if _, err := r.svc.Do(t.Context(), command, r.svc.Now()); err != nil {
				t.Errorf("%#v: %v", command, err)
			}
		}
		do(0, contest.Start{Question: "1"}) // to 320 s: limit, buffer and grace
		ended := make(chan error)
		go func() { ended <- r.playAll(t.Context()) }()
		do(100*time.Second, contest.Extend{By: time.Minute}) // to 380 s; 2 starts at 390 s
		do(400*time.Second, contest.Stop{})                  // 3 would start at 410 s
		do(405*time.Second, contest.Start{Question: "4"})    // to 725 s; 3 starts then, 4 was played
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began).Round(time.Second); took != 1055*time.Second {
			t.Errorf("it took %v", took)
		}
		r.svc.Read(func(state *contest.State) {
			for i, want := range []float64{0, 390, 725, 405} {
				round := state.Round(questions[i].ID)
				if started := round.Started.Sub(began).Round(time.Second).Seconds(); started != want || round.Number != 1 || round.Active {
					t.Errorf("question %s started at %v s, expected %v: %+v", questions[i].ID, started, want, round)
				}
			}
		})
	})
}
