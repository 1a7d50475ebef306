package report_test

import (
	"strings"
	"testing"

	"scorebook/exam"
	"scorebook/internal/report"
)

// objective is the arithmetic of an instance of an objective task.
func objective() *exam.Explanation {
	e := &exam.Explanation{
		Result: &exam.SolverResult{
			Task: "t", ReferenceID: "r", Kind: exam.Objective, Direction: exam.Minimize, RelativeScore: 0.375, EligibleInstances: 2,
		},
		Score: exam.InstanceScore{
			Instance: "i", Status: exam.StatusOK, Value: new(10.0), Mu: 12, S: 2, Scale: 2, ScaleFrom: exam.FromSD, Z: new(1.0), Score: 0.8413447460685429,
		},
		Given: "A = 1e1", Floors: exam.Floors{Relative: "0.020", Absolute: "1e-9"},
		RelativeFloor: 0.24, AbsoluteFloor: 1e-9, Contribution: 0.42,
		Ceiling: exam.Ceiling{Limit: 1, BestKnown: 0.84}, TaskCeiling: exam.Ceiling{Limit: 1, BestKnown: 0.7},
	}
	e.Values = append(e.Values, "10", "12.0", "14")
	return e
}

// wants holds what the line that begins with a word must say.
type wants map[string][]string

func (w wants) check(t *testing.T, text string) {
	t.Helper()
	for word, parts := range w {
		line := lineWith(t, text, word)
		for _, part := range parts {
			if !strings.Contains(line, part) {
				t.Errorf("%q is missing in %q", part, line)
			}
		}
	}
}

func TestExplanationOfAnObjective(t *testing.T) {
	text := report.Explanation(objective())
	wants{
		"i  in": {"task t", "objective, minimize", "reference r"}, "fixed outcomes": {"3: 10, 12.0, 14"},
		"mu ": {" 12 "}, "s ": {" 2 "}, "relative floor": {" 0.24 ", "0.020 * |mu|"}, "absolute floor": {"1e-9"}, "scale ": {" 2 ", "the three: s)"},
		"outcome": {"A = 1e1"}, "z ": {" 1 ", "(mu - A) / scale", "better than the mean"}, "score ": {"0.8413447460685429"},
		"in the task mean": {"0.42 ", "score / 2 eligible"}, "task mean": {"0.375"},
		"ceiling": {" 1: ", "no bound"}, "best fixed outcome": {"0.84 here", "0.7 for the task"},
	}.check(t, text)
}

func TestExplanationOfAFailure(t *testing.T) {
	for given, want := range map[string]string{"A = 7": "its A = 7 does not count", "": "the solver failed"} {
		e := objective()
		e.Score.Status, e.Score.Z, e.Score.Score, e.Given, e.Contribution = "memout", nil, 0, given, 0
		text := bare(report.Explanation(e))
		wants{"outcome": {"status memout", want}, "score ": {" 0 ", "a failure scores 0"}, "in the task mean": {" 0 "}}.check(t, text)
		if strings.Contains(text, "\nz ") || given == "" && strings.Contains(text, "does not count") {
			t.Errorf("got\n%s", text)
		}
	}
}

func TestExplanationOfASolveTask(t *testing.T) {
	e := objective()
	e.Result.Kind, e.Result.Direction, e.Given = exam.Solve, exam.Maximize, "not solved"
	e.Values = append(e.Values[:0], "1", "0")
	e.Score.Z, e.Score.ScaleFrom = new(-1.5), exam.FromAbsolute
	e.Ceiling, e.TaskCeiling = exam.Ceiling{Limit: 0.69}, exam.Ceiling{Limit: 0.61}
	text := report.Explanation(e)
	wants{
		"fixed outcomes": {"2: 1, 0"}, "outcome": {"not solved"}, "z ": {" -1.5 ", "(A - mu) / scale", "worse than the mean"},
		"scale ": {"the absolute floor"}, "ceiling": {"0.69 here", "0.61 for the task"},
	}.check(t, text)
	if strings.Contains(text, "best fixed outcome") {
		t.Errorf("got\n%s", text)
	}
}

func TestExplanationOfAZThatIsNeitherBetterNorWorse(t *testing.T) {
	for _, test := range []struct {
		z    *float64
		want string
	}{{new(0.0), " 0 "}, {nil, "outside float64"}} {
		e := objective()
		e.Score.Z, e.Score.ScaleFrom = test.z, exam.FromRelative
		line := lineWith(t, report.Explanation(e), "z ")
		if !strings.Contains(line, test.want) || strings.Contains(line, "better") || strings.Contains(line, "worse") {
			t.Errorf("got %q, want %q", line, test.want)
		}
		wants{"scale ": {"the relative floor"}}.check(t, report.Explanation(e))
	}
}

func TestExplanationShowsTheFirstOfManyOutcomes(t *testing.T) {
	for n, want := range map[int]string{12: "12: 0" + strings.Repeat(", 0", 11), 13: "13: 0" + strings.Repeat(", 0", 11) + ", ..."} {
		e := objective()
		e.Values = e.Values[:0]
		for range n {
			e.Values = append(e.Values, "0")
		}
		if line := lineWith(t, report.Explanation(e), "fixed outcomes"); !strings.HasSuffix(line, "  "+want) {
			t.Errorf("got %q, want %q", line, want)
		}
	}
}
