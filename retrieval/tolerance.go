package retrieval

import "math"

// tolerance matches each value with the event that gives it the highest
// quality; each event keeps the best quality it got.
func (r *Result) tolerance(rules *Ruleset, question *Question, values []float64, e *Explanation) {
	tolerance := rules.Tolerance.of(question.Type)
	kept := make([]float64, len(question.Events)) // 0: no value met the event
	by := make([]int, len(question.Events))
	for i, value := range values {
		best, quality, distance := -1, 0.0, math.Inf(1)
		for j, event := range question.Events {
			q, d := Quality(event, tolerance, value)
			if q > quality {
				best, quality, distance = j, q, d
			}
		}
		if best >= 0 && quality > kept[best] {
			kept[best], by[best] = quality, i
		}
		e.value(value, best, distance, quality)
	}
	sum := 0.0
	for j, quality := range kept {
		if quality > 0 {
			r.MatchedEvents++
			sum += quality
		}
		e.event(question.Events[j], tolerance, quality, by[j])
	}
	r.TotalEvents = len(question.Events)
	over := r.MatchedEvents
	if rules.QualityOver == OverAll {
		over = r.TotalEvents
	}
	if r.MatchedEvents > 0 {
		r.MatchQuality = min(1, sum/float64(over))
	}
	r.factor(rules, question.Type, r.MatchQuality)
}

// Quality returns how well a value meets an event, from 0.5 at the edge of the
// window to 1 in its middle, or 0 outside, and its distance from the middle.
func Quality(event Event, tolerance, value float64) (quality, distance float64) {
	// Twice the middle is whole and exact; halves are exact below 2^52.
	middle := float64(event.Start)/2 + float64(event.End)/2
	most := float64(event.End-event.Start)/2 + tolerance
	distance = math.Abs(value - middle)
	switch {
	case distance > most:
		return 0, distance
	case most == 0:
		return 1, distance
	}
	return 1 - float64(0.5*distance)/most, distance
}

// factor sets correctness and its factor from matched and total.
func (r *Result) factor(rules *Ruleset, kind Type, quality float64) {
	switch {
	case r.TotalEvents == 0 || r.MatchedEvents == 0:
	case r.MatchedEvents == r.TotalEvents:
		r.Correctness, r.CorrectnessFactor = Full, quality
	case kind == TR && float64(r.MatchedEvents)/float64(r.TotalEvents) >= rules.PartialThreshold:
		r.Correctness, r.CorrectnessFactor = Partial, quality*rules.PartialFactor
	}
	if r.CorrectnessFactor == 0 {
		r.Correctness = Incorrect
	}
}

// exact counts the boundaries that were sent, each as often as it occurs.
func (r *Result) exact(rules *Ruleset, question *Question, values []float64, e *Explanation) {
	met := make([][2]bool, len(question.Events)) // start and end
	for _, value := range values {
		j, side := openBoundary(question.Events, met, value)
		if j < 0 {
			e.value(value, -1, math.Inf(1), 0)
			continue
		}
		met[j][side] = true
		r.MatchedEvents++
		e.value(value, j, 0, 1)
	}
	for j, event := range question.Events {
		e.event(event, 0, share(met[j]), -1)
	}
	r.TotalEvents = 2 * len(question.Events)
	r.MatchQuality = 1
	r.factor(rules, question.Type, 1)
}

// openBoundary finds the first boundary at a value that is not met yet: the
// index of its event, or -1, and 0 for the start or 1 for the end.
func openBoundary(events []Event, met [][2]bool, value float64) (index, side int) {
	for j, event := range events {
		switch {
		case float64(event.Start) == value && !met[j][0]:
			return j, 0
		case float64(event.End) == value && !met[j][1]:
			return j, 1
		}
	}
	return -1, 0
}

// share is how much of its boundaries an event got.
func share(met [2]bool) float64 {
	switch met {
	case [2]bool{true, true}:
		return 1
	case [2]bool{}:
		return 0
	}
	return 0.5
}
