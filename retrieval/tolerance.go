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
	open := make(map[float64][]int, 2*len(question.Events)) // boundaries that are not met yet
	for j, event := range question.Events {
		open[float64(event.Start)] = append(open[float64(event.Start)], 2*j)
		open[float64(event.End)] = append(open[float64(event.End)], 2*j+1)
	}
	met := make([]int, len(question.Events))
	for _, value := range values {
		left := open[value]
		if len(left) == 0 {
			e.value(value, -1, math.Inf(1), 0)
			continue
		}
		open[value] = left[1:]
		met[left[0]/2]++
		r.MatchedEvents++
		e.value(value, left[0]/2, 0, 1)
	}
	for j, event := range question.Events {
		e.event(event, 0, float64(met[j])/2, -1)
	}
	r.TotalEvents = 2 * len(question.Events)
	r.MatchQuality = 1
	r.factor(rules, question.Type, 1)
	if r.Correctness == Incorrect {
		r.CorrectnessFactor = 0
	}
}
