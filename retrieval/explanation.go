package retrieval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"scorebook/diag"
)

// Explanation is a result with everything that led to it. It holds ground
// truth: nobody but the jury may see it before the question is revealed.
type Explanation struct {
	Ruleset  string    `json:"ruleset"` // its name
	Digest   string    `json:"ruleset_digest"`
	Mode     Mode      `json:"mode"`
	Question *Question `json:"question"`
	Answer   *Answer   `json:"answer"`
	Result
	Mismatch string       `json:"mismatch,omitempty"` // video, scene or answer: what was wrong whatever the values are
	Values   []ValueMatch `json:"values"`             // one for each value that counts
	Events   []EventMatch `json:"events"`             // one for each event
	Steps    []string     `json:"steps"`              // the arithmetic, in order
}

// ValueMatch is what became of a value.
type ValueMatch struct {
	Value    float64  `json:"value"`
	Event    int      `json:"event"`              // from 1; 0: it met none
	Distance *float64 `json:"distance,omitempty"` // in the unit of the values
	Frames   *float64 `json:"frames,omitempty"`   // decay: the distance in frames
	Quality  float64  `json:"quality"`            // in [0,1]; decay: points
}

// EventMatch is what became of an event.
type EventMatch struct {
	Start   int64   `json:"start"`
	End     int64   `json:"end"`
	From    float64 `json:"from"`    // the first value that would meet it
	To      float64 `json:"to"`      // the last one
	Quality float64 `json:"quality"` // that it kept; 0: not met; decay: points
	Value   int     `json:"value"`   // the value that it kept, from 1; 0: none, or several
}

// Explain judges an answer as [Score] does and tells how.
func Explain(rules *Ruleset, question *Question, answer *Answer, c Circumstances) Explanation {
	e := Explanation{
		Ruleset: rules.Name, Digest: rules.Digest(), Mode: rules.Mode, Question: question, Answer: answer,
		Values: []ValueMatch{}, Events: []EventMatch{},
	}
	e.Result = judge(rules, question, answer, c, &e)
	e.Steps = e.steps(rules, c)
	return e
}

// The methods below note what judge does; a nil explanation notes nothing.

func (e *Explanation) value(value float64, event int, distance, quality float64) {
	if e == nil {
		return
	}
	match := ValueMatch{Value: value, Event: event + 1, Quality: quality}
	if !math.IsInf(distance, 0) {
		match.Distance = &distance
	}
	e.Values = append(e.Values, match)
}

func (e *Explanation) decayed(value float64, event int, distance, frames, points float64) {
	if e != nil {
		e.Values = append(e.Values, ValueMatch{value, event + 1, &distance, &frames, points})
	}
}

func (e *Explanation) event(event Event, tolerance, quality float64, by int) {
	if e == nil {
		return
	}
	match := EventMatch{
		Start: event.Start, End: event.End, Quality: quality,
		From: float64(event.Start) - tolerance, To: float64(event.End) + tolerance,
	}
	if quality > 0 {
		match.Value = by + 1
	}
	e.Events = append(e.Events, match)
}

// number writes a figure with as many digits as it has.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (e *Explanation) unit() string {
	if e.Question.Type == TR {
		return "frames"
	}
	return "ms"
}

// steps writes the arithmetic.
func (e *Explanation) steps(rules *Ruleset, c Circumstances) (steps []string) {
	say := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	if e.Mismatch != "" {
		say("the %s is another one: nothing is met", e.Mismatch)
	}
	for i, v := range e.Values {
		switch {
		case e.Mode == ModeDecay:
			say("value %d, %s: %s %s from event %d, %s frames: max(0, %s - %s * %s) within the window, else 0: %s points",
				i+1, number(v.Value), number(*v.Distance), e.unit(), v.Event, number(*v.Frames),
				number(rules.MaxScore), number(rules.DecayRate), number(*v.Frames), number(v.Quality))
		case v.Event == 0:
			say("value %d, %s: meets no event", i+1, number(v.Value))
		case e.Mode == ModeExact:
			say("value %d, %s: is a boundary of event %d", i+1, number(v.Value), v.Event)
		default:
			event := e.Events[v.Event-1]
			say("value %d, %s: %s %s from the middle of event %d, at most %s: quality 1 - 0.5 * %s / %s = %s",
				i+1, number(v.Value), number(*v.Distance), e.unit(), v.Event, number((event.To-event.From)/2),
				number(*v.Distance), number((event.To-event.From)/2), number(v.Quality))
		}
	}
	if e.IgnoredValues > 0 {
		say("%d further values are ignored", e.IgnoredValues)
	}
	if e.Mode == ModeDecay {
		var points []string
		for _, event := range e.Events {
			points = append(points, number(event.Quality))
		}
		say("score = %s of the events' points %s = %s", rules.Aggregation, strings.Join(points, ", "), number(e.Score))
		return steps
	}
	what := "events"
	if e.Mode == ModeExact {
		what = "boundaries"
	}
	say("matched %d of %d %s, match quality %s", e.MatchedEvents, e.TotalEvents, what, number(e.MatchQuality))
	say("correctness factor %s (%s)", number(e.CorrectnessFactor), e.Correctness)
	say("time factor = clamp(1 - %s / %s, 0, 1) = %s", number(e.ElapsedSeconds), number(c.TimeLimit.Seconds()), number(e.TimeFactor))
	say("penalty = %d * %s = %s", e.WrongAttempts, number(rules.PPenalty), number(e.Penalty))
	say("score = max(0, %s + (%s - %s) * %s - %s) * %s = %s", number(rules.PBase), number(rules.PMax), number(rules.PBase),
		number(e.TimeFactor), number(e.Penalty), number(e.CorrectnessFactor), number(e.Score))
	return steps
}

// Text renders the explanation for people.
func (e *Explanation) Text() string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s%s\n", label, diag.Printable(fmt.Sprintf(format, args...)))
	}
	line("question", "%s %s, %s", e.Question.ID, e.Question.Type, e.Question.Video)
	line("rules", "%s (%s), %.12s", e.Ruleset, e.Mode, e.Digest)
	for i, event := range e.Events {
		line(fmt.Sprintf("event %d", i+1), "%d to %d %s, met from %s to %s", event.Start, event.End, e.unit(), number(event.From), number(event.To))
	}
	for _, step := range e.Steps {
		line("", "%s", step)
	}
	line("score", "%s, %s", number(e.Score), e.Correctness)
	return b.String()
}
