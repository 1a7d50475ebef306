package exam_test

import (
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

// plain is a sheet of an objective task with one instance.
func plain(relative, absolute, value string, values ...string) sheet {
	return sheet{
		kind: "objective", direction: "maximize", relative: relative, absolute: absolute,
		rows: []row{{name: "a", values: values, status: "ok", value: value}},
	}
}

func TestOfEqualScalesTheFirstIsNamed(t *testing.T) {
	for _, test := range []struct {
		name  string
		sheet sheet
		from  exam.ScaleSource
		scale float64
	}{
		{"all three", plain("0.02", "1", "0", "49", "50", "51"), exam.FromSD, 1},
		{"sd and relative", plain("0.02", "1e-9", "0", "49", "50", "51"), exam.FromSD, 1},
		{"sd and absolute", plain("0", "1", "0", "49", "50", "51"), exam.FromSD, 1},
		{"relative and absolute", plain("0.02", "1", "0", "50", "50"), exam.FromRelative, 1},
		{"relative is a little more than sd", plain("0.0200000000000000000000000001", "1", "0", "49", "50", "51"), exam.FromRelative, 1},
		{"absolute is a little more than sd", plain("0.02", "1.0000000000000000000000000001", "0", "49", "50", "51"), exam.FromAbsolute, 1},
		{"absolute alone", plain("0.02", "1e-9", "0", "0", "-0"), exam.FromAbsolute, 1e-9},
		{"relative floor of a negative mean", plain("0.02", "1e-9", "0", "-100", "-100"), exam.FromRelative, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if in := test.sheet.score(t).Instances[0]; in.ScaleFrom != test.from || in.Scale != test.scale {
				t.Errorf("got %v from %s, want %v from %s", in.Scale, in.ScaleFrom, test.scale, test.from)
			}
		})
	}
}

// attempted scores a sheet that need not be without fault.
func attempted(t *testing.T, s sheet) (*exam.SolverResult, *diag.List) {
	t.Helper()
	var diags diag.List
	ref := parse(t, s.reference(s.rows), exam.ParseReference)
	result := exam.ScoreSolver(ref, ref.Task("t"), exam.ParseRecords(source(records(s.outcomes())), &diags), &diags)
	return result, &diags
}

func TestAScaleOutsideFloat64IsAFaultOfTheReference(t *testing.T) {
	for name, s := range map[string]sheet{
		"by sd":             plain("0.02", "1e-9", "0", "1.7e308", "-1.7e308"),
		"by relative floor": plain("100", "1e-9", "0", "1.7e308", "1.7e308"),
		"of a failure": {
			kind: "objective", direction: "minimize", relative: "0", absolute: "1",
			rows: []row{{name: "a", values: []string{"1.7e308", "-1.7e308"}, status: "crash"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			result, diags := attempted(t, s)
			if d := one(t, diags, exam.CodeReferenceInvalid); result != nil || !strings.Contains(d.Message, `"a"`) {
				t.Errorf("result %+v with %s", result, d.Text())
			}
		})
	}
}

func TestValuesWhoseSumOverflowsAFloatStillHaveAMean(t *testing.T) {
	in := plain("0.02", "1e-9", "1.7e308", "1.7e308", "1.7e308", "1.6e308").score(t).Instances[0]
	if in.Mu < 1.6e308 || in.Mu > 1.7e308 || in.Score <= 0.5 || in.Score >= 1 {
		t.Errorf("got %+v", in)
	}
}

func TestAZOutsideFloat64IsLeftOutWithAWarning(t *testing.T) {
	for _, test := range []struct {
		value string
		score float64
	}{{"1e300", 1}, {"-1e300", 0}} {
		result, diags := attempted(t, plain("0", "1e-9", test.value, "0", "0"))
		d := one(t, diags, exam.CodeZRange)
		if result == nil || result.Instances[0].Z != nil || result.Instances[0].Score != test.score || !slices.Equal(result.Warnings, []string{d.Message}) {
			t.Errorf("A = %s: got %+v", test.value, result)
		}
	}
}

func TestWarningsAreSorted(t *testing.T) {
	s := plain("0", "1e-9", "1e300", "0", "0")
	s.extra = []row{{name: "0", status: "ok", value: "1"}, {name: "x", status: "crash"}}
	if r := s.score(t); len(r.Warnings) != 3 || !slices.IsSorted(r.Warnings) {
		t.Errorf("got %q", r.Warnings)
	}
}

func TestFaultsOfRecords(t *testing.T) {
	ok := func(name, value string) row { return row{name: name, status: "ok", value: value} }
	solved := func(name, word string) row { return row{name: name, status: "ok", solved: word} }
	two := []row{{name: "a", values: []string{"0", "1"}}, {name: "b", values: []string{"1", "1"}}}
	for _, test := range []struct {
		name    string
		kind    string
		records []row
		want    []string
	}{
		{"objective", "objective", []row{ok("b", "1"), ok("a", "2")}, nil},
		{"solve by either", "solve", []row{ok("a", "1"), solved("b", "true")}, nil},
		{"missing", "objective", []row{ok("b", "1")}, []string{"records/missing-instance"}},
		{"all missing", "objective", nil, []string{"records/missing-instance", "records/missing-instance"}},
		{"duplicate", "objective", []row{ok("a", "1"), ok("b", "1"), ok("a", "1")}, []string{"records/duplicate-instance"}},
		{"ok without value", "objective", []row{ok("a", ""), ok("b", "1")}, []string{"records/value"}},
		{"both", "solve", []row{{name: "a", status: "ok", value: "1", solved: "true"}, ok("b", "1")}, []string{"records/value"}},
		{"both in a failure", "solve", []row{{name: "a", status: "crash", value: "1", solved: "true"}, ok("b", "1")}, []string{"records/value"}},
		{"quoted", "objective", []row{ok("a", `"1"`), ok("b", "1")}, []string{"records/value"}},
		{"too large", "objective", []row{ok("a", "1e999"), ok("b", "1")}, []string{"records/value"}},
		{"solved in an objective task", "objective", []row{solved("a", "true"), ok("b", "1")}, []string{"records/value"}},
		{"2 in a solve task", "solve", []row{ok("a", "2"), ok("b", "1")}, []string{"records/value"}},
		{"2 of a failure in a solve task", "solve", []row{{name: "a", status: "crash", value: "2"}, ok("b", "1")}, nil},
		{"other case of a name", "objective", []row{ok("A", "1"), ok("b", "1")}, []string{"records/unknown-instance", "records/missing-instance"}},
		{"unknown", "objective", []row{ok("a", "1"), ok("b", "1"), ok("c", "1")}, []string{"records/unknown-instance"}},
		{"unscored", "objective", []row{ok("a", "1"), ok("b", "1"), ok("u", "1")}, nil},
		{"unsolved and ok", "solve", []row{solved("a", "false"), ok("b", "1")}, []string{"records/unsolved-ok"}},
		{"0 and ok", "solve", []row{ok("a", "0"), ok("b", "1")}, []string{"records/unsolved-ok"}},
		{"unsolved and failed", "solve", []row{{name: "a", status: "timeout", solved: "false"}, ok("b", "1")}, nil},
		{"typing error", "objective", []row{{name: "a", status: "timeuot"}, ok("b", "1")}, []string{"records/unknown-status"}},
		{"other case of a status", "objective", []row{{name: "a", status: "OK", value: "1"}, ok("b", "1")}, []string{"records/unknown-status"}},
		{"empty name", "objective", []row{ok("", "1"), ok("a", "1"), ok("b", "1")}, []string{"records/shape", "records/unknown-instance"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := sheet{kind: test.kind, direction: "maximize", relative: "0", absolute: "1", rows: two, unscored: []string{"u"}}
			var diags diag.List
			ref := parse(t, s.reference(two), exam.ParseReference)
			result := exam.ScoreSolver(ref, ref.Task("t"), exam.ParseRecords(source(records(test.records)), &diags), &diags)
			if got := codes(&diags); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
			if (result != nil) != diags.OK() {
				t.Errorf("result %+v with %d errors", result, diags.Errors())
			}
		})
	}
}

func TestNoInfrastructureStatusIsScored(t *testing.T) {
	for _, status := range exam.Infrastructure {
		s := plain("0", "1", "", "1", "2")
		s.rows[0].status = status
		result, diags := attempted(t, s)
		if d := one(t, diags, exam.CodeInfrastructureStatus); result != nil || !strings.Contains(d.Message, status) {
			t.Errorf("%s: got %+v with %s", status, result, d.Text())
		}
	}
}

func TestEveryFailureScores0(t *testing.T) {
	want := []string{"timeout", "invalid", "certificate_failed", "crash", "memout", "wrong_answer", "no_solution", "error"}
	if !slices.Equal(exam.Failures, want) {
		t.Errorf("failures are %q", exam.Failures)
	}
	for _, status := range want {
		s := plain("0", "1", "99", "1", "2")
		s.rows[0].status = status
		if r := s.score(t); r.RelativeScore != 0 || r.FailedInstances != 1 || *r.Instances[0].Value != 99 || !exam.IsFailure(status) {
			t.Errorf("%s: got %+v", status, r)
		}
	}
}

func TestWorkedExample(t *testing.T) {
	s := plain("0.02", "1e-9", "12", "10", "12", "14")
	in := s.score(t).Instances[0]
	if in.Mu != 12 || in.S != 2 || in.Scale != 2 || in.Score != 0.5 {
		t.Errorf("got %+v", in)
	}
	s.rows = append(s.rows, row{name: "b", values: []string{"3", "4"}, status: "timeout"})
	if r := s.score(t); r.RelativeScore != 0.25 {
		t.Errorf("got %v, want 0.25", r.RelativeScore)
	}
}
