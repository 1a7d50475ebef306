package retrieval_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/retrieval"
)

func preset(name string, change ...func(*retrieval.Ruleset)) *retrieval.Ruleset {
	rules, ok := retrieval.Preset(name)
	if !ok {
		panic("no preset " + name)
	}
	for _, f := range change {
		f(&rules)
	}
	return &rules
}

func events(points ...int64) (events []retrieval.Event) {
	for i := 0; i < len(points); i += 2 {
		events = append(events, retrieval.Event{Start: points[i], End: points[i+1]})
	}
	return events
}

func score(rules *retrieval.Ruleset, kind retrieval.Type, points []int64, values []float64, elapsed float64, wrong int) retrieval.Result {
	question := retrieval.Question{ID: "1", Type: kind, Video: "V017", Events: events(points...), Answers: []string{"x"}}
	return retrieval.Score(rules, &question, &retrieval.Answer{Video: "V017", Values: values, Text: "x"}, retrieval.Circumstances{
		Elapsed: time.Duration(elapsed * float64(time.Second)), TimeLimit: 300 * time.Second, Wrong: wrong,
	})
}

// The worked examples of the specification and of the document that it decides.
func TestWorkedExamples(t *testing.T) {
	four, two, five := []int64{4890, 5000, 5001, 5020}, []int64{4945, 5010, 5001, 5020}, []int64{4945, 5010}
	decay := func(change func(*retrieval.Ruleset)) *retrieval.Ruleset { return preset("aic-decay", change) }
	for _, test := range []struct {
		name        string
		rules       *retrieval.Ruleset
		kind        retrieval.Type
		points      []int64
		values      []float64
		elapsed     float64
		wrong       int
		score       float64
		correctness retrieval.Correctness
		quality     float64
		matched     int
		total       int
		ignored     int
	}{
		{"tolerance, centre", preset("aic2025"), retrieval.TR, []int64{10000, 10050}, []float64{10025}, 300, 0, 50, retrieval.Full, 1, 1, 1, 0},
		{"tolerance, near", preset("aic2025"), retrieval.TR, []int64{10000, 10050}, []float64{10037}, 300, 0, 50 * (1 - 6.0/37), retrieval.Full, 1 - 6.0/37, 1, 1, 0},
		{"tolerance, edge", preset("aic2025"), retrieval.TR, []int64{10000, 10050}, []float64{10062}, 300, 0, 25, retrieval.Full, 0.5, 1, 1, 0},
		{"tolerance, outside", preset("aic2025"), retrieval.TR, []int64{10000, 10050}, []float64{10063}, 300, 0, 0, retrieval.Incorrect, 0, 0, 1, 0},
		{"exact, all", preset("aic2025-exact"), retrieval.TR, four, []float64{4890, 5000, 5001, 5020}, 15, 0, 97.5, retrieval.Full, 1, 4, 4, 0},
		{"exact, three of four", preset("aic2025-exact"), retrieval.TR, four, []float64{4890, 5000, 5001}, 20, 0, 48.33333333333333, retrieval.Partial, 1, 3, 4, 0},
		{"exact, wrong", preset("aic2025-exact"), retrieval.KIS, four, []float64{1000, 2000}, 10, 0, 0, retrieval.Incorrect, 1, 0, 4, 0},
		{"exact, after a wrong one", preset("aic2025-exact"), retrieval.KIS, four, []float64{4890, 5000, 5001, 5020}, 45, 1, 82.5, retrieval.Full, 1, 4, 4, 0},
		{"exact, half", preset("aic2025-exact"), retrieval.TR, four, []float64{4890, 5000}, 30, 0, 47.5, retrieval.Partial, 1, 2, 4, 0},
		{"exact, in the middle", preset("aic2025-exact"), retrieval.KIS, five, []float64{4945, 5010}, 150, 0, 75, retrieval.Full, 1, 2, 2, 0},
		{"exact, one wrong", preset("aic2025-exact"), retrieval.KIS, five, []float64{4945, 5010}, 30, 1, 85, retrieval.Full, 1, 2, 2, 0},
		{"decay, near the middle", preset("aic-decay"), retrieval.TR, five, []float64{4977}, 30, 2, 99.5, retrieval.Full, 0.995, 1, 1, 0},
		{"decay, edge", preset("aic-decay"), retrieval.TR, five, []float64{4933}, 30, 0, 55.5, retrieval.Full, 0.555, 1, 1, 0},
		{"decay, outside", preset("aic-decay"), retrieval.TR, five, []float64{3000}, 30, 0, 0, retrieval.Incorrect, 0, 0, 1, 0},
		{"decay, mean", preset("aic-decay"), retrieval.TR, two, []float64{4999, 5001, 5050}, 30, 0, 84.5, retrieval.Full, 0.845, 2, 2, 1},
		{"decay, one missing", preset("aic-decay"), retrieval.TR, two, []float64{4999}, 30, 0, 39.25, retrieval.Partial, 0.3925, 1, 2, 0},
		{"decay, min", decay(func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateMin }), retrieval.TR, two, []float64{4999}, 30, 0, 0, retrieval.Partial, 0.3925, 1, 2, 0},
		{"decay, sum", decay(func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateSum }), retrieval.TR, two, []float64{4999}, 30, 0, 78.5, retrieval.Partial, 0.3925, 1, 2, 0},
		{"decay, boundaries in ms", decay(func(r *retrieval.Ruleset) { r.DistanceFrom = retrieval.FromBoundary }), retrieval.KIS, []int64{10000, 20000}, []float64{10001, 20001}, 30, 0, 99.975, retrieval.Full, 0.99975, 1, 1, 0},
		{"values beyond two for each event", preset("aic2025"), retrieval.KIS, []int64{1000, 2000}, []float64{9e6, 8e6, 1500}, 0, 0, 0, retrieval.Incorrect, 0, 0, 1, 1},
		{"quality over all", preset("aic2025", func(r *retrieval.Ruleset) { r.QualityOver = retrieval.OverAll }), retrieval.TR, []int64{0, 10, 100, 110}, []float64{5}, 0, 0, 25, retrieval.Partial, 0.5, 1, 2, 0},
		{"a window of no width", preset("aic2025", func(r *retrieval.Ruleset) { r.Tolerance.TR = 0 }), retrieval.TR, []int64{7, 7}, []float64{7}, 0, 0, 100, retrieval.Full, 1, 1, 1, 0},
		{"the ties of touching events", preset("aic2025"), retrieval.TR, []int64{0, 10, 10, 20}, []float64{10, 10}, 0, 0, 100 * 0.5 * (1 - 2.5/17), retrieval.Partial, 1 - 2.5/17, 1, 2, 0},
		{"more penalty than points", preset("aic2025"), retrieval.KIS, []int64{1000, 2000}, []float64{1500}, 0, 11, 0, retrieval.Full, 1, 1, 1, 0},
		{"nothing sent", preset("aic2025"), retrieval.KIS, []int64{1000, 2000}, nil, 0, 0, 0, retrieval.Incorrect, 0, 0, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := score(test.rules, test.kind, test.points, test.values, test.elapsed, test.wrong)
			if got.Score != test.score || got.Correctness != test.correctness || math.Abs(got.MatchQuality-test.quality) > 1e-15 ||
				got.MatchedEvents != test.matched || got.TotalEvents != test.total || got.IgnoredValues != test.ignored {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestWhatIsWrongWhateverTheValuesAre(t *testing.T) {
	question := retrieval.Question{ID: "1", Type: retrieval.QA, Scene: "L26", Video: "V103", Events: events(1000, 2000), Answers: []string{"Chợ Bến-Thành", "BEN THANH"}}
	right := retrieval.Answer{Scene: "L26", Video: "V103", Values: []float64{1500}, Text: "Chợ Bến-Thành"}
	for _, test := range []struct {
		name   string
		match  retrieval.AnswerMatch
		change func(*retrieval.Answer)
		want   string
	}{
		{"right", retrieval.MatchExact, func(*retrieval.Answer) {}, ""},
		{"another accepted answer", retrieval.MatchExact, func(a *retrieval.Answer) { a.Text = "BEN THANH" }, ""},
		{"decomposed accents", retrieval.MatchExact, func(a *retrieval.Answer) { a.Text = "Cho\u031b\u0323 Be\u0302\u0301n-Tha\u0300nh" }, ""},
		{"case of an answer", retrieval.MatchExact, func(a *retrieval.Answer) { a.Text = "ben thanh" }, "answer"},
		{"folded", retrieval.MatchFolded, func(a *retrieval.Answer) { a.Text = "cho benthanh!" }, ""},
		{"folded, another", retrieval.MatchFolded, func(a *retrieval.Answer) { a.Text = "cho lon" }, "answer"},
		{"no scene", retrieval.MatchExact, func(a *retrieval.Answer) { a.Scene = "" }, ""},
		{"another scene", retrieval.MatchExact, func(a *retrieval.Answer) { a.Scene = "L27" }, "scene"},
		{"another video", retrieval.MatchExact, func(a *retrieval.Answer) { a.Video = "V104" }, "video"},
		{"the video in other letters", retrieval.MatchExact, func(a *retrieval.Answer) { a.Video = "v103" }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := right
			test.change(&answer)
			rules := preset("aic2025", func(r *retrieval.Ruleset) { r.AnswerMatch = test.match })
			e := retrieval.Explain(rules, &question, &answer, retrieval.Circumstances{TimeLimit: time.Minute})
			if e.Mismatch != test.want || (e.Score > 0) != (test.want == "") || (e.MatchedEvents == 1) != (test.want == "") {
				t.Errorf("mismatch %q, %+v", e.Mismatch, e.Result)
			}
		})
	}
	folded := preset("aic2025", func(r *retrieval.Ruleset) { r.AnswerMatch = retrieval.MatchFolded })
	question.Answers = []string{"Đà Nẵng"}
	right.Text = "da nang"
	if got := retrieval.Score(folded, &question, &right, retrieval.Circumstances{TimeLimit: time.Minute}); got.Score == 0 {
		t.Error("đ does not fold to d")
	}
	question.Answers = nil
	if got := retrieval.Score(folded, &question, &right, retrieval.Circumstances{TimeLimit: time.Minute}); got.Score == 0 {
		t.Error("without accepted answers the text counts")
	}
}

func TestTimeFactor(t *testing.T) {
	for _, test := range []struct {
		elapsed, limit time.Duration
		want           float64
	}{
		{0, 300 * time.Second, 1},
		{30 * time.Second, 300 * time.Second, 0.9},
		{300 * time.Second, 300 * time.Second, 0},
		{305 * time.Second, 300 * time.Second, 0},
		{time.Second, 0, 0},
		{time.Second, -1, 0},
		{-time.Second, time.Second, 1},
	} {
		got := retrieval.TimeFactor(retrieval.Circumstances{Elapsed: test.elapsed, TimeLimit: test.limit})
		if got != test.want {
			t.Errorf("%v of %v: got %v, want %v", test.elapsed, test.limit, got, test.want)
		}
	}
}

func anyRules(t *rapid.T) *retrieval.Ruleset {
	return preset(rapid.SampledFrom(retrieval.Presets()).Draw(t, "preset"), func(r *retrieval.Ruleset) {
		r.Tolerance.TR = rapid.SampledFrom([]float64{0, 1, 12, 1e6}).Draw(t, "tolerance")
		r.QualityOver = rapid.SampledFrom([]retrieval.QualityOver{retrieval.OverMatched, retrieval.OverAll}).Draw(t, "over")
		r.DistanceFrom = rapid.SampledFrom([]retrieval.DistanceFrom{retrieval.FromMidpoint, retrieval.FromBoundary}).Draw(t, "from")
		r.Aggregation = rapid.SampledFrom([]retrieval.Aggregation{retrieval.AggregateMean, retrieval.AggregateMin}).Draw(t, "aggregation")
	})
}

func anyCase(t *rapid.T) (*retrieval.Ruleset, *retrieval.Question, *retrieval.Answer, retrieval.Circumstances) {
	kind := rapid.SampledFrom([]retrieval.Type{retrieval.KIS, retrieval.QA, retrieval.TR}).Draw(t, "type")
	edge := rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(1<<53-1000, 1<<53))
	question := &retrieval.Question{ID: "1", Type: kind, Video: "V"}
	for range rapid.IntRange(1, 5).Draw(t, "events") {
		a, b := edge.Draw(t, "a"), edge.Draw(t, "b")
		question.Events = append(question.Events, retrieval.Event{Start: min(a, b), End: max(a, b)})
	}
	value := rapid.Custom(func(t *rapid.T) float64 {
		return float64(edge.Draw(t, "value")) + rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "fraction")
	})
	answer := &retrieval.Answer{Video: "V", Values: rapid.SliceOfN(value, 0, 12).Draw(t, "values")}
	for _, event := range question.Events {
		if rapid.Bool().Draw(t, "hit") {
			answer.Values = append(answer.Values, float64(event.Start))
		}
	}
	return anyRules(t), question, answer, retrieval.Circumstances{
		Elapsed: time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "elapsed")), TimeLimit: 300 * time.Second,
		Wrong: rapid.IntRange(0, 20).Draw(t, "wrong"),
	}
}

func TestScoreLaws(t *testing.T) {
	in := func(f, most float64) bool { return f >= 0 && f <= most } // false for NaN
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		r := retrieval.Score(rules, question, answer, c)
		if !in(r.Score, rules.PMax) || !in(r.MatchQuality, 1) || !in(r.CorrectnessFactor, 1) || !in(r.TimeFactor, 1) || r.MatchedEvents > r.TotalEvents {
			t.Fatalf("out of bounds: %+v", r)
		}
		if (r.Correctness == retrieval.Incorrect) != (r.CorrectnessFactor == 0) {
			t.Fatalf("%s with factor %v", r.Correctness, r.CorrectnessFactor)
		}
		if e := retrieval.Explain(rules, question, answer, c); e.Result != r {
			t.Fatalf("explained as %+v, scored as %+v", e.Result, r)
		}
		counted := *answer
		counted.Values = answer.Values[:len(answer.Values)-r.IgnoredValues]
		same := retrieval.Score(rules, question, &counted, c)
		same.IgnoredValues = r.IgnoredValues
		if same != r {
			t.Fatalf("ignored values change %+v into %+v", same, r)
		}
		later := c
		later.Elapsed += time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later"))
		later.Wrong += rapid.IntRange(0, 3).Draw(t, "more wrong")
		if more := retrieval.Score(rules, question, answer, later); more.Score > r.Score {
			t.Fatalf("later or more often wrong: %v, not %v", more.Score, r.Score)
		}
		if folded := *rules; question.Type == retrieval.QA {
			folded.AnswerMatch = retrieval.MatchFolded
			if weaker := retrieval.Score(&folded, question, answer, c); weaker.Score < r.Score {
				t.Fatal("folding takes points away")
			}
		}
	})
}

// In the modes without an order, the order of values that all count is nothing.
func TestOrderOfValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		if rules.Mode == retrieval.ModeDecay {
			t.Skip("decay pairs by position")
		}
		answer.Values = answer.Values[:min(len(answer.Values), 2*len(question.Events))]
		other := *answer
		other.Values = rapid.Permutation(answer.Values).Draw(t, "order")
		if a, b := retrieval.Score(rules, question, answer, c), retrieval.Score(rules, question, &other, c); a != b {
			t.Fatalf("%+v, in another order %+v", a, b)
		}
	})
}

func TestAward(t *testing.T) {
	question := retrieval.Question{ID: "1", Type: retrieval.TR, Video: "V", Events: events(0, 10, 100, 110)}
	c := retrieval.Circumstances{Elapsed: 30 * time.Second, TimeLimit: 300 * time.Second, Wrong: 1}
	for _, test := range []struct {
		rules   string
		verdict retrieval.Correctness
		want    float64
	}{
		{"aic2025", retrieval.Full, 85},
		{"aic2025", retrieval.Partial, 42.5},
		{"aic2025", retrieval.Incorrect, 0},
		{"aic-decay", retrieval.Full, 100},
		{"aic-decay", retrieval.Partial, 50},
		{"aic-decay", retrieval.Incorrect, 0},
	} {
		if got := retrieval.Award(preset(test.rules), &question, test.verdict, c); got.Score != test.want || got.Correctness != test.verdict {
			t.Errorf("%s, %s: got %+v", test.rules, test.verdict, got)
		}
	}
}

func TestExplanationTellsTheArithmetic(t *testing.T) {
	question := retrieval.Question{ID: "7", Type: retrieval.TR, Video: "V1", Events: events(10000, 10050)}
	answer := retrieval.Answer{Video: "V1", Values: []float64{10037, 3, 9}}
	e := retrieval.Explain(preset("aic2025"), &question, &answer, retrieval.Circumstances{Elapsed: 30 * time.Second, TimeLimit: 300 * time.Second, Wrong: 1})
	for _, want := range []string{
		"question  7 TR, V1\n", "event 1   10000 to 10050 frames, met from 9988 to 10062\n",
		"quality 1 - 0.5 * 12 / 37 = 0.8378378378378378\n", "value 2, 3: meets no event\n", "1 further values are ignored\n",
		"time factor = clamp(1 - 30 / 300, 0, 1) = 0.9\n", "penalty = 1 * 10 = 10\n", "score     71.2162162162162",
	} {
		if !strings.Contains(e.Text(), want) {
			t.Errorf("%q is missing in\n%s", want, e.Text())
		}
	}
	out, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(out, &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"score", "correctness", "correctness_factor", "match_quality", "matched_events", "total_events", "time_factor", "penalty",
		"ignored_values", "steps", "values", "events", "ruleset_digest",
	} {
		if _, ok := keys[key]; !ok {
			t.Errorf("%s is missing in %s", key, out)
		}
	}
	hostile := retrieval.Question{ID: "\x1b[2J\n", Type: retrieval.KIS, Video: "\u202e", Events: events(0, 1)}
	told := retrieval.Explain(preset("aic2025"), &hostile, &retrieval.Answer{}, retrieval.Circumstances{})
	text := told.Text()
	if strings.ContainsAny(text, "\x1b\u202e") || slices.Contains(strings.Split(text, "\n"), "") && strings.Count(text, "\n\n") > 0 {
		t.Errorf("not neutralised: %q", text)
	}
}

func BenchmarkScore(b *testing.B) {
	rules := preset("aic2025")
	question := retrieval.Question{ID: "1", Type: retrieval.TR, Video: "V", Events: events(9925, 9975, 10000, 10050, 10125, 10175)}
	answer := retrieval.Answer{Video: "V", Values: []float64{9950, 10020, 10160}}
	c := retrieval.Circumstances{Elapsed: time.Second, TimeLimit: time.Minute}
	b.ReportAllocs()
	for b.Loop() {
		retrieval.Score(rules, &question, &answer, c)
	}
}

// What rounding and folding must not do.
func TestEdgesOfRoundingAndFolding(t *testing.T) {
	rules := preset("aic2025", func(r *retrieval.Ruleset) { r.PMax, r.PBase = 105.60188721042785, 36.99067625285388 })
	if got := score(rules, retrieval.KIS, []int64{1000, 2000}, []float64{1500}, 0, 0); got.Score > rules.PMax {
		t.Errorf("the score %v is above p_max, %v", got.Score, rules.PMax)
	}
	folded := preset("aic2025", func(r *retrieval.Ruleset) { r.AnswerMatch = retrieval.MatchFolded })
	question := retrieval.Question{ID: "1", Type: retrieval.QA, Video: "V", Events: events(0, 10), Answers: []string{"?"}}
	for text, right := range map[string]bool{"?": true, "!": false, "": false} {
		got := retrieval.Score(folded, &question, &retrieval.Answer{Video: "V", Values: []float64{5}, Text: text}, retrieval.Circumstances{TimeLimit: time.Minute})
		if (got.Score > 0) != right {
			t.Errorf("the answer %q to the question whose answer is \"?\" earns %v", text, got.Score)
		}
	}
}
