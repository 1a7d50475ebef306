package exam

import (
	"math/big"
	"slices"

	"scorebook/diag"
	"scorebook/stat"
	"scorebook/strict"
)

// Explanation is the arithmetic of one instance of a scored task, and what the
// task could have scored at best.
type Explanation struct {
	Result *SolverResult
	Score  InstanceScore
	Values []strict.Number // fixed outcomes, as written
	Given  string          // the candidate's outcome, as written; empty if there is none
	Floors Floors

	RelativeFloor float64 // relative floor times |mu|
	AbsoluteFloor float64
	Contribution  float64 // score over the number of eligible instances
	Ceiling       Ceiling // of the instance
	TaskCeiling   Ceiling // mean over the eligible instances
}

// Ceiling is what a candidate could score at best.
type Ceiling struct {
	// Limit bounds the score of any candidate: 1 where values have no bound,
	// Phi((1-mu)/scale) where solving is all that can be done.
	Limit float64
	// BestKnown is the score of a candidate that equals the best fixed outcome.
	BestKnown float64
}

// Explain computes the arithmetic of one instance. It reports a name that is
// not eligible and whatever ScoreSolver reports; it returns nil after an error.
func Explain(ref *Reference, task *Task, records *Records, instance string, diags *diag.List) *Explanation {
	in := task.Instance(instance)
	if in == nil {
		d := diag.At(task.at.In(ref.File), CodeUnknownEligible, "the task %q has no eligible instance %q", task.Name, instance)
		if _, unscored := slices.BinarySearch(task.Unscored, instance); unscored {
			d = d.WithHint("the reference lists it as unscored")
		} else {
			d = suggest(d, instance, task.InstanceNames())
		}
		diags.Add(d)
	}
	result := ScoreSolver(ref, task, records, diags)
	if in == nil || result == nil {
		return nil
	}
	scale := newScale(in.Values, newFloorLengths(ref.Floors))
	e := &Explanation{
		Result: result, Values: in.Values, Floors: ref.Floors,
		RelativeFloor: stat.Float64(scale.relative), AbsoluteFloor: stat.Float64(scale.absolute),
	}
	limits := make([]stat.Probability, len(task.Instances))
	best := make([]stat.Probability, len(task.Instances))
	for i := range task.Instances {
		limits[i], best[i] = task.ceiling(&task.Instances[i], ref.Floors)
		if result.Instances[i].Instance == instance {
			e.Score = result.Instances[i]
			e.Ceiling = Ceiling{limits[i].Float64(), best[i].Float64()}
		}
	}
	e.TaskCeiling = Ceiling{stat.MeanProbability(limits), stat.MeanProbability(best)}
	r := records.Find(instance)
	if n, ok := r.Value(); ok {
		e.Given = "A = " + string(n)
	} else if solved, ok := r.Solved(); ok {
		e.Given = map[bool]string{true: "solved", false: "not solved"}[solved]
	}
	if a, ok := r.outcome(task.Kind); ok && r.Status.OK() {
		share := make([]stat.Probability, len(task.Instances))
		share[0] = stat.Phi(scale.z(a, task.Direction))
		e.Contribution = stat.MeanProbability(share)
	}
	return e
}

// ceiling returns the best scores of an instance: any candidate's limit, and
// that of the best fixed outcome.
func (t *Task) ceiling(in *Instance, floors Floors) (limit, bestKnown stat.Probability) {
	scale := newScale(in.Values, newFloorLengths(floors))
	best := decimal(in.Values[0])
	for _, v := range in.Values[1:] {
		if x := decimal(v); (x.Cmp(best) > 0) == (t.Direction == Maximize) {
			best = x
		}
	}
	one := big.NewRat(1, 1)
	limit = stat.Exactly(one)
	if t.Kind == Solve {
		limit = stat.Phi(scale.z(one, t.Direction))
	}
	return limit, stat.Phi(scale.z(best, t.Direction))
}
