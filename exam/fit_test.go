package exam_test

import (
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

// shared is a reference of four tasks, the first three of which share
// instances.
const shared = `{"reference_id": "r", "scale_floors": {"relative": 0, "absolute": 1}, "tasks": {
	"large": {"kind": "objective", "direction": "maximize", "instances": {"a": [1, 2], "b": [1, 2], "c": [1, 2]}, "unscored_reference_instances": ["u"]},
	"solve": {"kind": "solve", "direction": "maximize", "instances": {"a": [0, 1], "b": [1, 1]}},
	"small": {"kind": "objective", "direction": "minimize", "instances": {"a": [1, 2], "b": [1, 2]}},
	"other": {"kind": "objective", "direction": "minimize", "instances": {"z": [1, 2]}}}}`

func TestFitRecordsFindsTheTaskThatTheyFit(t *testing.T) {
	ok := func(name string) row { return row{name: name, status: "ok", value: "5"} }
	solved := func(name string) row { return row{name: name, status: "ok", solved: "true"} }
	failed := row{name: "a", status: "ok", value: "7"}
	for _, test := range []struct {
		name    string
		records []row
		task    string
		want    []string
	}{
		{"all of the larger", []row{ok("a"), ok("b"), ok("c")}, "large", nil},
		{"all of the larger and an unscored one", []row{ok("a"), ok("b"), ok("c"), ok("u")}, "large", nil},
		{"all of the smaller", []row{ok("a"), ok("b")}, "small", nil},
		{"the outcomes tell", []row{solved("a"), solved("b")}, "solve", nil},
		{"another one", []row{ok("z")}, "other", nil},
		{"one is missing everywhere", []row{ok("b")}, "small", []string{"records/missing-instance"}},
		{"more than one knows", []row{failed, ok("b"), ok("c"), ok("y")}, "large", []string{"records/unknown-instance"}},
		{"unscored ones only", []row{ok("u")}, "", []string{"check/unfit"}},
		{"unknown ones only", []row{ok("A")}, "", []string{"check/unfit"}},
		{"none", nil, "", []string{"check/unfit"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ref := parse(t, shared, exam.ParseReference)
			var diags diag.List
			task := ref.FitRecords(parse(t, records(test.records), exam.ParseRecords), &diags)
			got := ""
			if task != nil {
				got = task.Name
			}
			if got != test.task || !slices.Equal(codes(&diags), test.want) {
				t.Errorf("got %q, want %q with %q\n%s", got, test.task, test.want, diags.Text())
			}
		})
	}
}

func TestOutputsFitWhatTheyWereComputedFrom(t *testing.T) {
	s := plain("0", "1", "1", "1", "2")
	ref := parse(t, s.reference(s.rows), exam.ParseReference)
	suite := parse(t, small().suite(), exam.ParseSuite)
	solver := func(change func(r *exam.SolverResult)) func(*diag.List) {
		r := s.score(t)
		r.Provenance.ReferenceSHA256 = ref.Digest()
		change(r)
		return func(diags *diag.List) { r.CheckReference("out", ref, diags) }
	}
	index := func(change func(r *exam.IndexResult)) func(*diag.List) {
		r := small().index(t)
		r.Provenance.SuiteSHA256 = suite.Digest()
		change(r)
		return func(diags *diag.List) { r.CheckSuite("out", suite, diags) }
	}
	for _, test := range []struct {
		name, message string // empty: fits
		check         func(*diag.List)
	}{
		{"solver output", "", solver(func(*exam.SolverResult) {})},
		{"solver output without provenance", "", solver(func(r *exam.SolverResult) { r.Provenance = exam.Provenance{} })},
		{"of another reference", "reference_id", solver(func(r *exam.SolverResult) { r.ReferenceID = "R" })},
		{"of another task", `the task "T"`, solver(func(r *exam.SolverResult) { r.Task = "T" })},
		{"of a changed reference", "reference_sha256", solver(func(r *exam.SolverResult) { r.Provenance.ReferenceSHA256 = "0" })},
		{"of other instances", "are not those", solver(func(r *exam.SolverResult) { r.Instances[0].Instance = "b" })},
		{"of fewer instances", "are not those", solver(func(r *exam.SolverResult) { r.Instances = nil })},
		{"score output", "", index(func(*exam.IndexResult) {})},
		{"score output without provenance", "", index(func(r *exam.IndexResult) { r.Provenance = exam.Provenance{} })},
		{"of another suite", "found suite", index(func(r *exam.IndexResult) { r.Suite = "S" })},
		{"of another reference id", "solver_reference_id", index(func(r *exam.IndexResult) { r.ReferenceID = "R" })},
		{"of a changed manifest", "suite_sha256", index(func(r *exam.IndexResult) { r.Provenance.SuiteSHA256 = "0" })},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			test.check(&diags)
			if test.message == "" {
				if !diags.OK() {
					t.Error(diags.Text())
				}
				return
			}
			if d := one(t, &diags, exam.CodeUnfit); !strings.Contains(d.Message, test.message) || len(d.Related) != 1 {
				t.Errorf("want %q, got %s", test.message, d.Text())
			}
		})
	}
}

func TestFilesOfOneReleaseFitEachOther(t *testing.T) {
	manifest := small().suite()
	reference := func(id, task string) string {
		return `{"reference_id": "` + id + `", "scale_floors": {"relative": 0, "absolute": 1}, "tasks": {"` + task +
			`": {"kind": "solve", "direction": "maximize", "instances": {"a": [0, 1]}}}}`
	}
	replaced := func(old, by string) string { return strings.Replace(small().cohort(), old, by, 1) }
	for _, test := range []struct {
		name, reference, cohort, asked string
		want                           []string
	}{
		{"all fit", reference("r", "so"), small().cohort(), "s", nil},
		{"given by path", reference("r", "so"), small().cohort(), "", nil},
		{"reference of another id", reference("R", "so"), small().cohort(), "s", []string{"suite/reference"}},
		{"reference without the task", reference("r", "SO"), small().cohort(), "s", []string{"suite/reference"}},
		{"cohort of another suite", reference("r", "so"), replaced(`"suite": "s"`, `"suite": "S"`), "s", []string{"cohort/suite"}},
		{"cohort of another reference", reference("r", "so"), replaced(`"r"`, `"R"`), "s", []string{"cohort/reference"}},
		{"asked for another suite", reference("r", "so"), small().cohort(), "S", []string{"suite/invalid", "cohort/suite"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			suite := parse(t, manifest, exam.ParseSuite)
			if test.asked != "" {
				suite.CheckName(test.asked, &diags)
			}
			suite.CheckReference(parse(t, test.reference, exam.ParseReference), &diags)
			parse(t, test.cohort, exam.ParseCohort).CheckSuite(suite, test.asked, &diags)
			got := codes(&diags)
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}
