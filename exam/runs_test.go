package exam_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

const runsTable = `run,instance,status,value
b,i2,ok,4
b,i1,optimal,2
a,i1,ok,10
a,i2,timeout,99
c,i1,ok,inf
c,i2,error,
c,i3,ok,7
`

var (
	byRun = exam.RunColumns{Instance: "instance", Status: "status", Value: "value", By: "run"}
	rules = exam.RunRules{
		Kind: exam.Objective, Columns: byRun,
		Statuses: map[string]string{"optimal": "ok"}, Values: map[string]string{"inf": "no_solution"},
	}
	floors = exam.Floors{Relative: "0.02", Absolute: "1e-9"}
)

func readRuns(t *testing.T, text string, rules exam.RunRules) (*exam.Runs, *diag.List) {
	t.Helper()
	var diags diag.List
	return exam.ParseRuns(source(text), rules, &diags), &diags
}

// squeezed renders a file without blanks and line ends.
func squeezed(t *testing.T, file written) string {
	t.Helper()
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("\n", "", " ", "").Replace(b.String())
}

func TestSplitDividesTheRunsIntoCandidatesAndReference(t *testing.T) {
	for _, test := range []struct {
		candidates, chosen, rest []string
		hints                    []string // of names that the table does not have
	}{
		{nil, nil, []string{"a", "b", "c"}, nil},
		{[]string{"c", "a"}, []string{"a", "c"}, []string{"b"}, nil},
		{[]string{"a", "b", "c"}, []string{"a", "b", "c"}, nil, nil},
		{[]string{"B"}, nil, []string{"a", "b", "c"}, []string{`did you mean "b"?`}},
		{[]string{"a", "nothing"}, []string{"a"}, []string{"b", "c"}, []string{""}},
	} {
		t.Run(fmt.Sprint(test.candidates), func(t *testing.T) {
			runs, diags := readRuns(t, runsTable, rules)
			if !diags.OK() {
				t.Fatal(diags.Text())
			}
			diags = &diag.List{} // the table lacks rows, of which it warns
			chosen, rest := runs.Split(test.candidates, diags)
			if !slices.Equal(chosen, test.chosen) || !slices.Equal(rest, test.rest) {
				t.Errorf("got %q and %q", chosen, rest)
			}
			var hints []string
			for _, d := range diags.Kept() {
				if d.Code != exam.CodeRunsSelection {
					t.Error(d.Text())
				}
				hints = append(hints, d.Hint)
			}
			if !slices.Equal(hints, test.hints) {
				t.Errorf("hints %q, want %q", hints, test.hints)
			}
		})
	}
}

func TestRunsBecomeRecords(t *testing.T) {
	runs, diags := readRuns(t, runsTable, rules)
	for name, want := range map[string]string{
		"a": `[{"instance":"i1","status":"ok","A":10},{"instance":"i2","status":"timeout"}]`,
		"b": `[{"instance":"i1","status":"ok","A":2},{"instance":"i2","status":"ok","A":4}]`,
		"c": `[{"instance":"i1","status":"no_solution"},{"instance":"i2","status":"error"},{"instance":"i3","status":"ok","A":7}]`,
		"d": `[]`,
	} {
		if got := squeezed(t, runs.Records(name, exam.Objective)); got != want || !diags.OK() {
			t.Errorf("%s: got %s, want %s\n%s", name, got, want, diags.Text())
		}
	}
}

func TestRunsOfASolveTask(t *testing.T) {
	const values = "run,instance,status,value\na,i,ok,true\na,j,ok,0\nb,i,crash,1\nb,j,ok,1\n"
	const statuses = "run,instance,status\na,i,ok\na,j,timeout\nb,i,crash\nb,j,ok\n"
	solve := exam.RunRules{Kind: exam.Solve, Columns: byRun}
	bare := exam.RunRules{Kind: exam.Solve, Columns: exam.RunColumns{Instance: "instance", Status: "status", By: "run"}}
	for _, test := range []struct {
		name, text string
		rules      exam.RunRules
		a, b       string
	}{
		{"by value", values, solve, `[{"instance":"i","status":"ok","solved":true},{"instance":"j","status":"ok","solved":false}]`, ""},
		{"by status", statuses, bare, `[{"instance":"i","status":"ok","solved":true},{"instance":"j","status":"timeout"}]`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs, diags := readRuns(t, test.text, test.rules)
			if got := squeezed(t, runs.Records("a", exam.Solve)); got != test.a {
				t.Errorf("records %s, want %s", got, test.a)
			}
			ref := runs.Reference("r", floors, "t", exam.Solve, exam.Maximize, []string{"a", "b"}, diags)
			if got := squeezed(t, ref); !strings.Contains(got, `"i":[1,0],"j":[0,1]`) || !diags.OK() {
				t.Errorf("reference %s\n%s", got, diags.Text())
			}
		})
	}
}

// Failures give no value; what has fewer than two values is unscored.
func TestRunsBecomeAReference(t *testing.T) {
	runs, diags := readRuns(t, runsTable, rules)
	ref := runs.Reference("r", floors, "t", exam.Objective, exam.Minimize, []string{"a", "b", "c"}, diags)
	const want = `{"reference_id":"r","scale_floors":{"relative":0.02,"absolute":1e-9},"tasks":{"t":{"kind":"objective","direction":"minimize",` +
		`"instances":{"i1":[10,2]},"unscored_reference_instances":["i2","i3"]}}}`
	if got := squeezed(t, ref); got != want || !diags.OK() {
		t.Errorf("got %s, want %s\n%s", got, want, diags.Text())
	}
	parse(t, squeezed(t, ref), exam.ParseReference)
	var faults diag.List
	runs.Reference("r", floors, "t", exam.Objective, exam.Minimize, []string{"b", "c"}, &faults)
	one(t, &faults, exam.CodeRunsSelection)
}

func TestOrderOfRunsDoesNotMatter(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(runsTable, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Reverse(lines[1:])
	forwards, diags := readRuns(t, runsTable, rules)
	backwards, _ := readRuns(t, strings.Join(lines, ""), rules)
	all := forwards.Names()
	for _, name := range all {
		if a, b := forwards.Records(name, exam.Objective), backwards.Records(name, exam.Objective); a.Digest() != b.Digest() {
			t.Errorf("the records of %s differ", name)
		}
	}
	a := forwards.Reference("r", floors, "t", exam.Objective, exam.Maximize, all, diags)
	if b := backwards.Reference("r", floors, "t", exam.Objective, exam.Maximize, all, diags); a.Digest() != b.Digest() {
		t.Error("the references differ")
	}
}

func TestFaultsOfRuns(t *testing.T) {
	for _, test := range []struct {
		name, rows string
		want       []string
		hint       string
	}{
		{"none", "a,i,ok,1\n", nil, ""},
		{"no rows", "", []string{"runs/selection"}, ""},
		{"unmapped, once for all rows", "a,i,solved,1\na,j,solved,1\n", []string{"runs/unmapped-status"}, "--map 'solved=ok'"},
		{"the judging failed", "a,i,judge_failed,1\n", []string{"runs/unmapped-status"}, "leave these rows out"},
		{"no value", "a,i,ok,\n", []string{"runs/value"}, ""},
		{"no number", "a,i,ok,1x\n", []string{"runs/value"}, ""},
		{"no number in a failure", "a,i,crash,1x\n", nil, ""},
		{"mapped value", "a,i,optimal,inf\n", nil, ""},
		{"no instance", "a,,ok,1\n", []string{"runs/column"}, ""},
		{"no run", ",i,ok,1\n", []string{"runs/column"}, ""},
		{"twice", "a,i,ok,1\nb,i,ok,1\na,i,crash,1\n", []string{"runs/duplicate"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags := readRuns(t, "run,instance,status,value\n"+test.rows, rules)
			// The rules map words that most of these tables do not have.
			got := slices.DeleteFunc(codes(diags), func(c string) bool { return c == "runs/unused-mapping" })
			if !slices.Equal(got, test.want) || !strings.Contains(diags.Text(), test.hint) {
				t.Errorf("got %q, want %q with %q\n%s", got, test.want, test.hint, diags.Text())
			}
		})
	}
}
