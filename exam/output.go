package exam

import (
	"math"
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// Evidence is what a solver-score output claims.
type Evidence struct {
	File          string
	Task          string
	ReferenceID   string
	RelativeScore strict.Number
	at            strict.Place
}

// ParseEvidence reads from a solver-score output what an attempt's score is
// held against. It reports every fault.
func ParseEvidence(src *strict.Source, diags *diag.List) *Evidence {
	e := &Evidence{File: src.File()}
	shape := strict.NewShape("solver-score output",
		strict.Field{Name: "task", Read: func(j *strict.JSON) { e.Task = readName(j, "task", CodeOutputInvalid) }},
		strict.Field{Name: "reference_id", Read: func(j *strict.JSON) { e.ReferenceID = readName(j, "reference_id", CodeOutputInvalid) }},
		strict.Field{Name: "relative_score", Read: func(j *strict.JSON) {
			e.RelativeScore, e.at, _ = j.Number(CodeOutputInvalid, "relative_score")
		}},
	)
	shape.Others = true
	j := strict.NewJSON(src, diags, CodeOutputInvalid)
	j.Object(shape)
	j.End()
	return e
}

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
	fault(!(r.RelativeScore >= 0 && r.RelativeScore <= 1), "relative_score: found %v, expected 0 to 1", r.RelativeScore)
	fault(len(r.Instances) != r.EligibleInstances, "found %d instances, but eligible_instances is %d", len(r.Instances), r.EligibleInstances)
	failed, sum := 0, 0.0
	for _, in := range r.Instances {
		if in.Status != StatusOK {
			failed++
			fault(!IsFailure(in.Status) || in.Score != 0, "instance %q: found status %q with score %v", in.Instance, in.Status, in.Score)
		}
		sum += in.Score
		fault(!(in.Score >= 0 && in.Score <= 1), "instance %q: found score %v, expected 0 to 1", in.Instance, in.Score)
	}
	fault(!about(sum, r.RelativeScore*float64(len(r.Instances))), "relative_score: found %v, which is not the mean of the scores of the instances", r.RelativeScore)
	fault(failed != r.FailedInstances, "found %d failed instances, but failed_instances is %d", failed, r.FailedInstances)
	fault(!slices.IsSortedFunc(r.Instances, func(a, b InstanceScore) int { return strings.Compare(a.Instance, b.Instance) }), "the instances are not sorted")
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
	for name, m := range r.Models {
		if m == nil {
			fault(true, "model %q: found null", name)
			continue
		}
		incomplete := m.Status == Incomplete
		fault(!slices.Contains([]State{Complete, Provisional, Incomplete}, m.Status), "model %q: found status %q", name, m.Status)
		fault(incomplete != (m.Index == nil) || incomplete != (len(m.Issues) > 0), "model %q: status, index and issues contradict each other", name)
		fault(m.Coverage.Observed+len(m.Issues) != m.Coverage.Planned, "model %q: coverage and issues contradict each other", name)
		if m.Index != nil {
			points := 0.0
			for _, track := range Tracks {
				t := m.Tracks.Of(track)
				fault(t.Points == nil || t.Mean == nil, "model %q: found an index, but no mean of the track %s", name, track)
				if t.Points != nil {
					points += *t.Points
				}
			}
			fault(!about(points, *m.Index), "model %q: found index %v, which is not the sum of the points of the tracks", name, *m.Index)
		}
		fault(m.Index != nil && (math.IsInf(*m.Index, 0) || *m.Index < 0), "model %q: found index below 0", name)
	}
	return &r
}

// about reports whether two figures that were rounded one by one can be of the
// same exact value.
func about(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// faults returns a function that reports what a whole output gets wrong.
func faults(file string, diags *diag.List) func(wrong bool, format string, args ...any) {
	return func(wrong bool, format string, args ...any) {
		if wrong {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(file), CodeOutputInvalid, format, args...))
		}
	}
}
