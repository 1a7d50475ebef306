package retrieval

import (
	"fmt"
	"math"
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
	Mismatch string       `json:"mismatch,omitempty"`  // video, scene or answer: what was wrong whatever the values are
	ItemOnly bool         `json:"item_only,omitempty"` // the video alone counted, and with it the text of QA
	Values   []ValueMatch `json:"values"`              // one for each value that counts
	Events   []EventMatch `json:"events"`              // one for each event
	Steps    []string     `json:"steps"`               // the arithmetic, in order
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
	To      float64 `json:"to"`      // the last one; exact: only From and To themselves meet it
	Quality float64 `json:"quality"` // that it kept; 0: not met; decay: points; exact: 0.5 for each boundary
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
		kept := distance // a copy, so that a nil explanation costs no allocation
		match.Distance = &kept
	}
	e.Values = append(e.Values, match)
}

func (e *Explanation) decayed(value float64, event int, distance, frames, points float64) {
	if e != nil {
		d, f := distance, frames // copies, as in value
		e.Values = append(e.Values, ValueMatch{value, event + 1, &d, &f, points})
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

// Text renders the explanation for people.
func (e *Explanation) Text() string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s%s\n", label, diag.Printable(fmt.Sprintf(format, args...)))
	}
	line("question", "%s %s, %s", e.Question.ID, e.Question.Type, e.Question.Video)
	line("rules", "%s (%s), %.12s", e.Ruleset, e.Mode, e.Digest)
	for i, event := range e.Events {
		met := fmt.Sprintf("from %s to %s", number(event.From), number(event.To))
		if e.Mode == ModeExact {
			met = "only at its boundaries"
		}
		if e.Question.WholeVideo() {
			line("event", "the whole video")
			continue
		}
		line(fmt.Sprintf("event %d", i+1), "%d to %d %s, met %s", event.Start, event.End, e.unit(), met)
	}
	for _, step := range e.Steps {
		line("", "%s", step)
	}
	line("score", "%s, %s", number(e.Score), e.Correctness)
	return b.String()
}
