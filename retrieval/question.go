package retrieval

import "time"

// QuestionID names a question within a contest, as the ground truth has it.
type QuestionID string

// Type is the kind of a question. It decides what an answer looks like, in
// which unit its values are, and whether a part of it counts.
type Type string

// The types of questions.
const (
	KIS Type = "KIS" // known-item search: a moment of a video, in milliseconds
	QA  Type = "QA"  // question answering: a text and a moment, in milliseconds
	TR  Type = "TR"  // TRAKE, temporal retrieval and alignment of key events, in frames
)

// Event is a stretch of a video that an answer must meet.
type Event struct {
	Start int64 `json:"start"` // milliseconds, TR: frames; not negative
	End   int64 `json:"end"`   // likewise; not before Start
}

// Question is one task of a contest with its ground truth. Nothing of it but
// ID and Type may reach a team before it is revealed.
type Question struct {
	ID      QuestionID `json:"id"`
	Type    Type       `json:"type"`
	Scene   string     `json:"scene_id"` // may be empty: then no scene is compared
	Video   string     `json:"video_id"`
	Events  []Event    `json:"events"`            // at least one
	Answers []string   `json:"answers,omitempty"` // QA: the accepted texts; empty: only the moment counts

	FPS       float64 `json:"fps,omitempty"`        // frames a second of the video; 0: the ruleset's
	TimeLimit float64 `json:"time_limit,omitempty"` // seconds; 0: that of the contest for the type
}

// WholeVideo is the event of a question that asks for a video and for no moment
// of it: it spans every video.
var WholeVideo = Event{Start: 0, End: maxPoint}

// WholeVideo reports whether the question asks for a video and for no moment of
// it. Then the video, and in a QA question the text, alone are right or wrong.
func (q *Question) WholeVideo() bool {
	return q.Type != TR && len(q.Events) == 1 && q.Events[0] == WholeVideo
}

// Form is what of a question and its rules says how an answer to it is read.
type Form struct {
	Type     Type
	FPS      float64 // of the question's video
	ItemOnly bool    // a video without a moment is an answer
}

// FormOf returns how answers to a question are read.
func (r *Ruleset) FormOf(q *Question) Form {
	return Form{q.Type, r.fpsOf(q), q.WholeVideo() || r.ItemOnly && q.Type == KIS}
}

func (r *Ruleset) fpsOf(q *Question) float64 {
	if q.FPS > 0 {
		return q.FPS
	}
	return r.FPS
}

// MaxValues bounds the values of an answer that are kept. Many more than any
// question has events, and few enough that no answer is expensive to judge.
const MaxValues = 1000

// Answer is what a team sent, in the one form that every dialect becomes.
type Answer struct {
	Scene  string    `json:"scene_id,omitempty"` // empty: not said, so not compared
	Video  string    `json:"video_id"`
	Values []float64 `json:"values"`         // milliseconds, TR: frames; finite, in [0, 2^53], in the order sent
	Text   string    `json:"text,omitempty"` // QA: the answer in words, in NFC
}

// Circumstances are what a score depends on besides the answer.
type Circumstances struct {
	Elapsed   time.Duration // from the question's start to the arrival of the request
	TimeLimit time.Duration // of this question; 0 or less: the time factor is 0
	Wrong     int           // k, the team's wrong attempts at this question before this one
}

// Correctness is how much of a question an answer met.
type Correctness string

// The degrees of correctness.
const (
	Full      Correctness = "full"      // every event
	Partial   Correctness = "partial"   // enough events of a TR question
	Incorrect Correctness = "incorrect" // too few, another video, or another text
)
