package retrieval

import (
	"fmt"
	"strconv"
	"strings"
)

// number writes a figure with as many digits as it has.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// numbers writes figures with something between them.
func numbers(figures []float64, between string) string {
	texts := make([]string, len(figures))
	for i, f := range figures {
		texts[i] = number(f)
	}
	return strings.Join(texts, between)
}

func (e *Explanation) unit() string {
	if e.Question.Type == TR {
		return "frames"
	}
	return "ms"
}

// steps writes the arithmetic, in order.
func (e *Explanation) steps(rules *Ruleset, c Circumstances) (steps []string) {
	say := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	if e.Mismatch != "" {
		say("%s", e.mismatchStep())
	}
	if e.ItemOnly {
		return append(steps, e.itemSteps(rules, c)...)
	}
	for i, v := range e.Values {
		say("value %d, %s: %s", i+1, number(v.Value), e.valueStep(i, rules))
	}
	if e.IgnoredValues > 0 {
		most := valuesThatCount(rules, e.Question)
		say("ignored %d of %d values: only the first %d count", e.IgnoredValues, e.IgnoredValues+most, most)
	}
	if e.Mode == ModeDecay {
		return append(steps, e.aggregate(rules)...)
	}
	say("%s", e.qualityStep(rules))
	if e.Correctness == Partial {
		say("correctness factor = %s * %s = %s (%s)", number(e.MatchQuality), number(rules.PartialFactor), number(e.CorrectnessFactor), e.Correctness)
	} else {
		say("correctness factor %s (%s)", number(e.CorrectnessFactor), e.Correctness)
	}
	return append(steps, e.formulaSteps(rules, c)...)
}

// formulaSteps say what time and penalties make of it.
func (e *Explanation) formulaSteps(rules *Ruleset, c Circumstances) []string {
	return []string{
		fmt.Sprintf("time factor = clamp(1 - %s / %s, 0, 1) = %s", number(e.ElapsedSeconds), number(c.TimeLimit.Seconds()), number(e.TimeFactor)),
		fmt.Sprintf("penalty = %d * %s = %s", e.WrongAttempts, number(rules.PPenalty), number(e.Penalty)),
		fmt.Sprintf("score = max(0, %s + (%s - %s) * %s - %s) * %s = %s", number(rules.PBase), number(rules.PMax), number(rules.PBase),
			number(e.TimeFactor), number(e.Penalty), number(e.CorrectnessFactor), number(e.Score)),
	}
}

// itemSteps say what an answer comes to of which the video alone counts.
func (e *Explanation) itemSteps(rules *Ruleset, c Circumstances) (steps []string) {
	if e.Mismatch == "" {
		steps = append(steps, "the video is the right one, and no moment of it is asked for: everything is met")
	}
	if e.IgnoredValues > 0 {
		steps = append(steps, fmt.Sprintf("ignored %d values: only the video counts", e.IgnoredValues))
	}
	steps = append(steps, fmt.Sprintf("correctness factor %s (%s)", number(e.CorrectnessFactor), e.Correctness))
	if e.Mode != ModeDecay {
		return append(steps, e.formulaSteps(rules, c)...)
	}
	return append(steps, fmt.Sprintf("score = %s", number(e.Score)))
}

// mismatchStep says what is wrong whatever the values are.
func (e *Explanation) mismatchStep() string {
	found, expected := e.Answer.Video, []string{e.Question.Video}
	switch e.Mismatch {
	case "scene":
		found, expected = e.Answer.Scene, []string{e.Question.Scene}
	case "answer":
		found, expected = e.Answer.Text, e.Question.Answers
	}
	quoted := make([]string, len(expected))
	for i, text := range expected {
		quoted[i] = fmt.Sprintf("%.200q", text)
	}
	return fmt.Sprintf("the %s is another one: nothing is met: found %.200q, expected %s", e.Mismatch, found, strings.Join(quoted, " or "))
}

// valueStep says what became of the i-th value.
func (e *Explanation) valueStep(i int, rules *Ruleset) string {
	v := e.Values[i]
	switch {
	case e.Mode == ModeDecay:
		return e.decayStep(i, rules)
	case v.Event == 0:
		return "meets no event"
	case e.Mode == ModeExact:
		return fmt.Sprintf("is a boundary of event %d", v.Event)
	}
	event := e.Events[v.Event-1]
	most := (event.To - event.From) / 2
	step := fmt.Sprintf("%s %s from the middle of event %d, at most %s: ", number(*v.Distance), e.unit(), v.Event, number(most))
	if most == 0 {
		step += "quality 1"
	} else {
		step += fmt.Sprintf("quality 1 - 0.5 * %s / %s = %s", number(*v.Distance), number(most), number(v.Quality))
	}
	if event.Value != i+1 {
		step += fmt.Sprintf("; the event keeps value %d", event.Value)
	}
	return step
}

// decayStep says what points the i-th value earns.
func (e *Explanation) decayStep(i int, rules *Ruleset) string {
	v, from := e.Values[i], "middle"
	if rules.DistanceFrom == FromBoundary {
		from = []string{"start", "end"}[i%2]
	}
	event := e.Events[v.Event-1]
	if v.Value < event.From || v.Value > event.To {
		return fmt.Sprintf("outside event %d, which is met from %s to %s: 0 points", v.Event, number(event.From), number(event.To))
	}
	frames := ""
	if e.Question.Type != TR {
		frames = fmt.Sprintf(", %s frames", number(*v.Frames))
	}
	return fmt.Sprintf("%s %s from the %s of event %d%s: max(0, %s - %s * %s) = %s points", number(*v.Distance), e.unit(), from, v.Event, frames,
		number(rules.MaxScore), number(rules.DecayRate), number(*v.Frames), number(v.Quality))
}

// qualityStep says how many events were met, and how well in the mean.
func (e *Explanation) qualityStep(rules *Ruleset) string {
	if e.Mode == ModeExact {
		return fmt.Sprintf("matched %d of %d boundaries, match quality %s", e.MatchedEvents, e.TotalEvents, number(e.MatchQuality))
	}
	var kept []float64
	for _, event := range e.Events {
		if event.Quality > 0 {
			kept = append(kept, event.Quality)
		}
	}
	over, mean := len(kept), ""
	if rules.QualityOver == OverAll {
		over = e.TotalEvents
	}
	if len(kept) > 0 && over > 1 {
		mean = fmt.Sprintf("= (%s) / %d = ", numbers(kept, " + "), over)
	}
	return fmt.Sprintf("matched %d of %d events, match quality %s%s", e.MatchedEvents, e.TotalEvents, mean, number(e.MatchQuality))
}

// aggregate says how the points of values become those of events and of the
// answer.
func (e *Explanation) aggregate(rules *Ruleset) (steps []string) {
	points := make([][]float64, len(e.Events)) // of the values of each event
	for _, v := range e.Values {
		points[v.Event-1] = append(points[v.Event-1], v.Quality)
	}
	scores := make([]float64, len(e.Events))
	for i, event := range e.Events {
		scores[i] = event.Quality
		switch {
		case len(points[i]) == 0:
			steps = append(steps, fmt.Sprintf("event %d: no value, 0 points", i+1))
		case rules.DistanceFrom == FromBoundary:
			for len(points[i]) < 2 {
				points[i] = append(points[i], 0)
			}
			steps = append(steps, fmt.Sprintf("event %d: (%s) / 2 = %s points", i+1, numbers(points[i], " + "), number(event.Quality)))
		}
	}
	how := ""
	switch {
	case len(scores) == 0:
	case rules.Aggregation == AggregateMin:
		how = fmt.Sprintf("min(%s) = ", numbers(scores, ", "))
	case rules.Aggregation == AggregateSum:
		how = numbers(scores, " + ") + " = "
	default:
		how = fmt.Sprintf("(%s) / %d = ", numbers(scores, " + "), len(scores))
	}
	steps = append(steps, fmt.Sprintf("%s of the events: score = %s%s", rules.Aggregation, how, number(e.Score)))
	return append(steps, fmt.Sprintf("correctness factor %s (%s)", number(e.CorrectnessFactor), e.Correctness))
}
