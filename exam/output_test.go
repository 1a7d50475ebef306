package exam_test

import (
	"encoding/json"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

// refused holds edits of an output: each of them must be found.
type refused struct{ name, old, new, message string }

func checkEdits[T any](t *testing.T, output any, parser func(*strict.Source, *diag.List) *T, edits []refused) {
	t.Helper()
	text, err := json.Marshal(output)
	if err != nil {
		t.Fatal(err)
	}
	if parse(t, string(text), parser) == nil {
		t.Fatal("the output itself is refused")
	}
	for _, edit := range edits {
		t.Run(edit.name, func(t *testing.T) {
			changed := strings.Replace(string(text), edit.old, edit.new, 1)
			if changed == string(text) {
				t.Fatalf("%q is not in %s", edit.old, text)
			}
			var diags diag.List
			parser(source(changed), &diags)
			if !strings.Contains(diags.Text(), edit.message) || diags.OK() {
				t.Errorf("want %q, got:\n%s", edit.message, diags.Text())
			}
		})
	}
}

func TestEditedSolverResultsAreRefused(t *testing.T) {
	s := plain("0.02", "1e-9", "12", "10", "12", "14")
	s.rows = append(s.rows, row{name: "b", values: []string{"3", "4"}, status: "timeout"})
	checkEdits(t, s.score(t), exam.ParseSolverResult, []refused{
		{"relative score", `"relative_score":0.25`, `"relative_score":0.26`, "not the mean"},
		{"relative score, a little", `"relative_score":0.25`, `"relative_score":0.250001`, "not the mean"},
		{"relative score above 1", `"relative_score":0.25`, `"relative_score":1.25`, "expected 0 to 1"},
		{"score of an instance", `"score":0.5`, `"score":0.75`, "not the mean"},
		{"score below 0", `"score":0.5`, `"score":-0.5`, "expected 0 to 1"},
		{"score of a failure", `"score":0}`, `"score":0.5}`, `status "timeout" with score 0.5`},
		{"failure made ok", `"status":"timeout"`, `"status":"ok"`, "found 0 failed instances"},
		{"unknown status", `"status":"timeout"`, `"status":"missing"`, `status "missing"`},
		{"count of failures", `"failed_instances":1`, `"failed_instances":0`, "failed_instances is 0"},
		{"count of instances", `"eligible_instances":2`, `"eligible_instances":3`, "eligible_instances is 3"},
		{"order of instances", `"instance":"a"`, `"instance":"c"`, "expected each name once and in order"},
		{"kind", `"kind":"objective"`, `"kind":"objektive"`, "kind"},
		{"direction", `"direction":"maximize"`, `"direction":"up"`, "direction"},
		{"no task", `"task":"t"`, `"task":""`, "must be named"},
		{"no reference", `"reference_id":"r"`, `"reference_id":""`, "must be named"},
		{"another name", `"task":"t"`, `"tusk":"t"`, "json/unknown-key"},
		{"a name twice", `"task":"t"`, `"task":"t","task":"t"`, "json/duplicate-key"},
		{"quoted number", `"relative_score":0.25`, `"relative_score":"0.25"`, "output/invalid"},
		{"not JSON", `"task"`, `task`, "json/syntax"},
	})
}

func TestEditedIndexResultsAreRefused(t *testing.T) {
	incomplete := edited(func(rows []attempt) []attempt { return rows[1:] }).index(t)
	provisional := edited(func(rows []attempt) []attempt {
		rows[0].adoption = "selected_provisional"
		return rows
	})
	checkEdits(t, provisional.index(t), exam.ParseIndexResult, []refused{
		{"metric", "30303010-v0.1", "30303010-v0.2", "metric"},
		{"no suite", `"suite":"s"`, `"suite":""`, "suite and models"},
		{"status", `"status":"provisional"`, `"status":"done"`, `status "done"`},
		{"status incomplete with an index", `"status":"provisional"`, `"status":"incomplete"`, "contradict"},
		{"index", `"index":73.5`, `"index":74`, "not the sum of the points"},
		{"no index", `"index":73.5`, `"index":null`, "contradict"},
		{"points", `"points":7.5`, `"points":8.5`, "not the sum of the points"},
		{"points without the sum", `"points":7.5`, `"points":null`, "mean, points and index contradict each other in the track solver"},
		{"mean", `"mean":0.25`, `"mean":null`, "mean, points and index contradict each other in the track solver"},
		{"coverage", `"coverage":{"planned":4,"observed":4}`, `"coverage":{"planned":4,"observed":3}`, "coverage and issues"},
		{"model", `"m":{`, `"n":null,"m":{`, `model "n": found null`},
		{"another name", `"metric"`, `"metrik"`, "json/unknown-key"},
	})
	checkEdits(t, incomplete, exam.ParseIndexResult, []refused{
		{"status complete without an index", `"status":"incomplete"`, `"status":"complete"`, "contradict"},
		{"an index", `"index":null`, `"index":43.5`, "mean, points and index contradict each other in the track theorem"},
		{"coverage of an incomplete model", `"coverage":{"planned":4,"observed":3}`, `"coverage":{"planned":4,"observed":4}`, "coverage and issues"},
	})
}

func TestEvidenceNeedsItsThreeFacts(t *testing.T) {
	for text, want := range map[string]string{
		`{"task": "t", "reference_id": "r", "relative_score": 0.5, "other": [1]}`: "",
		`{"task": "t", "reference_id": "r"}`:                                      "relative_score",
		`{"task": "", "reference_id": "r", "relative_score": 0.5}`:                "empty name",
		`{"task": "t", "reference_id": "r", "relative_score": "0.5"}`:             "expected a number",
		`{"task": "t", "reference_id": "r", "Relative_Score": 0.5}`:               "json/key-case",
		`[]`: "expected an object",
	} {
		var diags diag.List
		exam.ParseEvidence(source(text), &diags)
		if diags.OK() != (want == "") || !strings.Contains(diags.Text(), want) {
			t.Errorf("%s: want %q, got:\n%s", text, want, diags.Text())
		}
	}
}
