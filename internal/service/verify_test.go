package service_test

import (
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/service"
)

// A journal whose chain is whole may still hold what never followed from its
// facts: the record that is wrong is named.
func TestVerifyJudgesAgain(t *testing.T) {
	var recorded []contest.Recorded
	s, log := start(t, 1)
	do(t, s, answer(team(0), 9e6))
	do(t, s, answer(team(0), 1500))
	do(t, s, contest.ReplaceRules{Rules: preset("aic2025-exact"), Reason: "what was announced stays announced"})
	for record, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		event, err := journal.Decode(record)
		if err != nil {
			t.Fatal(err)
		}
		recorded = append(recorded, event)
	}
	tests := []struct {
		name   string
		change func(r *contest.Recorded)
		want   string // empty: nothing is wrong
	}{
		{"as it was", func(*contest.Recorded) {}, ""},
		{"announced", func(r *contest.Recorded) {
			if e, ok := r.Event.(contest.SubmissionJudged); ok && e.Announced.Score > 0 {
				e.Announced.Score += 0.5
				r.Event = e
			}
		}, "event 5 (submission_judged): team t0 was told 90.5 (full) at question 1, and the facts give 90 (full)"},
		{"penalty", func(r *contest.Recorded) {
			if e, ok := r.Event.(contest.SubmissionJudged); ok && r.Seq == 4 {
				e.Answer.Values = []float64{1500}
				r.Event = e
			}
		}, "event 4 (submission_judged): team t0 was told 0 (incorrect) at question 1, and the facts give 100 (full)"},
		{"order", func(r *contest.Recorded) {
			if r.Seq == 3 {
				r.Event = contest.QuestionStopped{Question: "1"}
			}
		}, "event 3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			forged := journal.NewMemory()
			for _, r := range recorded {
				test.change(&r)
				if _, err := forged.Append(t.Context(), r.Seq-1, []contest.Recorded{r}); err != nil {
					t.Fatal(err)
				}
			}
			found, err := service.Verify(t.Context(), forged)
			if test.want == "" {
				if err != nil || found.Events != 6 || found.Submissions != 2 || found.Head != 6 {
					t.Errorf("got %+v, %v", found, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, expected %q", err, test.want)
			}
		})
	}
}
