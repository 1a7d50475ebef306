package exam

import (
	"math"
	"math/big"
	"slices"

	"scorebook/diag"
	"scorebook/strict"
)

// SolverResult is what solver-score publishes for one attempt at a task. Its
// encoding is the output format; floats are the nearest to the exact values.
type SolverResult struct {
	Task              string          `json:"task"`
	Suite             string          `json:"suite,omitzero"` // if known
	ReferenceID       string          `json:"reference_id"`
	Kind              Kind            `json:"kind"`
	Direction         Direction       `json:"direction"`
	RelativeScore     float64         `json:"relative_score"` // mean of the exact scores, 0 to 1
	EligibleInstances int             `json:"eligible_instances"`
	FailedInstances   int             `json:"failed_instances"`
	Instances         []InstanceScore `json:"instances"` // by name
	UnscoredInstances []string        `json:"unscored_instances"`
	Warnings          []string        `json:"warnings"`
	Provenance        Provenance      `json:"provenance"`
}

// InstanceScore is the score of one eligible instance with its arithmetic.
type InstanceScore struct {
	Instance  string      `json:"instance"`
	Status    string      `json:"status"`
	Value     *float64    `json:"value"` // A, or 1 and 0 for solved; null if there is none
	Mu        float64     `json:"mu"`
	S         float64     `json:"s"`
	Scale     float64     `json:"scale"`
	ScaleFrom ScaleSource `json:"scale_from"`
	Z         *float64    `json:"z"` // null for a failure
	Score     float64     `json:"score"`
}

// Provenance says what a result was computed from. The digests are of the
// facts: see [Records.Digest]. It holds no time, so equal inputs give equal
// bytes.
type Provenance struct {
	Tool            string `json:"tool"`
	Version         string `json:"version"`
	RecordsSHA256   string `json:"records_sha256,omitzero"`
	ReferenceSHA256 string `json:"reference_sha256,omitzero"`
	SuiteSHA256     string `json:"suite_sha256,omitzero"`
	AttemptsSHA256  string `json:"attempts_sha256,omitzero"`
	CohortSHA256    string `json:"cohort_sha256,omitzero"`
}

// ScoreSolver computes the relative score of the records against a task of the
// reference: the mean of Phi(z) over the eligible instances, where a failure
// counts 0. It reports what does not fit; the result is nil unless diags holds
// no error.
func ScoreSolver(ref *Reference, task *Task, records *Records, diags *diag.List) *SolverResult {
	result := &SolverResult{
		Task: task.Name, ReferenceID: ref.ID, Kind: task.Kind, Direction: task.Direction,
		EligibleInstances: len(task.Instances),
	}
	matched := match(task, records, diags)
	for _, m := range matched.extra {
		result.UnscoredInstances = append(result.UnscoredInstances, m.Instance())
	}
	result.Warnings = matched.warnings
	if !diags.OK() {
		return nil
	}
	s := solver{task: task, floors: newFloorLengths(ref.Floors), records: matched.records, scores: make([]InstanceScore, len(task.Instances))}
	mean := s.score()
	for i := range s.scores {
		score, in, r := &s.scores[i], &task.Instances[i], matched.records[i]
		if math.IsInf(score.Scale, 0) || math.IsInf(score.S, 0) {
			diags.Add(diag.At(in.at.In(ref.File), CodeReferenceInvalid,
				"instance %q: its scale is outside float64, expected values that are less far apart or a smaller floor", in.Name))
		}
		switch {
		case !r.Status.OK():
			result.FailedInstances++
		case score.Z == nil:
			d := diag.At(r.at.In(records.File), CodeZRange, "instance %q: z is outside float64 and left out", in.Name)
			diags.Add(d)
			result.Warnings = append(result.Warnings, d.Message)
		}
	}
	if !diags.OK() {
		return nil
	}
	result.Instances = s.scores
	result.RelativeScore = mean.Float64(s.probabilities)
	slices.Sort(result.Warnings)
	return result
}

// outcome returns the value of a record, or ok false if it carries none that
// the kind of task knows.
func (r *Record) outcome(kind Kind) (a *big.Rat, ok bool) {
	if n, ok := r.Value(); ok {
		return decimal(n), true
	}
	if solved, ok := r.Solved(); ok && kind == Solve {
		if solved {
			return big.NewRat(1, 1), true
		}
		return new(big.Rat), true
	}
	return nil, false
}

// matching pairs the instances of a task with records.
type matching struct {
	records  []*Record // one for each eligible instance; meaningless if one is missing
	extra    []*Record // the other records
	warnings []string
}

// match finds the record of each eligible instance and checks that it fits the
// task. Both sides are sorted by instance.
func match(task *Task, records *Records, diags *diag.List) matching {
	m := matching{records: make([]*Record, len(task.Instances))}
	warn := func(d diag.Diagnostic) {
		diags.Add(d)
		m.warnings = append(m.warnings, d.Message)
	}
	next := 0
	names := task.InstanceNames() // to suggest from
	extra := func(r *Record) {
		m.extra = append(m.extra, r)
		if _, known := slices.BinarySearch(task.Unscored, r.Instance()); !known {
			d := diag.At(r.at.In(records.File), CodeUnknownInstance, "the instance %q is unknown to the reference and not scored", r.Instance())
			if diags.Warnings() < diag.MaxKept {
				if near, ok := strict.Nearest(r.Instance(), names); ok {
					d = d.WithHint("did you mean %q?", near)
				}
			}
			warn(d)
		}
	}
	for i := range task.Instances {
		in := &task.Instances[i]
		for ; next < records.Len() && records.At(next).Instance() < in.Name; next++ {
			extra(records.At(next))
		}
		if next == records.Len() || records.At(next).Instance() != in.Name {
			if records.whole {
				diags.Add(diag.At(records.end.In(records.File), CodeMissingInstance, "the list ends without a record of the instance %q", in.Name))
			}
			continue
		}
		r := records.At(next)
		next++
		m.records[i] = r
		if r.faulty {
			continue
		}
		if d, ok := unusable(r, task, records.File); ok {
			diags.Add(d)
		} else if a, ok := r.outcome(task.Kind); ok && task.Kind == Solve && r.Status.OK() && a.Sign() == 0 {
			warn(diag.At(r.at.In(records.File), CodeUnsolvedOK, "the instance %q is unsolved with status ok: it counts as the value 0, not as a failure", r.Instance()))
		}
	}
	for ; next < records.Len(); next++ {
		extra(records.At(next))
	}
	return m
}

// unusable returns what is wrong with a valid record as an outcome of the task.
func unusable(r *Record, task *Task, file string) (diag.Diagnostic, bool) {
	if !r.Status.OK() {
		return diag.Diagnostic{}, false
	}
	n, hasValue := r.Value()
	_, hasSolved := r.Solved()
	switch {
	case task.Kind == Objective && !hasValue && hasSolved:
		return diag.At(r.at.In(file), CodeRecordsValue, "instance %q: found solved, expected A in an objective task", r.Instance()), true
	case task.Kind == Solve && hasValue && !isIndicator(n):
		return diag.At(r.at.In(file), CodeRecordsValue, "instance %q: found A %s, expected 0, 1 or solved in a solve task", r.Instance(), n), true
	}
	return diag.Diagnostic{}, false
}
