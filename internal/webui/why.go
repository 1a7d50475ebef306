package webui

import (
	"math"
	"strconv"

	"scorebook/contest"
	"scorebook/retrieval"
)

// why is an attempt with its arithmetic. It holds ground truth.
type why struct {
	Seq       contest.Seq
	Team      string
	Question  retrieval.QuestionID
	Answer    string // what was sent, in a line
	Verdict   string // key of a message
	Class     string
	Score     string
	Told      string // what the team was told, if that was something else
	Jury      contest.Verdict
	Reason    string
	Steps     []string
	Pictures  []picture
	Expected  string // where the answer lies
	Texts     []string
	Raw       string
	Void      bool
	Arrived   string
	Mismatch  string // key of a message, or empty
	Overruled bool
}

// picture is an event on a line of time, with the values that were sent near
// it. Lengths are in the units of its view box.
type picture struct {
	Width              float64
	From, To           float64 // of what is met, with tolerance
	Start, End         float64 // of the event
	StartText, EndText string
	Marks              []mark
	Unit               string
	Number             int // of the event, from 1
	Of                 int
	Met                bool
}

// SlackWidth is the width of what is met.
func (p picture) SlackWidth() float64 { return tenth(max(1, p.To-p.From)) }

// EventWidth is the width of the event.
func (p picture) EventWidth() float64 { return tenth(max(1, p.End-p.Start)) }

// narrow reports whether the texts below both ends would touch.
func (p picture) narrow() bool { return p.End-p.Start < 70 }

// StartAnchor says on which side of the start its text stands.
func (p picture) StartAnchor() string {
	if p.narrow() {
		return "end"
	}
	return "middle"
}

// EndAnchor says on which side of the end its text stands.
func (p picture) EndAnchor() string {
	if p.narrow() {
		return "start"
	}
	return "middle"
}

type mark struct {
	At      float64
	Text    string
	Outside string // an arrow for a value that lies outside the picture
	Anchor  string
	Met     bool
}

func whyOf(state *contest.State, a *contest.Attempt, zoned func(contest.Attempt) string) why {
	team, _ := state.Team(a.Team)
	question, _ := state.Question(a.Question)
	w := why{
		Seq: a.Seq, Team: team.Name, Question: a.Question, Answer: attemptValues(&a.Answer, question.Type), Score: exactly(a.Current.Score),
		Jury: a.Verdict, Reason: a.Reason, Raw: a.Body, Void: a.Void, Expected: truthText(question), Texts: question.Answers, Arrived: zoned(*a),
	}
	w.Verdict, w.Class = verdictOf(a)
	if told := exactly(a.Announced.Score); told != w.Score {
		w.Told = told
	}
	explanation, ok := state.Explain(a.Seq)
	if !ok {
		return w
	}
	w.Steps = explanation.Steps
	w.Overruled = a.Verdict != ""
	if explanation.Mismatch != "" {
		w.Mismatch = "why.mismatch." + explanation.Mismatch
	}
	w.Pictures = picturesOf(&explanation)
	return w
}

// verdictOf names what became of an attempt, as a key of a message and a class.
func verdictOf(a *contest.Attempt) (key, class string) {
	switch {
	case a.Void:
		return "verdict.voided", "none"
	case a.Verdict == contest.VerdictVoid:
		return "verdict.void", "none"
	case a.Superseded:
		return "verdict.superseded", "none"
	case a.Current.CorrectnessFactor <= 0:
		return "verdict.wrong", "bad"
	case a.Current.Correctness == retrieval.Partial:
		return "verdict.partial", "half"
	}
	return "verdict.full", "good"
}

// truthText says in a line where an answer lies.
func truthText(q retrieval.Question) string {
	text := q.Video
	if q.Scene != "" {
		text = q.Scene + "_" + q.Video
	}
	if q.WholeVideo() {
		return text
	}
	for i, e := range q.Events {
		separator := ", "
		if i == 0 {
			separator = " · "
		}
		text += separator + spanText(e, q.Type)
	}
	return text
}

func spanText(e retrieval.Event, kind retrieval.Type) string {
	if kind == retrieval.TR {
		return strconv.FormatInt(e.Start, 10) + "–" + strconv.FormatInt(e.End, 10)
	}
	return secondsText(float64(e.Start)) + "–" + secondsText(float64(e.End)) + " s"
}

func secondsText(ms float64) string { return strconv.FormatFloat(round(ms/1000, 2), 'f', -1, 64) }

const (
	pictureWidth = 320.0
	pictureEdge  = 14.0 // left and right of what is drawn to scale
)

// picturesOf draws each event with the values that were sent. A value that is
// further away than the picture reaches is an arrow at its edge.
func picturesOf(e *retrieval.Explanation) []picture {
	const most = 12
	var all []picture
	if e.ItemOnly {
		return nil // there is no moment to draw
	}
	for i, event := range e.Events {
		if i == most {
			break
		}
		all = append(all, pictureOf(e, i, event))
	}
	return all
}

func pictureOf(e *retrieval.Explanation, i int, event retrieval.EventMatch) picture {
	kind := e.Question.Type
	from, to := min(event.From, float64(event.Start)), max(event.To, float64(event.End))
	margin := max(1, (to-from)*0.35)
	low, high := from-margin, to+margin
	x := func(v float64) float64 {
		return tenth(pictureEdge + (v-low)/(high-low)*(pictureWidth-2*pictureEdge))
	}
	text := func(v float64) string {
		if kind == retrieval.TR {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return secondsText(v)
	}
	p := picture{
		Width: pictureWidth, From: x(from), To: x(to), Start: x(float64(event.Start)), End: x(float64(event.End)),
		StartText: text(float64(event.Start)), EndText: text(float64(event.End)), Number: i + 1, Of: len(e.Events),
		Met: event.Quality > 0, Unit: "s",
	}
	if kind == retrieval.TR {
		p.Unit = ""
	}
	const most = 20
	for _, v := range e.Answer.Values {
		if len(p.Marks) == most {
			break
		}
		m := mark{Text: text(v), Anchor: "middle", Met: v >= event.From && v <= event.To}
		switch {
		case v < low:
			m.At, m.Outside, m.Anchor = pictureEdge, "←", "start"
		case v > high:
			m.At, m.Outside, m.Anchor = pictureWidth-pictureEdge, "→", "end"
		default:
			m.At = x(v)
		}
		if math.IsNaN(m.At) || len(e.Events) > 1 && m.Outside != "" {
			continue // it belongs to another event
		}
		p.Marks = append(p.Marks, m)
	}
	return p
}
