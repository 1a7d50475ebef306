package rivals_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/internal/rivals"
	"scorebook/retrieval"
)

var questions = []retrieval.Question{
	{ID: "1", Type: retrieval.KIS, Scene: "K14", Video: "V026", Events: []retrieval.Event{{Start: 370000, End: 386000}}},
	{ID: "2", Type: retrieval.QA, Scene: "K17", Video: "V003", Events: []retrieval.Event{{Start: 340000, End: 380000}}, Answers: []string{"MỘC-CHÂU"}},
	{ID: "3", Type: retrieval.TR, Scene: "K02", Video: "V005", Events: []retrieval.Event{{Start: 9925, End: 9975}, {Start: 10000, End: 10050}, {Start: 10125, End: 10175}}},
}

// A plan is a function of its arguments, lies within the time limit, and holds
// nothing but submissions that the API takes.
func TestPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, rival := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 999).Draw(t, "rival")
		question := &questions[rapid.IntRange(0, 2).Draw(t, "question")]
		limit := time.Duration(rapid.IntRange(1, 86400).Draw(t, "limit")) * time.Second
		moves := rivals.Plan(seed, rival, question, 1, limit)
		if !reflect.DeepEqual(moves, rivals.Plan(seed, rival, question, 1, limit)) {
			t.Fatal("the second plan is another one")
		}
		last := time.Duration(0)
		for _, move := range moves {
			if move.At < last || move.At > limit {
				t.Fatalf("a move at %v after one at %v, the limit is %v", move.At, last, limit)
			}
			last = move.At
			body, err := retrieval.ParseBody(move.Body)
			if err != nil {
				t.Fatalf("%s: %v", move.Body, err)
			}
			answer, err := retrieval.Interpret(body, retrieval.Form{Type: question.Type, FPS: 25}, retrieval.NewMedia(questions))
			if err != nil || answer.Video != question.Video || answer.Scene != question.Scene {
				t.Fatalf("%s: %+v, %v", move.Body, answer, err)
			}
		}
	})
}

// What a rehearsal needs to be like a contest: right and wrong answers, half
// scores, early and late ones, and teams that find nothing.
func TestRivalsDiffer(t *testing.T) {
	rules, _ := retrieval.Preset("aic2025")
	seen := map[string]int{}
	for rival := range 200 {
		for i := range questions {
			moves := rivals.Plan(7, rival, &questions[i], 1, 300*time.Second)
			if len(moves) == 0 {
				seen["nothing"]++
				continue
			}
			for _, move := range moves {
				body, err := retrieval.ParseBody(move.Body)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := retrieval.Interpret(body, retrieval.Form{Type: questions[i].Type, FPS: 25}, retrieval.NewMedia(questions))
				if err != nil {
					t.Fatal(err)
				}
				result := retrieval.Score(&rules, &questions[i], &answer, retrieval.Circumstances{Elapsed: move.At, TimeLimit: 300 * time.Second})
				seen[string(result.Correctness)]++
				seen[map[bool]string{true: "early", false: "late"}[move.At < 100*time.Second]]++
			}
		}
	}
	for _, what := range []string{"nothing", "full", "partial", "incorrect", "early", "late"} {
		if seen[what] < 10 {
			t.Errorf("%s occurs %d times among 600 plans: %v", what, seen[what], seen)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for rival := range 1000 {
		if name := rivals.Name(rival); seen[name] {
			t.Errorf("%q occurs twice", name)
		} else {
			seen[name] = true
		}
	}
}
