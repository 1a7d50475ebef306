package retrieval

// Mode is the way a ruleset judges.
type Mode string

// The modes.
const (
	ModeTolerance Mode = "tolerance"
	ModeExact     Mode = "exact"
	ModeDecay     Mode = "decay"
)

// Completion says when a question is closed for a team.
type Completion string

// The ways to complete a question.
const (
	FirstCorrect Completion = "first_correct" // the first attempt with a positive correctness factor ends it
	Best         Completion = "best"          // every attempt counts, the best one stands
)

// Ruleset is how answers are judged: plain data with a name. Its fields and
// defaults are those of docs/scoring.md; every field is always set, so a
// ruleset written out says everything.
type Ruleset struct {
	Name string `json:"name"`
	Mode Mode   `json:"mode"`

	PMax     float64 `json:"p_max"`
	PBase    float64 `json:"p_base"`
	PPenalty float64 `json:"p_penalty"`

	TimeLimit float64 `json:"time_limit"` // seconds; the default of a question's limit
	Buffer    float64 `json:"buffer"`     // seconds

	Tolerance        Tolerance   `json:"tolerance"`
	QualityOver      QualityOver `json:"quality_over"`
	PartialThreshold float64     `json:"partial_threshold"` // in (0,1]
	PartialFactor    float64     `json:"partial_factor"`    // in [0,1]

	FPS          float64      `json:"fps"` // of questions that have none of their own
	MaxScore     float64      `json:"max_score"`
	DecayRate    float64      `json:"decay_rate"` // points a frame
	DistanceFrom DistanceFrom `json:"distance_from"`
	Aggregation  Aggregation  `json:"aggregation"`

	AnswerMatch AnswerMatch `json:"answer_match"`
	Feedback    Feedback    `json:"feedback"`
	Completion  Completion  `json:"completion"`

	// What came later is left out while it has its default, so that the digests
	// of older rulesets stay.
	ItemOnly   bool       `json:"item_only,omitempty"` // KIS: the right video without a moment is a full answer
	TimeLimits TimeLimits `json:"time_limits,omitzero"`
}

// TimeLimits are the default limits of the types, in seconds. 0: that of all.
type TimeLimits struct {
	KIS float64 `json:"kis"`
	QA  float64 `json:"qa"`
	TR  float64 `json:"tr"`
}

// LimitOf returns the time limit of a question by the rules alone, in seconds.
func (r *Ruleset) LimitOf(q *Question) float64 {
	own := map[Type]float64{KIS: r.TimeLimits.KIS, QA: r.TimeLimits.QA, TR: r.TimeLimits.TR}[q.Type]
	switch {
	case q.TimeLimit > 0:
		return q.TimeLimit
	case own > 0:
		return own
	}
	return r.TimeLimit
}

// QualityOver says over which events the quality of a match is the mean.
type QualityOver string

// The ways to take the mean.
const (
	OverMatched QualityOver = "matched" // over those that were met
	OverAll     QualityOver = "all"     // over all: one that was not met counts 0
)

// DistanceFrom says what a value's distance is measured from, in decay mode.
type DistanceFrom string

// The points of measurement.
const (
	FromMidpoint DistanceFrom = "midpoint" // one value for each event
	FromBoundary DistanceFrom = "boundary" // a pair of values for each event, its start and its end
)

// Aggregation says how the scores of events become one, in decay mode.
type Aggregation string

// The aggregations.
const (
	AggregateMean Aggregation = "mean"
	AggregateMin  Aggregation = "min"
	AggregateSum  Aggregation = "sum"
)

// AnswerMatch says when two answer texts are equal.
type AnswerMatch string

// The ways to compare.
const (
	MatchExact  AnswerMatch = "exact"  // after NFC
	MatchFolded AnswerMatch = "folded" // also without case, accents, blanks and punctuation
)

// Feedback says what a wrong reply shows.
type Feedback string

// The kinds of feedback.
const (
	FeedbackCounts  Feedback = "counts"  // matched and total events
	FeedbackVerdict Feedback = "verdict" // only that it was wrong
)

// Tolerance is how far outside an event a value may lie.
type Tolerance struct {
	KIS float64 `json:"kis"` // milliseconds
	QA  float64 `json:"qa"`  // milliseconds
	TR  float64 `json:"tr"`  // frames
}

// of returns the tolerance of a type, in its unit.
func (t Tolerance) of(kind Type) float64 {
	switch kind {
	case KIS:
		return t.KIS
	case QA:
		return t.QA
	}
	return t.TR
}
