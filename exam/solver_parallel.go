package exam

import (
	"math"
	"math/big"
	"runtime"
	"sync"

	"scorebook/stat"
)

// solver scores the instances of a task, each by itself: no figure depends on who
// computes it, or in which order.
type solver struct {
	task    *Task
	floors  floorLengths
	records []*Record // one for each instance
	scores  []InstanceScore
}

// score fills the scores, on as many processors as there are, and returns their
// mean.
func (s *solver) score() *stat.RunningMean {
	const chunk = 512
	var mu sync.Mutex
	var workers sync.WaitGroup
	mean, next := &stat.RunningMean{}, 0
	take := func() (from, to int) {
		mu.Lock()
		defer mu.Unlock()
		from = next
		next = min(next+chunk, len(s.scores))
		return from, next
	}
	for range min(runtime.GOMAXPROCS(0), 1+len(s.scores)/chunk) {
		workers.Go(func() {
			var own stat.RunningMean
			for from, to := take(); from < to; from, to = take() {
				for i := from; i < to; i++ {
					var p stat.Probability
					s.scores[i], p = s.instance(i)
					own.Add(p)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			mean.Join(&own)
		})
	}
	workers.Wait()
	return mean
}

// probabilities returns the exact scores of all instances.
func (s *solver) probabilities() []stat.Probability {
	all := make([]stat.Probability, len(s.scores))
	for i := range all {
		_, all[i] = s.instance(i)
	}
	return all
}

// instance scores one instance. Z is nil for a failure, and if it is outside
// float64.
func (s *solver) instance(i int) (InstanceScore, stat.Probability) {
	in, r := &s.task.Instances[i], s.records[i]
	scale := newScale(in.Values, s.floors)
	score := InstanceScore{
		Instance: in.Name, Status: r.Status.String(),
		Mu: stat.Float64(scale.mu), S: scale.s(), ScaleFrom: scale.from,
	}
	if score.Scale = score.S; scale.from != FromSD {
		score.Scale = scale.length()
	}
	var a *big.Rat
	if value, ok := r.outcome(s.task.Kind); ok {
		a = value
		score.Value = new(stat.Float64(a))
	}
	if !r.Status.OK() {
		return score, stat.Probability{}
	}
	z := scale.z(a, s.task.Direction)
	p := stat.Phi(z)
	score.Score = p.Float64()
	if f := z.Float64(); !math.IsInf(f, 0) {
		score.Z = &f
	}
	return score, p
}
