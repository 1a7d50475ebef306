package retrieval_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/retrieval"
)

// anyRules draws rules that are valid, from the whole span of each parameter
// that a score depends on.
func anyRules(t *rapid.T) *retrieval.Ruleset {
	points, share := rapid.Float64Range(0, 1e9), rapid.Float64Range(0, 1)
	tolerance := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 12, 1 << 53}), rapid.Float64Range(0, 5000))
	rules := preset(rapid.SampledFrom(retrieval.Presets()).Draw(t, "preset"), func(r *retrieval.Ruleset) {
		a, b := points.Draw(t, "points"), points.Draw(t, "other points")
		r.PBase, r.PMax = min(a, b), max(a, b)
		r.PPenalty = points.Draw(t, "penalty")
		r.Tolerance = retrieval.Tolerance{KIS: tolerance.Draw(t, "kis"), QA: tolerance.Draw(t, "qa"), TR: tolerance.Draw(t, "tr")}
		r.QualityOver = rapid.SampledFrom([]retrieval.QualityOver{retrieval.OverMatched, retrieval.OverAll}).Draw(t, "over")
		r.PartialThreshold = max(math.SmallestNonzeroFloat64, share.Draw(t, "threshold"))
		r.PartialFactor = share.Draw(t, "factor")
		r.FPS = rapid.SampledFrom([]float64{math.SmallestNonzeroFloat64, 1e-300, 24, 25, 29.97, 1000}).Draw(t, "fps")
		r.MaxScore = points.Draw(t, "max score")
		r.DecayRate = rapid.OneOf(rapid.SampledFrom([]float64{0, 1}), points).Draw(t, "decay rate")
		r.DistanceFrom = rapid.SampledFrom([]retrieval.DistanceFrom{retrieval.FromMidpoint, retrieval.FromBoundary}).Draw(t, "from")
		r.Aggregation = rapid.SampledFrom([]retrieval.Aggregation{retrieval.AggregateMean, retrieval.AggregateMin, retrieval.AggregateSum}).Draw(t, "aggregation")
		r.ItemOnly = rapid.Bool().Draw(t, "item only")
		r.AnswerMatch = rapid.SampledFrom([]retrieval.AnswerMatch{retrieval.MatchExact, retrieval.MatchFolded}).Draw(t, "match")
	})
	if err := rules.Validate(); err != nil {
		t.Fatal(err)
	}
	return rules
}

// texts are words that are equal in some of the ways to compare.
var texts = []string{"Đà Nẵng", "\u0110a\u0300 Na\u0306\u0303ng", "da-nang", "DANANG", "Huế", "hue", "?", "!", ""}

func anyCase(t *rapid.T) (*retrieval.Ruleset, *retrieval.Question, *retrieval.Answer, retrieval.Circumstances) {
	edge := rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(1<<53-1000, 1<<53))
	question := &retrieval.Question{ID: "1", Type: rapid.SampledFrom(kinds).Draw(t, "type"), Video: "V"}
	for range rapid.IntRange(1, 12).Draw(t, "events") {
		a, b := edge.Draw(t, "a"), edge.Draw(t, "b")
		question.Events = append(question.Events, retrieval.Event{Start: min(a, b), End: max(a, b)})
	}
	value := rapid.Custom(func(t *rapid.T) float64 {
		return float64(edge.Draw(t, "value")) + rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "fraction")
	})
	if rapid.IntRange(0, 9).Draw(t, "whole") == 0 && question.Type != retrieval.TR {
		question.Events = []retrieval.Event{retrieval.WholeVideo}
	}
	question.FPS = rapid.SampledFrom([]float64{0, 0, 1e-300, 30}).Draw(t, "fps of the question")
	answer := &retrieval.Answer{Video: "V", Values: rapid.SliceOfN(value, 0, 12).Draw(t, "values")}
	for _, event := range question.Events {
		switch rapid.SampledFrom([]string{"miss", "start", "middle"}).Draw(t, "hit") {
		case "start":
			answer.Values = append(answer.Values, float64(event.Start))
		case "middle":
			answer.Values = append(answer.Values, float64(event.Start)/2+float64(event.End)/2)
		}
	}
	if rapid.Bool().Draw(t, "hits first") {
		reversed := answer.Values
		answer.Values = nil
		for i := len(reversed) - 1; i >= 0; i-- {
			answer.Values = append(answer.Values, reversed[i])
		}
	}
	if question.Type == retrieval.QA {
		question.Answers = rapid.SliceOfN(rapid.SampledFrom(texts), 0, 2).Draw(t, "accepted")
		answer.Text = rapid.SampledFrom(texts).Draw(t, "text")
	}
	moment := rapid.Int64Range(0, int64(time.Hour))
	return anyRules(t), question, answer, retrieval.Circumstances{
		Elapsed:   time.Duration(rapid.OneOf(rapid.Just(int64(0)), moment).Draw(t, "elapsed")),
		TimeLimit: time.Duration(rapid.OneOf(rapid.SampledFrom([]int64{-1, 0, 1, math.MaxInt64}), moment).Draw(t, "limit")),
		Wrong:     rapid.OneOf(rapid.IntRange(0, 3), rapid.Just(math.MaxInt)).Draw(t, "wrong"),
	}
}

// mostPoints is what an answer to a question can earn.
func mostPoints(rules *retrieval.Ruleset, question *retrieval.Question) float64 {
	switch {
	case rules.Mode != retrieval.ModeDecay:
		return rules.PMax
	case rules.Aggregation == retrieval.AggregateSum:
		return rules.MaxScore * float64(len(question.Events))
	}
	return rules.MaxScore
}

func TestBounds(t *testing.T) {
	in := func(f, most float64) bool { return f >= 0 && f <= most } // false for NaN
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		r := retrieval.Score(rules, question, answer, c)
		if !in(r.Score, mostPoints(rules, question)) || !in(r.MatchQuality, 1) || !in(r.CorrectnessFactor, 1) || !in(r.TimeFactor, 1) ||
			!in(r.Penalty, math.MaxFloat64) || r.MatchedEvents < 0 || r.MatchedEvents > r.TotalEvents {
			t.Fatalf("out of bounds: %+v", r)
		}
		if (r.Correctness == retrieval.Incorrect) != (r.CorrectnessFactor == 0) {
			t.Fatalf("%s with factor %v", r.Correctness, r.CorrectnessFactor)
		}
		for _, verdict := range []retrieval.Correctness{retrieval.Full, retrieval.Partial, retrieval.Incorrect} {
			if award := retrieval.Award(rules, question, verdict, c); !in(award.Score, mostPoints(rules, question)) {
				t.Fatalf("out of bounds: %s comes to %+v", verdict, award)
			}
		}
	})
}

// A quality is 0, or from 0.5 to 1.
func TestBoundsOfQuality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, _ := anyCase(t)
		for _, value := range answer.Values {
			q, distance := retrieval.Quality(question.Events[0], rules.Tolerance.TR, value)
			if q != 0 && !(q >= 0.5 && q <= 1) || !(distance >= 0) {
				t.Fatalf("%v at %v", q, distance)
			}
		}
	})
}

func TestExplainAgreesWithScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		e := retrieval.Explain(rules, question, answer, c)
		if r := retrieval.Score(rules, question, answer, c); e.Result != r {
			t.Fatalf("explained as %+v, scored as %+v", e.Result, r)
		}
		if _, err := json.Marshal(e); err != nil || e.Text() == "" {
			t.Fatalf("%v, %q", err, e.Text())
		}
	})
}

func TestFurtherValuesDoNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		r := retrieval.Score(rules, question, answer, c)
		if len(answer.Values)-r.IgnoredValues > 2*len(question.Events) {
			t.Fatalf("%d of %d values count for %d events", len(answer.Values)-r.IgnoredValues, len(answer.Values), len(question.Events))
		}
		counted := *answer
		counted.Values = answer.Values[:len(answer.Values)-r.IgnoredValues]
		same := retrieval.Score(rules, question, &counted, c)
		same.IgnoredValues = r.IgnoredValues
		if same != r {
			t.Fatalf("ignored values change %+v into %+v", same, r)
		}
	})
}

func TestLaterOrMoreOftenWrongScoresNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		c.Wrong = min(c.Wrong, 1000)
		r := retrieval.Score(rules, question, answer, c)
		c.Elapsed += time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later"))
		c.Wrong += rapid.IntRange(0, 3).Draw(t, "more wrong")
		if more := retrieval.Score(rules, question, answer, c); more.Score > r.Score {
			t.Fatalf("%v, not %v", more.Score, r.Score)
		}
	})
}

func TestFoldingTakesNoPointsAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules, question, answer, c := anyCase(t)
		question.Type = retrieval.QA
		question.Answers = rapid.SliceOfN(rapid.SampledFrom(texts), 1, 2).Draw(t, "accepted")
		answer.Text = rapid.SampledFrom(texts).Draw(t, "text")
		exact, folded := *rules, *rules
		exact.AnswerMatch, folded.AnswerMatch = retrieval.MatchExact, retrieval.MatchFolded
		before, after := retrieval.Score(&exact, question, answer, c), retrieval.Score(&folded, question, answer, c)
		if after.Score < before.Score || after.MatchedEvents < before.MatchedEvents {
			t.Fatalf("%+v, folded %+v", before, after)
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
