package exam

import (
	"maps"
	"math"
	"slices"

	"scorebook/diag"
	"scorebook/strict"
)

// ParseSolverResult reads a solver-score output whole and checks that it agrees
// with itself. It returns nil after a fault.
func ParseSolverResult(src *strict.Source, diags *diag.List) *SolverResult {
	var r SolverResult
	if !strict.Decode(src, diags, CodeOutputInvalid, &r) {
		return nil
	}
	fault := faults(src.File(), diags)
	fault(r.Task == "" || r.ReferenceID == "", "task and reference_id must be named")
	fault(r.Kind != Objective && r.Kind != Solve, "kind: found %q", r.Kind)
	fault(r.Direction != Maximize && r.Direction != Minimize, "direction: found %q", r.Direction)
	fault(r.Kind == Solve && r.Direction == Minimize, "found kind solve with direction minimize, expected maximize")
	fault(len(r.Instances) == 0, "instances: found none, expected at least one")
	fault(!(r.RelativeScore >= 0 && r.RelativeScore <= 1), "relative_score: found %v, expected 0 to 1", r.RelativeScore)
	fault(len(r.Instances) != r.EligibleInstances, "found %d instances, but eligible_instances is %d", len(r.Instances), r.EligibleInstances)
	failed, sum := 0, 0.0
	for i, in := range r.Instances {
		fault(i > 0 && r.Instances[i-1].Instance >= in.Instance, "instance %q: found it behind %q, expected each name once and in order", in.Instance, r.Instances[max(0, i-1)].Instance)
		fault(in.ScaleFrom != FromSD && in.ScaleFrom != FromRelative && in.ScaleFrom != FromAbsolute, "instance %q: found scale_from %q", in.Instance, in.ScaleFrom)
		fault(in.Z != nil && (*in.Z > 0 && in.Score < 0.5 || *in.Z < 0 && in.Score > 0.5), "instance %q: z and score contradict each other", in.Instance)
		if in.Status != StatusOK {
			failed++
			fault(!IsFailure(in.Status) || in.Score != 0, "instance %q: found status %q with score %v", in.Instance, in.Status, in.Score)
		}
		sum += in.Score
		fault(!(in.Score >= 0 && in.Score <= 1), "instance %q: found score %v, expected 0 to 1", in.Instance, in.Score)
	}
	fault(len(r.Instances) > 0 && math.Abs(sum/float64(len(r.Instances))-r.RelativeScore) > 1e-12, "relative_score: found %v, which is not the mean of the scores of the instances", r.RelativeScore)
	fault(failed != r.FailedInstances, "found %d failed instances, but failed_instances is %d", failed, r.FailedInstances)
	return &r
}

// ParseIndexResult reads a score output whole and checks that it agrees with
// itself. It returns nil after a fault.
func ParseIndexResult(src *strict.Source, diags *diag.List) *IndexResult {
	var r IndexResult
	if !strict.Decode(src, diags, CodeOutputInvalid, &r) {
		return nil
	}
	fault := faults(src.File(), diags)
	fault(r.Metric != Metric, "metric: found %q, expected %q", r.Metric, Metric)
	fault(r.Suite == "" || len(r.Models) == 0, "suite and models must be given")
	for _, name := range slices.Sorted(maps.Keys(r.Models)) {
		m := r.Models[name]
		if m == nil {
			fault(true, "model %q: found null", name)
			continue
		}
		incomplete := m.Status == Incomplete
		fault(!slices.Contains([]State{Complete, Provisional, Incomplete}, m.Status), "model %q: found status %q", name, m.Status)
		fault(incomplete != (m.Index == nil) || incomplete != (len(m.Issues) > 0), "model %q: status, index and issues contradict each other", name)
		fault(m.Coverage.Observed+len(m.Issues) != m.Coverage.Planned, "model %q: coverage and issues contradict each other", name)
		checkPoints(name, m, fault)
		fault(m.Status == Complete && m.ProvisionalAttempts > 0 || m.Status == Provisional && m.ProvisionalAttempts == 0,
			"model %q: status and provisional_attempts contradict each other", name)
		fault(m.Index != nil && *m.Index < 0, "model %q: found index below 0", name)
	}
	return &r
}

// checkPoints holds the tracks of a model against its index and its coverage.
func checkPoints(name string, m *ModelIndex, fault func(wrong bool, format string, args ...any)) {
	points, coverage := 0.0, Coverage{}
	for _, track := range Tracks {
		t := m.Tracks.Of(track)
		fault(t.Weight != track.Weight(), "model %q: found the weight %d of the track %s, expected %d", name, t.Weight, track, track.Weight())
		fault((t.Mean == nil) != (t.Points == nil) || m.Index != nil && t.Mean == nil, "model %q: mean, points and index contradict each other in the track %s", name, track)
		if t.Mean != nil && t.Points != nil {
			fault(!about(*t.Mean*float64(t.Weight), *t.Points), "model %q: found %v points of the track %s, which is not weight times mean", name, *t.Points, track)
			points += *t.Points
		}
		coverage.Planned += t.Planned
		coverage.Observed += t.Observed
	}
	fault(m.Index != nil && !about(points, *m.Index), "model %q: the index is not the sum of the points of the tracks", name)
	fault(coverage != m.Coverage, "model %q: coverage is not the sum of the tracks", name)
}

// about reports whether two figures that were rounded one by one can be of the
// same exact value.
func about(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// faults returns a function that reports what a whole output gets wrong.
func faults(file string, diags *diag.List) func(wrong bool, format string, args ...any) {
	return func(wrong bool, format string, args ...any) {
		if wrong {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(file), CodeOutputInvalid, format, args...))
		}
	}
}
