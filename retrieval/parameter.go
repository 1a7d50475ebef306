package retrieval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"scorebook/strict"
)

// Bounds on the parameters of a ruleset.
const (
	maxPoints    = 1e9     // of a score
	maxTimeLimit = 86400   // seconds
	maxBuffer    = 3600    // seconds
	maxTolerance = 1 << 53 // milliseconds or frames
	maxFPS       = 1000    // frames a second
)

// Which modes use a parameter.
var (
	everyMode   = []Mode{ModeTolerance, ModeExact, ModeDecay}
	formulaMode = []Mode{ModeTolerance, ModeExact}
)

// parameter is a parameter of a ruleset as files name it. A name with a point is
// one within an object.
type parameter struct {
	name  string
	modes []Mode
	read  func(*Ruleset, *strict.Node)
	check func(*Ruleset) string // what is wrong with the value by itself, or ""
	text  func(*Ruleset) string // as files have it
}

// parameters are all parameters but the name, in the order of their writing.
var parameters = []parameter{
	word("mode", everyMode, func(r *Ruleset) *Mode { return &r.Mode }, everyMode...),
	quantity("p_max", formulaMode, span{maxPoints, false}, func(r *Ruleset) *float64 { return &r.PMax }),
	quantity("p_base", formulaMode, span{maxPoints, false}, func(r *Ruleset) *float64 { return &r.PBase }),
	quantity("p_penalty", formulaMode, span{maxPoints, false}, func(r *Ruleset) *float64 { return &r.PPenalty }),
	quantity("time_limit", everyMode, span{maxTimeLimit, true}, func(r *Ruleset) *float64 { return &r.TimeLimit }),
	quantity("buffer", everyMode, span{maxBuffer, false}, func(r *Ruleset) *float64 { return &r.Buffer }),
	quantity("tolerance.kis", []Mode{ModeTolerance}, span{maxTolerance, false}, func(r *Ruleset) *float64 { return &r.Tolerance.KIS }),
	quantity("tolerance.qa", []Mode{ModeTolerance}, span{maxTolerance, false}, func(r *Ruleset) *float64 { return &r.Tolerance.QA }),
	quantity("tolerance.tr", []Mode{ModeTolerance, ModeDecay}, span{maxTolerance, false}, func(r *Ruleset) *float64 { return &r.Tolerance.TR }),
	word("quality_over", []Mode{ModeTolerance}, func(r *Ruleset) *QualityOver { return &r.QualityOver }, OverMatched, OverAll),
	quantity("partial_threshold", formulaMode, span{1, true}, func(r *Ruleset) *float64 { return &r.PartialThreshold }),
	quantity("partial_factor", formulaMode, span{1, false}, func(r *Ruleset) *float64 { return &r.PartialFactor }),
	quantity("fps", everyMode, span{maxFPS, true}, func(r *Ruleset) *float64 { return &r.FPS }),
	quantity("max_score", []Mode{ModeDecay}, span{maxPoints, false}, func(r *Ruleset) *float64 { return &r.MaxScore }),
	quantity("decay_rate", []Mode{ModeDecay}, span{maxPoints, false}, func(r *Ruleset) *float64 { return &r.DecayRate }),
	word("distance_from", []Mode{ModeDecay}, func(r *Ruleset) *DistanceFrom { return &r.DistanceFrom }, FromMidpoint, FromBoundary),
	word("aggregation", []Mode{ModeDecay}, func(r *Ruleset) *Aggregation { return &r.Aggregation }, AggregateMean, AggregateMin, AggregateSum),
	word("answer_match", everyMode, func(r *Ruleset) *AnswerMatch { return &r.AnswerMatch }, MatchExact, MatchFolded),
	word("feedback", everyMode, func(r *Ruleset) *Feedback { return &r.Feedback }, FeedbackCounts, FeedbackVerdict),
	word("completion", everyMode, func(r *Ruleset) *Completion { return &r.Completion }, FirstCorrect, Best),
	flag("item_only", everyMode, func(r *Ruleset) *bool { return &r.ItemOnly }),
	quantity("time_limits.kis", everyMode, span{maxTimeLimit, false}, func(r *Ruleset) *float64 { return &r.TimeLimits.KIS }),
	quantity("time_limits.qa", everyMode, span{maxTimeLimit, false}, func(r *Ruleset) *float64 { return &r.TimeLimits.QA }),
	quantity("time_limits.tr", everyMode, span{maxTimeLimit, false}, func(r *Ruleset) *float64 { return &r.TimeLimits.TR }),
}

func (p parameter) used(mode Mode) bool { return slices.Contains(p.modes, mode) }

// span is what a quantity may be.
type span struct {
	most     float64
	positive bool // 0 is not in it
}

func (s span) String() string {
	if s.positive {
		return "more than 0 and at most " + number(s.most)
	}
	return "0 to " + number(s.most)
}

// quantity is a number within a span.
func quantity(name string, modes []Mode, span span, field func(*Ruleset) *float64) parameter {
	return parameter{
		name: name, modes: modes,
		read: func(r *Ruleset, n *strict.Node) {
			value, ok := n.Number(name, -math.MaxFloat64, math.MaxFloat64)
			if value == 0 {
				value = 0 // not -0, which is written otherwise
			}
			if ok {
				*field(r) = value
			}
		},
		check: func(r *Ruleset) string {
			if value := *field(r); !(value >= 0 && value <= span.most) || span.positive && value == 0 {
				return fmt.Sprintf("found %s, expected %s", number(value), span)
			}
			return ""
		},
		text: func(r *Ruleset) string { return number(*field(r)) },
	}
}

// flag is true or false.
func flag(name string, modes []Mode, field func(*Ruleset) *bool) parameter {
	return parameter{
		name: name, modes: modes,
		read: func(r *Ruleset, n *strict.Node) {
			if value, ok := n.Bool(name); ok {
				*field(r) = value
			}
		},
		check: func(*Ruleset) string { return "" },
		text:  func(r *Ruleset) string { return strconv.FormatBool(*field(r)) },
	}
}

// word is one of a few words.
func word[T ~string](name string, modes []Mode, field func(*Ruleset) *T, words ...T) parameter {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return parameter{
		name: name, modes: modes,
		read: func(r *Ruleset, n *strict.Node) {
			if text, ok := n.Word(name, texts...); ok {
				*field(r) = T(text)
			}
		},
		check: func(r *Ruleset) string {
			if !slices.Contains(words, *field(r)) {
				return fmt.Sprintf("found %.80q, expected one of %s", *field(r), strings.Join(texts, ", "))
			}
			return ""
		},
		text: func(r *Ruleset) string { return string(*field(r)) },
	}
}
