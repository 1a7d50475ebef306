package retrieval_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/retrieval"
)

// thirty is an answer after 30 seconds of 300, with a wrong one before it.
var thirty = retrieval.Circumstances{Elapsed: 30 * time.Second, TimeLimit: 300 * time.Second, Wrong: 1}

func TestSteps(t *testing.T) {
	boundary := preset("aic-decay", func(r *retrieval.Ruleset) { r.DistanceFrom = retrieval.FromBoundary })
	for _, test := range []struct {
		name   string
		rules  *retrieval.Ruleset
		kind   retrieval.Type
		points []int64
		values []float64
		want   []string
	}{
		{"tolerance, half", preset("aic2025"), retrieval.TR, []int64{0, 10, 100, 110, 200, 210}, []float64{5, 110, 22, 9, 3, 4, 7}, []string{
			"value 1, 5: 0 frames from the middle of event 1, at most 17: quality 1 - 0.5 * 0 / 17 = 1",
			"value 2, 110: 5 frames from the middle of event 2, at most 17: quality 1 - 0.5 * 5 / 17 = 0.8529411764705882",
			"value 3, 22: 17 frames from the middle of event 1, at most 17: quality 1 - 0.5 * 17 / 17 = 0.5; the event keeps value 1",
			"ignored 1 of 7 values: only the first 6 count",
			"matched 2 of 3 events, match quality = (1 + 0.8529411764705882) / 2 = 0.9264705882352942",
			"correctness factor = 0.9264705882352942 * 0.5 = 0.4632352941176471 (partial)",
			"time factor = clamp(1 - 30 / 300, 0, 1) = 0.9",
			"penalty = 1 * 10 = 10",
			"score = max(0, 50 + (100 - 50) * 0.9 - 10) * 0.4632352941176471 = 39.375",
		}},
		{"tolerance, quality over all", preset("aic2025", func(r *retrieval.Ruleset) { r.QualityOver = retrieval.OverAll }), retrieval.TR, []int64{0, 10, 100, 110}, []float64{5}, []string{
			"matched 1 of 2 events, match quality = (1) / 2 = 0.5",
		}},
		{"tolerance, nothing", preset("aic2025"), retrieval.KIS, []int64{0, 10}, []float64{9999}, []string{
			"value 1, 9999: meets no event", "matched 0 of 1 events, match quality 0", "correctness factor 0 (incorrect)",
		}},
		{"tolerance, a window of no width", preset("aic2025", func(r *retrieval.Ruleset) { r.Tolerance.TR = 0 }), retrieval.TR, []int64{7, 7}, []float64{7}, []string{
			"value 1, 7: 0 frames from the middle of event 1, at most 0: quality 1",
		}},
		{"exact", preset("aic2025-exact"), retrieval.TR, []int64{1, 2}, []float64{2, 2}, []string{
			"value 1, 2: is a boundary of event 1", "value 2, 2: meets no event", "matched 1 of 2 boundaries, match quality 1",
			"correctness factor = 1 * 0.5 = 0.5 (partial)",
		}},
		{"decay", preset("aic-decay"), retrieval.TR, []int64{4945, 5010, 5001, 5020}, []float64{4999, 3000, 1}, []string{
			"value 1, 4999: 21.5 frames from the middle of event 1: max(0, 100 - 1 * 21.5) = 78.5 points",
			"value 2, 3000: outside event 2, which is met from 4989 to 5032: 0 points",
			"ignored 1 of 3 values: only the first 2 count",
			"mean of the events: score = (78.5 + 0) / 2 = 39.25",
			"correctness factor 0.5 (partial)",
		}},
		{"decay, sum", preset("aic-decay", func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateSum }), retrieval.TR, []int64{4945, 5010, 5001, 5020}, []float64{4999}, []string{
			"event 2: no value, 0 points", "sum of the events: score = 78.5 + 0 = 78.5",
		}},
		{"decay, min", preset("aic-decay", func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateMin }), retrieval.TR, []int64{4945, 5010, 5001, 5020}, []float64{4999}, []string{
			"min of the events: score = min(78.5, 0) = 0",
		}},
		{"decay, boundaries", boundary, retrieval.KIS, []int64{10000, 20000, 30000, 40000}, []float64{10001, 20001, 30000}, []string{
			"value 1, 10001: 1 ms from the start of event 1, 0.025 frames: max(0, 100 - 1 * 0.025) = 99.975 points",
			"value 2, 20001: 1 ms from the end of event 1, 0.025 frames: max(0, 100 - 1 * 0.025) = 99.975 points",
			"event 1: (99.975 + 99.975) / 2 = 99.975 points",
			"event 2: (100 + 0) / 2 = 50 points",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			question := retrieval.Question{ID: "7", Type: test.kind, Video: "V1", Events: events(test.points...)}
			e := retrieval.Explain(test.rules, &question, &retrieval.Answer{Video: "V1", Values: test.values}, thirty)
			for _, want := range test.want {
				if !slices.Contains(e.Steps, want) {
					t.Errorf("%q is missing in\n%s", want, strings.Join(e.Steps, "\n"))
				}
			}
		})
	}
}

func TestStepOfAMismatch(t *testing.T) {
	question := retrieval.Question{ID: "7", Type: retrieval.QA, Scene: "L26", Video: "V1", Events: events(0, 10), Answers: []string{"Huế", "Hue"}}
	for _, test := range []struct {
		answer retrieval.Answer
		want   string
	}{
		{retrieval.Answer{Video: "V2"}, `the video is another one: nothing is met: found "V2", expected "V1"`},
		{retrieval.Answer{Scene: "L27", Video: "V1"}, `the scene is another one: nothing is met: found "L27", expected "L26"`},
		{retrieval.Answer{Video: "V1", Text: "\x1b"}, `the answer is another one: nothing is met: found "\x1b", expected "Huế" or "Hue"`},
	} {
		test.answer.Values = []float64{5}
		e := retrieval.Explain(preset("aic2025"), &question, &test.answer, thirty)
		if e.Steps[0] != test.want || e.Score != 0 || len(e.Values) != 0 {
			t.Errorf("got %q, want %q", e.Steps, test.want)
		}
	}
}

func TestWindowOfAnEventInText(t *testing.T) {
	question := retrieval.Question{ID: "7", Type: retrieval.TR, Video: "V1", Events: events(10000, 10050)}
	for rules, want := range map[string]string{
		"aic2025":       "event 1   10000 to 10050 frames, met from 9988 to 10062\n",
		"aic2025-exact": "event 1   10000 to 10050 frames, met only at its boundaries\n",
		"aic-decay":     "event 1   10000 to 10050 frames, met from 9988 to 10062\n",
	} {
		e := retrieval.Explain(preset(rules), &question, &retrieval.Answer{Video: "V1"}, thirty)
		if text := e.Text(); !strings.HasPrefix(text, "question  7 TR, V1\nrules     "+rules+" (") || !strings.Contains(text, want) || !strings.HasSuffix(text, "\nscore     0, incorrect\n") {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestTextIsPrintable(t *testing.T) {
	question := retrieval.Question{ID: "\x1b[2J\n", Type: retrieval.KIS, Video: "\u202e", Events: events(0, 1)}
	e := retrieval.Explain(preset("aic2025", func(r *retrieval.Ruleset) { r.Name = "a\rb" }), &question, &retrieval.Answer{Video: "\x07\u2028"}, thirty)
	text := e.Text()
	if strings.ContainsAny(text, "\x1b\u202e\r\x07\u2028") || strings.Count(text, "\n") != len(e.Steps)+len(e.Events)+3 {
		t.Errorf("not neutralised: %q", text)
	}
}

func TestKeysOfAnExplanation(t *testing.T) {
	question := retrieval.Question{ID: "7", Type: retrieval.TR, Video: "V1", Events: events(10000, 10050)}
	out, err := json.Marshal(retrieval.Explain(preset("aic2025"), &question, &retrieval.Answer{Video: "V1"}, thirty))
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(out, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"score", "correctness", "correctness_factor", "match_quality", "matched_events", "total_events", "time_factor", "penalty",
		"wrong_attempts", "elapsed_time", "ignored_values", "steps", "values", "events", "ruleset", "ruleset_digest", "mode", "question", "answer",
	} {
		if value, ok := keys[key]; !ok || value == nil {
			t.Errorf("%s is missing in %s", key, out)
		}
	}
}

// The explanation in docs/scoring.md is what is printed.
func TestDocumentedExplanation(t *testing.T) {
	document, err := os.ReadFile("../docs/scoring.md")
	if err != nil {
		t.Fatal(err)
	}
	question := retrieval.Question{ID: "7", Type: retrieval.TR, Video: "V017", Events: events(9925, 9975, 10000, 10050, 10125, 10175)}
	answer := retrieval.Answer{Video: "V017", Values: []float64{9950, 10037, 10044}}
	e := retrieval.Explain(preset("aic2025"), &question, &answer, thirty)
	if text := e.Text(); !strings.Contains(string(document), "```text\n"+text+"```\n") {
		t.Errorf("docs/scoring.md does not show\n%s", text)
	}
}
