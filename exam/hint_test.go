package exam_test

import (
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

// A name with a typing error gets the hint which one was probably meant.
func TestTypingErrorsGetAHint(t *testing.T) {
	const reference = `{"reference_id": "r", "scale_floors": {"relative": 0, "absolute": 1}, "tasks": {
		"maxcut": {"kind": "objective", "direction": "maximize", "instances": {"example-1": [1, 2]}}}}`
	ref := parse(t, reference, exam.ParseReference)
	replaced := func(text, old, by string) string {
		changed := strings.Replace(text, old, by, 1)
		if changed == text {
			t.Fatalf("%q is not in %q", old, text)
		}
		return changed
	}
	scored := func(text string) func(*diag.List) {
		return func(diags *diag.List) {
			exam.ScoreSolver(ref, ref.Task("maxcut"), exam.ParseRecords(source(text), diags), diags)
		}
	}
	attempts := func(change func(a *attempt)) func(*diag.List) {
		return func(diags *diag.List) {
			c := edited(func(rows []attempt) []attempt { change(&rows[0]); return rows })
			suite, cohort := parse(t, c.suite(), exam.ParseSuite), parse(t, c.cohort(), exam.ParseCohort)
			exam.ParseAttempts(source(table(c.rows)), diags).Check(suite, cohort, diags)
		}
	}
	for _, test := range []struct {
		name string
		run  func(*diag.List)
		code diag.Code
		hint string
	}{
		{"status", scored(`[{"instance": "example-1", "status": "timeuot"}]`), exam.CodeUnknownStatus, `did you mean "timeout"?`},
		{"status in other case", scored(`[{"instance": "example-1", "status": "OK", "A": 1}]`), exam.CodeUnknownStatus, `did you mean "ok"?`},
		{"status like none", scored(`[{"instance": "example-1", "status": "xxxxxxxxx"}]`), exam.CodeUnknownStatus, "failures are timeout, "},
		{"instance", scored(`[{"instance": "example-1", "status": "crash"}, {"instance": "exmaple-1", "status": "crash"}]`), exam.CodeUnknownInstance, `did you mean "example-1"?`},
		{"task", func(diags *diag.List) { ref.FindTask("maxcat", diags) }, exam.CodeUnknownTask, `did you mean "maxcut"?`},
		{"task like none", func(diags *diag.List) { ref.FindTask("tsp", diags) }, exam.CodeUnknownTask, "it has: maxcut"},
		{"task of a suite", func(diags *diag.List) {
			parse(t, replaced(small().suite(), `"so"`, `"maxcut"`), exam.ParseSuite).CheckSolverTask("maxcutt", diags)
		}, exam.CodeUnknownTask, `did you mean "maxcut"?`},
		{"track", attempts(func(a *attempt) { a.track = "theorm" }), exam.CodeAttemptsTrack, `did you mean "theorem"?`},
		{"adoption", attempts(func(a *attempt) { a.adoption = "selectd" }), exam.CodeAttemptsValue, `did you mean "selected"?`},
		{"score status", attempts(func(a *attempt) { a.status = "vald" }), exam.CodeAttemptsValue, `did you mean "valid"?`},
		{"item in other case", attempts(func(a *attempt) { a.item = "TH" }), exam.CodeAttemptsItem, `did you mean "th"?`},
		{"item of another track", attempts(func(a *attempt) { a.item = "so" }), exam.CodeAttemptsItem, "it is a task of the track solver"},
		{"model in other case", attempts(func(a *attempt) { a.model = "M" }), exam.CodeAttemptsModel, `did you mean "m"?`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			test.run(&diags)
			if d := one(t, &diags, test.code); !strings.HasPrefix(d.Hint, test.hint) {
				t.Errorf("hint %q, want %q", d.Hint, test.hint)
			}
		})
	}
}

func TestTypingErrorsInKeysNameTheKnownKey(t *testing.T) {
	for text, parser := range map[string]func(string, *diag.List){
		replaceFirst(digestSuite, "tracks", "tarcks"):            func(s string, d *diag.List) { exam.ParseSuite(source(s), d) },
		replaceFirst(digestSuite, "construction", "constuction"): func(s string, d *diag.List) { exam.ParseSuite(source(s), d) },
		replaceFirst(digestReference, "absolute", "absolut"):     func(s string, d *diag.List) { exam.ParseReference(source(s), d) },
		replaceFirst(digestReference, "direction", "dirction"):   func(s string, d *diag.List) { exam.ParseReference(source(s), d) },
		replaceFirst(digestCohort, "models", "model"):            func(s string, d *diag.List) { exam.ParseCohort(source(s), d) },
	} {
		var diags diag.List
		parser(text, &diags)
		if !strings.Contains(diags.Text(), "did you mean") || !strings.Contains(diags.Text(), "json/unknown-key") {
			t.Errorf("%s: %s", text, diags.Text())
		}
	}
}

func replaceFirst(text, old, by string) string {
	return strings.Replace(text, `"`+old+`"`, `"`+by+`"`, 1)
}

// In records other keys are ignored, but a is not A.
func TestACaseErrorInAKeyOfARecordIsAFault(t *testing.T) {
	var diags diag.List
	exam.ParseRecords(source(`[{"instance": "a", "status": "timeout", "a": 1}]`), &diags)
	if got := codes(&diags); len(got) != 1 || got[0] != "json/key-case" {
		t.Errorf("got %q", got)
	}
}
