package exam_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/testkit"
	"scorebook/strict"
)

// written is a file that was parsed and can be written again.
type written interface {
	Write(io.Writer) error
	Digest() string
}

// checkReader holds a reader against its laws: every position lies inside the
// text, and what parses is written to a form that parses to the same and is
// written the same again.
func checkReader[T written](t *testing.T, text string, parse func(*strict.Source, *diag.List) T) {
	t.Helper()
	read := func(text string) (T, *diag.List) {
		var diags diag.List
		return parse(strict.NewSource("in", strings.NewReader(text), 0), &diags), &diags
	}
	value, diags := read(text)
	for _, d := range diags.Kept() {
		if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
			t.Errorf("the text ends before %s", d.Text())
		}
		for _, r := range d.Related {
			if !testkit.Inside(text, r.Pos.Line, r.Pos.Column) {
				t.Errorf("the text ends before the related place of %s", d.Text())
			}
		}
	}
	if !diags.OK() {
		return
	}
	var first, second bytes.Buffer
	if err := value.Write(&first); err != nil {
		t.Fatal(err)
	}
	again, diags := read(first.String())
	if !diags.OK() {
		t.Fatalf("%q was written and does not parse:\n%s", first.String(), diags.Text())
	}
	if err := again.Write(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() || value.Digest() != again.Digest() {
		t.Fatalf("%q is written as %q the second time", first.String(), second.String())
	}
}

func FuzzRecords(f *testing.F) {
	for _, seed := range []string{
		`[]`, `[{"instance":"a","status":"ok","A":1.50e0,"seconds":3},{"instance":"b","status":"timeout","A":null}]`,
		"\ufeff[{\"instance\":\"\\u00e9\",\"status\":\"ok\",\"solved\":true}]\r\n", `[{"instance":"a","status":"crash","A":7}]`,
		`[{"instance":"a","status":"OK","A":1},{"instance":"a","status":"judge_failed"},{"instance":"","status":"ok"}]`,
		`[{"instance":"a","status":"ok","A":1,"solved":false},{"instance":"b","status":"ok","A":"1"},7]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text, exam.ParseRecords) })
}

func FuzzReference(f *testing.F) {
	for _, seed := range []string{
		`{"reference_id":"r","scale_floors":{"relative":0.02,"absolute":1e-9},"tasks":{"t":{"kind":"objective","direction":"maximize","instances":{"a":[10,12.50,14],"b":[1,2]},"unscored_reference_instances":["u","v"]}}}`,
		`{"reference_id":"r","scale_floors":{"relative":0,"absolute":1},"tasks":{"t":{"kind":"solve","direction":"maximize","instances":{"a":[1,0]}},"s":{"kind":"solve","direction":"minimize","instances":{"a":[2,0]}}}}`,
		`{"reference_id":"","scale_floors":{"relative":-1,"absolute":0},"tasks":{"t":{"kind":"x","instances":{"a":[1],"a":[1,2]},"unscored_reference_instances":["a","a"]}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text, exam.ParseReference) })
}

func FuzzSuite(f *testing.F) {
	f.Add(`{"suite":"s","solver_reference_id":"r","tracks":{"theorem":["a"],"solver":["b"],"construction":["c","d"],"open":["e"]}}`)
	f.Add(`{"suite":"","solver_reference_id":"r","tracks":{"theorem":[],"solver":["b","b"],"construction":["c"],"opne":["e"]}}`)
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text, exam.ParseSuite) })
}

func FuzzCohort(f *testing.F) {
	f.Add(`{"suite":"s","solver_protocol":"online","solver_reference_id":"r","models":{"m":{"attempts_per_task":3},"\"":{"attempts_per_task":1e1}}}`)
	f.Add(`{"suite":"s","solver_protocol":"","solver_reference_id":"r","models":{"m":{"attempts_per_task":0.5},"":{}}}`)
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text, exam.ParseCohort) })
}

func FuzzAttempts(f *testing.F) {
	const header = "model,track,item,attempt,score,adoption_status,score_status,score_type,solver_protocol\n"
	for _, rows := range []string{
		"", "m,theorem,t,1,1,selected,valid,original_task_score,\n", "\"m,\"\"\",solver,t,a,0.25,selected_provisional,valid,fixed_reference_relative,online\n",
		"m,open,t,1,,excluded,judge_failed,original_task_score,offline\nm,open,t,1,0.5,selected,valid,original_task_score,\n",
		"m,x,t,1,NaN,selectd,valid,foo,bar\n m,open,,\n",
	} {
		f.Add(header + rows)
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text, exam.ParseAttempts) })
}

// FuzzOutput reads outputs that were tampered with.
func FuzzOutput(f *testing.F) {
	f.Add(`{"metric":"tcsexam-index-original-30303010-v0.1","suite":"s","models":{"m":null}}`)
	f.Add(`{"task":"t","reference_id":"r","relative_score":0.5,"kind":"solve","direction":"maximize"}`)
	f.Add(`[{"instance":"a"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(*strict.Source, *diag.List){
			func(s *strict.Source, d *diag.List) { exam.ParseSolverResult(s, d) },
			func(s *strict.Source, d *diag.List) { exam.ParseIndexResult(s, d) },
			func(s *strict.Source, d *diag.List) { exam.ParseEvidence(s, d) },
			func(s *strict.Source, _ *diag.List) { exam.Recognise(s) },
			func(s *strict.Source, d *diag.List) { exam.ReportUnrecognised(s, d) },
		} {
			var diags diag.List
			parse(strict.NewSource("in", strings.NewReader(text), 0), &diags)
			for _, d := range diags.Kept() {
				if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
					t.Errorf("the text ends before %s", d.Text())
				}
			}
		}
	})
}
