package exam

import (
	"slices"

	"scorebook/diag"
	"scorebook/strict"
)

// FitRecords finds the task that the records are of: of those that they have an
// instance of, the one with the fewest faults and unknown instances, and of
// several the one with the most instances. It reports its faults, or that there
// is no such task.
func (r *Reference) FitRecords(records *Records, diags *diag.List) *Task {
	var best *Task
	fewest := 0
	for _, t := range r.Tasks {
		if !t.knowsAny(records) {
			continue
		}
		var faults diag.List
		match(t, records, &faults)
		doubts := faults.Errors() + faults.Warnings()
		if best == nil || doubts < fewest || doubts == fewest && len(t.Instances) > len(best.Instances) {
			best, fewest = t, doubts
		}
	}
	if best == nil {
		diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(records.File), CodeUnfit, "found no instance of any task in the reference %q", r.ID).
			WithRelated(r.at.In(r.File), "the reference"))
		return nil
	}
	match(best, records, diags)
	return best
}

// knowsAny reports whether an eligible instance has a record.
func (t *Task) knowsAny(records *Records) bool {
	for i := range records.Len() {
		if t.Instance(records.At(i).Instance()) != nil {
			return true
		}
	}
	return false
}

// CheckReference reports where a solver-score output, read from file, does not
// fit a reference.
func (r *SolverResult) CheckReference(file string, ref *Reference, diags *diag.List) {
	unfit := unfitter(file, ref.at.In(ref.File), "the reference", diags)
	if unfit(r.ReferenceID != ref.ID, "found reference_id %q, but the reference is %q", r.ReferenceID, ref.ID) {
		return
	}
	task := ref.Task(r.Task)
	if unfit(task == nil, "found the task %q, which the reference does not have", r.Task) {
		return
	}
	names := make([]string, len(r.Instances))
	for i := range r.Instances {
		names[i] = r.Instances[i].Instance
	}
	if unfit(r.Provenance.ReferenceSHA256 != "" && r.Provenance.ReferenceSHA256 != ref.Digest(),
		"it was computed against another reference with the id %q: reference_sha256 differs", ref.ID) {
		return
	}
	unfit(!slices.Equal(names, task.InstanceNames()), "the instances of the task %q are not those of the reference", r.Task)
}

// CheckSuite reports where a score output, read from file, does not fit a
// manifest.
func (r *IndexResult) CheckSuite(file string, suite *Suite, diags *diag.List) {
	unfit := unfitter(file, suite.nameAt.In(suite.File), "the manifest", diags)
	unfit(r.Suite != suite.Name, "found suite %q, but the manifest is of %q", r.Suite, suite.Name)
	unfit(r.ReferenceID != suite.ReferenceID, "found solver_reference_id %q, but the manifest has %q", r.ReferenceID, suite.ReferenceID)
	unfit(r.Provenance.SuiteSHA256 != "" && r.Provenance.SuiteSHA256 != suite.Digest(), "it was computed with another manifest of the suite %q: suite_sha256 differs", suite.Name)
}

// CheckFacts reports a score output, read from file, that was computed from
// other attempts or another cohort than those given. Either may be nil.
func (r *IndexResult) CheckFacts(file string, attempts *Attempts, cohort *Cohort, diags *diag.List) {
	if attempts != nil {
		unfit := unfitter(file, strict.Place{Line: 1, Column: 1}.In(attempts.File), "the attempts", diags)
		unfit(r.Provenance.AttemptsSHA256 != "" && r.Provenance.AttemptsSHA256 != attempts.Digest(), "it was computed from other attempts: attempts_sha256 differs")
	}
	if cohort != nil {
		unfit := unfitter(file, cohort.suiteAt.In(cohort.File), "the cohort", diags)
		unfit(r.Provenance.CohortSHA256 != "" && r.Provenance.CohortSHA256 != cohort.Digest(), "it was computed with another cohort: cohort_sha256 differs")
	}
}

func unfitter(file string, other diag.Position, what string, diags *diag.List) func(wrong bool, format string, args ...any) bool {
	return func(wrong bool, format string, args ...any) bool {
		if wrong {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(file), CodeUnfit, format, args...).WithRelated(other, "%s", what))
		}
		return wrong
	}
}
