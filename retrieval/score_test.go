package retrieval_test

import (
	"fmt"
	"math"
	"testing"
	"time"

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
		{"exact, a boundary that occurs twice", preset("aic2025-exact"), retrieval.TR, []int64{5, 5, 5, 9}, []float64{5, 5, 5, 5}, 0, 0, 50, retrieval.Partial, 1, 3, 4, 0},
		{"exact, one boundary sent twice", preset("aic2025-exact"), retrieval.TR, []int64{5, 9}, []float64{5, 5}, 0, 0, 50, retrieval.Partial, 1, 1, 2, 0},
		{"exact, less than half", preset("aic2025-exact"), retrieval.TR, four, []float64{4890, 1, 2, 3}, 0, 0, 0, retrieval.Incorrect, 1, 1, 4, 0},
		{"decay, one boundary missing", decay(func(r *retrieval.Ruleset) { r.DistanceFrom = retrieval.FromBoundary }), retrieval.KIS, []int64{10000, 20000}, []float64{10000}, 30, 0, 50, retrieval.Full, 0.5, 1, 1, 0},
		{"decay, the tolerance in ms", decay(func(r *retrieval.Ruleset) { r.DecayRate = 0 }), retrieval.KIS, []int64{10000, 20000}, []float64{20480}, 30, 0, 100, retrieval.Full, 1, 1, 1, 0},
		{"decay, beyond the tolerance in ms", decay(func(r *retrieval.Ruleset) { r.DecayRate = 0 }), retrieval.KIS, []int64{10000, 20000}, []float64{20481}, 30, 0, 0, retrieval.Incorrect, 0, 0, 1, 0},
		{"decay, max_score is not passed", decay(func(r *retrieval.Ruleset) { r.MaxScore = 0.1 }), retrieval.TR, []int64{0, 2, 4, 6, 8, 10}, []float64{1, 5, 9}, 0, 0, 0.1, retrieval.Full, 1, 3, 3, 0},
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

// The right video alone is a full answer where no moment is asked for, and where
// the rules say so and none was sent.
func TestItemOnly(t *testing.T) {
	item := func(r *retrieval.Ruleset) { r.ItemOnly = true }
	whole, part := []retrieval.Event{retrieval.WholeVideo}, events(1000, 2000, 5000, 6000)
	for _, test := range []struct {
		name   string
		rules  *retrieval.Ruleset
		kind   retrieval.Type
		events []retrieval.Event
		video  string
		values []float64
		text   string
		score  float64
	}{
		{"the whole video", preset("aic2025"), retrieval.KIS, whole, "V017", nil, "", 75},
		{"the whole video, with a moment", preset("aic2025"), retrieval.KIS, whole, "v017", []float64{1e6}, "", 75},
		{"the whole video, exactly", preset("aic2025-exact"), retrieval.KIS, whole, "V017", []float64{5, 6}, "", 75},
		{"the whole video, decay", preset("aic-decay"), retrieval.KIS, whole, "V017", []float64{5}, "", 100},
		{"another video", preset("aic2025"), retrieval.KIS, whole, "V018", []float64{5}, "", 0},
		{"the whole video, QA", preset("aic2025"), retrieval.QA, whole, "V017", nil, "x", 75},
		{"the whole video, QA, another text", preset("aic2025"), retrieval.QA, whole, "V017", nil, "y", 0},
		{"rules", preset("aic2025", item), retrieval.KIS, part, "V017", nil, "", 75},
		{"rules, another video", preset("aic2025", item), retrieval.KIS, part, "V018", nil, "", 0},
		{"rules, but a moment was sent", preset("aic2025", item), retrieval.KIS, part, "V017", []float64{3e6}, "", 0},
		{"rules, but QA", preset("aic2025", item), retrieval.QA, part, "V017", nil, "x", 0},
		{"rules without it", preset("aic2025"), retrieval.KIS, part, "V017", nil, "", 0},
		{"rules, decay, sum", preset("aic-decay", item, func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateSum }), retrieval.KIS, part, "V017", nil, "", 200},
	} {
		question := retrieval.Question{ID: "1", Type: test.kind, Video: "V017", Events: test.events, Answers: []string{"x"}}
		answer := retrieval.Answer{Video: test.video, Values: test.values, Text: test.text}
		e := retrieval.Explain(test.rules, &question, &answer, retrieval.Circumstances{Elapsed: 150 * time.Second, TimeLimit: 300 * time.Second})
		correctness := retrieval.Full
		if test.score == 0 {
			correctness = retrieval.Incorrect
		}
		if e.Score != test.score || e.Correctness != correctness {
			t.Errorf("%s: got %v, %s\n%s", test.name, e.Score, e.Correctness, e.Text())
		}
	}
}

// A question's own frames a second come before those of the rules.
func TestFPSOfAQuestion(t *testing.T) {
	rules := preset("aic-decay")
	question := retrieval.Question{ID: "1", Type: retrieval.KIS, Video: "V", Events: events(1000, 1000), FPS: 50}
	got := retrieval.Score(rules, &question, &retrieval.Answer{Video: "V", Values: []float64{1100}}, retrieval.Circumstances{})
	if form := rules.FormOf(&question); got.Score != 95 || form.FPS != 50 { // five frames of 20 ms
		t.Errorf("got %+v, %+v", got, form)
	}
	if question.FPS = 0; rules.FormOf(&question).FPS != rules.FPS {
		t.Errorf("got %+v", rules.FormOf(&question))
	}
}

func TestLimitOf(t *testing.T) {
	visual := preset("aic2025-visual")
	for _, test := range []struct {
		question retrieval.Question
		want     float64
	}{
		{retrieval.Question{Type: retrieval.KIS}, 240},
		{retrieval.Question{Type: retrieval.QA}, 300},
		{retrieval.Question{Type: retrieval.TR}, 300},
		{retrieval.Question{Type: retrieval.KIS, TimeLimit: 12.5}, 12.5},
	} {
		if got := visual.LimitOf(&test.question); got != test.want {
			t.Errorf("%+v: got %v, want %v", test.question, got, test.want)
		}
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
		{"aic2025-exact", retrieval.Full, 85},
		{"aic-decay", retrieval.Full, 100},
		{"aic-decay", retrieval.Partial, 50},
		{"aic-decay", retrieval.Incorrect, 0},
	} {
		if got := retrieval.Award(preset(test.rules), &question, test.verdict, c); got.Score != test.want || got.Correctness != test.verdict {
			t.Errorf("%s, %s: got %+v", test.rules, test.verdict, got)
		}
	}
	sum := preset("aic-decay", func(r *retrieval.Ruleset) { r.Aggregation = retrieval.AggregateSum })
	if got := retrieval.Award(sum, &question, retrieval.Full, c); got.Score != 200 {
		t.Errorf("sum: got %+v", got)
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

// What a score allocates does not grow with the values of the answer.
func TestAllocations(t *testing.T) {
	question := retrieval.Question{ID: "1", Type: retrieval.TR, Video: "V"}
	answer := retrieval.Answer{Video: "V"}
	for i := range retrieval.MaxValues / 2 {
		question.Events = append(question.Events, retrieval.Event{Start: int64(100 * i), End: int64(100*i + 50)})
		answer.Values = append(answer.Values, float64(100*i), float64(100*i+50))
	}
	for _, name := range retrieval.Presets() {
		rules := preset(name)
		if n := testing.AllocsPerRun(1, func() { retrieval.Score(rules, &question, &answer, thirty) }); n > 5 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	c := retrieval.Circumstances{Elapsed: time.Second, TimeLimit: time.Minute}
	for _, name := range retrieval.Presets() {
		for _, size := range []int{3, retrieval.MaxValues / 2} {
			b.Run(fmt.Sprintf("%s/%d events", name, size), func(b *testing.B) {
				rules, question := preset(name), retrieval.Question{ID: "1", Type: retrieval.TR, Video: "V"}
				answer := retrieval.Answer{Video: "V"}
				for i := range size {
					start := int64(1000 * i)
					question.Events = append(question.Events, retrieval.Event{Start: start, End: start + 50})
					answer.Values = append(answer.Values, float64(start), float64(start+50))
				}
				b.ReportAllocs()
				for b.Loop() {
					retrieval.Score(rules, &question, &answer, c)
				}
			})
		}
	}
}
