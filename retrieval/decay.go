package retrieval

import "math"

// decay scores the i-th value against the i-th event, or the i-th pair against
// its two boundaries, by its distance in frames. Time and penalties play no
// part.
func (r *Result) decay(rules *Ruleset, question *Question, values []float64, e *Explanation) {
	frame := 1.0 // in the unit of the values
	if question.Type != TR {
		frame = min(math.MaxFloat64, 1000/rules.fpsOf(question))
	}
	tolerance := min(math.MaxFloat64, float64(rules.Tolerance.TR*frame))
	each := 1
	if rules.DistanceFrom == FromBoundary {
		each = 2
	}
	lowest, sum := math.Inf(1), 0.0
	for j, event := range question.Events {
		score := 0.0
		for i := each * j; i < min(each*(j+1), len(values)); i++ {
			target := float64(event.Start)/2 + float64(event.End)/2
			if each == 2 {
				target = float64([]int64{event.Start, event.End}[i%2])
			}
			distance := math.Abs(values[i] - target)
			points := 0.0
			if values[i] >= float64(event.Start)-tolerance && values[i] <= float64(event.End)+tolerance {
				points = max(0, rules.MaxScore-float64(rules.DecayRate*(distance/frame)))
			}
			e.decayed(values[i], j, distance, distance/frame, points)
			score += points / float64(each)
		}
		if score > 0 {
			r.MatchedEvents++
		}
		lowest = min(lowest, score)
		sum += score
		e.event(event, tolerance, score, -1)
	}
	r.TotalEvents = len(question.Events)
	if r.TotalEvents == 0 {
		return
	}
	// Rounding may lift a sum above what all events together can earn.
	sum = min(sum, float64(r.TotalEvents)*rules.MaxScore)
	mean := min(sum/float64(r.TotalEvents), rules.MaxScore)
	switch rules.Aggregation {
	case AggregateMin:
		r.Score = lowest
	case AggregateSum:
		r.Score = sum
	default:
		r.Score = mean
	}
	if rules.MaxScore > 0 {
		r.MatchQuality = mean / rules.MaxScore
	}
	switch r.MatchedEvents {
	case 0:
	case r.TotalEvents:
		r.Correctness, r.CorrectnessFactor = Full, 1
	default:
		r.Correctness, r.CorrectnessFactor = Partial, float64(r.MatchedEvents)/float64(r.TotalEvents)
	}
}
