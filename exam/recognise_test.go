package exam_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

func TestRecognise(t *testing.T) {
	solver, err := json.Marshal(plain("0", "1", "1", "1", "2").score(t))
	if err != nil {
		t.Fatal(err)
	}
	index, err := json.Marshal(small().index(t))
	if err != nil {
		t.Fatal(err)
	}
	s := plain("0", "1", "1", "1", "2")
	for _, test := range []struct {
		name, text string
		want       exam.Format
	}{
		{"manifest", small().suite(), exam.FormatSuite},
		{"reference", s.reference(s.rows), exam.FormatReference},
		{"records", records(s.rows), exam.FormatRecords},
		{"no records", "[]", exam.FormatRecords},
		{"records behind a mark and blanks", "\ufeff \r\n\t" + records(s.rows), exam.FormatRecords},
		{"attempts", table(small().rows), exam.FormatAttempts},
		{"attempts, quoted", "\ufeff" + strings.ReplaceAll(table(nil), "model", `"model"`), exam.FormatAttempts},
		{"attempts, half of the columns", "model,track,item,adoption_status\n", exam.FormatAttempts},
		{"attempts, header only and no line end", strings.TrimSpace(attemptsHeader), exam.FormatAttempts},
		{"cohort", small().cohort(), exam.FormatCohort},
		{"solver-score output", string(solver), exam.FormatSolverResult},
		{"score output", string(index), exam.FormatIndexResult},
		{"manifest, cut off", `{"suite": "s", "tracks": {"theorem": [`, exam.FormatSuite},
		{"reference with a doubled name", `{"tasks": {}, "tasks": {}}`, exam.FormatReference},
		{"the mark stands behind other names", `{"a": {"tasks": 1}, "models": 1}`, exam.FormatCohort},
		{"nothing", "", exam.FormatNone},
		{"blanks", " \n\t", exam.FormatNone},
		{"object of another kind", `{"a": 1, "Tasks": 2}`, exam.FormatNone},
		{"the names are deeper", `{"a": {"metric": 1, "tasks": 2}}`, exam.FormatNone},
		{"a name is a value", `{"a": "metric"}`, exam.FormatNone},
		{"object that breaks before the mark", `{"a": }, "metric": 1}`, exam.FormatNone},
		{"another table", "instance,status,value\na,ok,1\n", exam.FormatNone},
		{"the columns are not in the first line", "x\n" + attemptsHeader, exam.FormatNone},
		{"text", "hello", exam.FormatNone},
		{"number", "12", exam.FormatNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := exam.Recognise(source(test.text)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestReportUnrecognisedSaysWhatIsThere(t *testing.T) {
	for _, test := range []struct {
		name, text string
		codes      []string
		message    string
	}{
		{"nothing", "", []string{"check/unrecognised"}, "an empty file"},
		{"text", "hello", []string{"check/unrecognised"}, "neither JSON nor a table"},
		{"object of another kind", `{"a": 1}`, []string{"check/unrecognised"}, "none of the names"},
		{"object with a fault", "{\"a\": 1,\n\"b\": NaN}", []string{"json/not-a-number"}, "NaN"},
		{"object with two faults", `{"a": 1, "a": {"b": 1, "b": 2}}`, []string{"json/duplicate-key", "json/duplicate-key"}, "twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			exam.ReportUnrecognised(source(test.text), &diags)
			if got := codes(&diags); !slices.Equal(got, test.codes) || !strings.Contains(diags.Text(), test.message) {
				t.Errorf("got %q, want %q with %q\n%s", got, test.codes, test.message, diags.Text())
			}
		})
	}
}
