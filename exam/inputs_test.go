package exam_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

// fault is an edit of a valid input, and the codes that it must give.
type fault struct {
	name, old, new string
	want           []string
}

func checkFaults[T any](t *testing.T, good string, parser func(*strict.Source, *diag.List) T, faults []fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			text := strings.Replace(good, f.old, f.new, 1)
			if text == good {
				t.Fatalf("%q is not in %s", f.old, good)
			}
			var diags diag.List
			parser(source(text), &diags)
			if got := codes(&diags); !slices.Equal(got, f.want) {
				t.Errorf("%s: got %q, want %q\n%s", text, got, f.want, diags.Text())
			}
		})
	}
}

func TestFaultsOfReferences(t *testing.T) {
	invalid := []string{"reference/invalid"}
	checkFaults(t, digestReference, exam.ParseReference, []fault{
		{"relative floor 0", "0.02", "0", nil},
		{"relative floor below 0", "0.02", "-1e-300", invalid},
		{"absolute floor 0", "1e-9", "0", invalid},
		{"absolute floor below 0", "1e-9", "-1e-9", invalid},
		{"absolute floor too small for a float64", "1e-9", "1e-999", invalid},
		{"floor in quotes", "0.02", `"0.02"`, invalid},
		{"no floor", `"relative": 0.02, `, "", invalid},
		{"empty id", `"r"`, `""`, invalid},
		{"kind in other case", `"solve"`, `"Solve"`, invalid},
		{"unknown direction", `"maximize"`, `"up"`, invalid},
		{"solve task to be minimized", `"maximize"`, `"minimize"`, invalid},
		{"one value", "[1, 0]", "[1]", invalid},
		{"a value that is none", "[1, 0]", "[1, null]", []string{"reference/invalid", "reference/invalid"}}, // and one is left
		{"2 in a solve task", "[1, 0]", "[1, 2]", invalid},
		{"2 in an objective task", `"a": [1, 0]}}}}`, `"a": [1, 2]}}}}`, nil},
		{"scored and unscored", `"u"`, `"a"`, invalid},
		{"unscored twice", `"u"`, `"v"`, invalid},
		{"unscored without a name", `"u"`, `""`, invalid},
		{"instance without a name", `"b"`, `""`, invalid},
		{"task without a name", `"w"`, `""`, invalid},
		{"task twice", `"w"`, `"t"`, []string{"json/duplicate-key"}},
		{"instance twice", `"b"`, `"a"`, []string{"json/duplicate-key"}},
		{"no instances", `{"a": [1, 0]}}}}`, `{}}}}`, invalid},
		{"not a number", "[1, 0]", "[1, NaN]", []string{"json/not-a-number"}},
	})
	var diags diag.List
	exam.ParseReference(source(`{"reference_id": "r", "scale_floors": {"relative": 0, "absolute": 1}, "tasks": {}}`), &diags)
	one(t, &diags, exam.CodeReferenceInvalid)
}

func TestFaultsOfManifests(t *testing.T) {
	invalid := []string{"suite/invalid"}
	checkFaults(t, digestSuite, exam.ParseSuite, []fault{
		{"empty name", `"s"`, `""`, invalid},
		{"empty id", `"r"`, `""`, invalid},
		{"no id", `"solver_reference_id": "r", `, "", invalid},
		{"no track", `, "open": ["e"]`, "", invalid},
		{"no task", `["e"]`, "[]", invalid},
		{"task without a name", `"e"`, `""`, []string{"suite/invalid", "suite/invalid"}}, // and none is left
		{"twice in a track", `"a", "b"`, `"a", "b", "a"`, invalid},
		{"twice in the suite", `["c"]`, `["c", "a"]`, invalid},
		{"a number for a name", `"a", "b"`, `"a", 1`, invalid},
		{"other case", `"a", "b"`, `"a", "A"`, nil},
	})
}

func TestFaultsOfCohorts(t *testing.T) {
	invalid := []string{"cohort/invalid"}
	checkFaults(t, digestCohort, exam.ParseCohort, []fault{
		{"no attempts", `"attempts_per_task": 2`, `"attempts_per_task": 0`, invalid},
		{"fewer than none", `"attempts_per_task": 2`, `"attempts_per_task": -1`, invalid},
		{"a half", `"attempts_per_task": 2`, `"attempts_per_task": 1.5`, invalid},
		{"most", `"attempts_per_task": 2`, `"attempts_per_task": 1000`, nil},
		{"more", `"attempts_per_task": 2`, `"attempts_per_task": 1001`, invalid},
		{"far more", `"attempts_per_task": 2`, `"attempts_per_task": 1e300`, invalid},
		{"whole in another spelling", `"attempts_per_task": 2`, `"attempts_per_task": 0.2e1`, nil},
		{"in quotes", `"attempts_per_task": 2`, `"attempts_per_task": "2"`, invalid},
		{"not given", `{"attempts_per_task": 2}`, `{}`, invalid},
		{"unknown protocol", "offline", "Offline", invalid},
		{"model without a name", `"n"`, `""`, invalid},
		{"model twice", `"n"`, `"m"`, []string{"json/duplicate-key"}},
		{"no models", `"m": {"attempts_per_task": 1}, "n": {"attempts_per_task": 2}`, "", invalid},
		{"empty suite", `"s"`, `""`, invalid},
		{"empty id", `"r"`, `""`, invalid},
	})
}

func TestAnUnknownTaskOfManyListsTheFirstNames(t *testing.T) {
	const task = `": {"kind": "solve", "direction": "maximize", "instances": {"a": [0, 1]}}`
	names := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for n, want := range map[int]string{8: "it has: 1, 2, 3, 4, 5, 6, 7, 8", 9: "it has: 1, 2, 3, 4, 5, 6, 7, 8, ..."} {
		text := `{"reference_id": "r", "scale_floors": {"relative": 0, "absolute": 1}, "tasks": {"` + strings.Join(names[:n], task+`, "`) + task + "}}"
		var diags diag.List
		parse(t, text, exam.ParseReference).FindTask("xyz", &diags)
		if d := one(t, &diags, exam.CodeUnknownTask); d.Hint != want {
			t.Errorf("hint %q, want %q", d.Hint, want)
		}
	}
}

func TestACohortPlansAtMostAMillionRepetitions(t *testing.T) {
	c := small() // with four tasks
	for i := range 250 {
		c.planned[fmt.Sprint("m", i)] = exam.MaxAttempts
	}
	delete(c.planned, "m")
	suite := parse(t, c.suite(), exam.ParseSuite)
	var diags diag.List
	parse(t, c.cohort(), exam.ParseCohort).CheckSuite(suite, "s", &diags)
	if len(diags.Kept()) != 0 {
		t.Errorf("a million is refused: %s", diags.Text())
	}
	c.planned["one more"] = 1
	parse(t, c.cohort(), exam.ParseCohort).CheckSuite(suite, "s", &diags)
	one(t, &diags, exam.CodeCohortInvalid)
}
