package exam_test

import (
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
)

// small is a contest of one model with one complete attempt at one task of each
// track.
func small() contest {
	return contest{
		items:   map[string][]string{"theorem": {"th"}, "solver": {"so"}, "construction": {"co"}, "open": {"op"}},
		planned: map[string]int{"m": 1},
		rows: []attempt{
			{"m", "theorem", "th", "1", "1", "selected", "valid"},
			{"m", "solver", "so", "1", "0.25", "selected", "valid"},
			{"m", "construction", "co", "1", "1.2", "selected", "valid"},
			{"m", "open", "op", "1", "0", "selected", "valid"},
		},
	}
}

// edited returns a small contest after a change of its rows.
func edited(change func(rows []attempt) []attempt) contest {
	c := small()
	c.rows = change(c.rows)
	return c
}

func TestIndexOfAWorkedExample(t *testing.T) {
	c := small()
	c.items["theorem"] = []string{"t1", "t2", "t3", "t4", "t5"}
	c.rows = c.rows[1:]
	for i, item := range c.items["theorem"] {
		c.rows = append(c.rows, attempt{"m", "theorem", item, "1", map[bool]string{true: "1", false: "0"}[i < 2], "selected", "valid"})
	}
	if m := c.index(t).Models["m"]; m.Index == nil || *m.Index != 55.5 || m.Status != exam.Complete {
		t.Errorf("got %+v, want 55.5", m)
	}
}

func TestAModelWithoutRowsIsIncomplete(t *testing.T) {
	c := small()
	c.planned["absent"] = 2
	m := c.index(t).Models["absent"]
	if m == nil || m.Status != exam.Incomplete || m.Index != nil || len(m.Issues) != 8 || m.Coverage.Planned != 8 {
		t.Fatalf("got %+v", m)
	}
	for _, issue := range m.Issues {
		if issue.Code != exam.NoAttempt {
			t.Errorf("got %+v", issue)
		}
	}
}

func TestPointsOutsideFloat64AreAFaultOfTheLargestScore(t *testing.T) {
	for name, more := range map[string]string{"complete": "selected", "incomplete elsewhere": "excluded"} {
		c := edited(func(rows []attempt) []attempt {
			rows[0].adoption = more
			rows[2].score = "1.7e308"
			return append(rows, attempt{"m", "construction", "co", "0", "1.75e308", "excluded", "valid"})
		})
		suite, cohort, attempts, diags := c.check(t)
		result := exam.ComputeIndex(suite, cohort, attempts, diags)
		d := one(t, diags, exam.CodeAttemptsScoreRange)
		if result != nil || d.Pos.Line != 4 || !strings.Contains(d.Message, "1.7e308") {
			t.Errorf("%s: result %v with %s", name, result, d.Text())
		}
	}
}

func TestFaultsOfAttempts(t *testing.T) {
	set := func(i int, change func(a *attempt)) func([]attempt) []attempt {
		return func(rows []attempt) []attempt { change(&rows[i]); return rows }
	}
	for _, test := range []struct {
		name string
		edit func([]attempt) []attempt
		want []string
	}{
		{"none", set(0, func(*attempt) {}), nil},
		{"theorem between", set(0, func(a *attempt) { a.score = "0.5" }), []string{"attempts/score-range"}},
		{"open above", set(3, func(a *attempt) { a.score = "2" }), []string{"attempts/score-range"}},
		{"solver a little above", set(1, func(a *attempt) { a.score = "1.00000000000000000000001" }), []string{"attempts/score-range"}},
		{"solver a little below", set(1, func(a *attempt) { a.score = "-1e-300" }), []string{"attempts/score-range"}},
		{"construction below", set(2, func(a *attempt) { a.score = "-0.1" }), []string{"attempts/score-range"}},
		{"decimal comma", set(2, func(a *attempt) { a.score = `"0,25"` }), []string{"attempts/score-value"}},
		{"hexadecimal", set(2, func(a *attempt) { a.score = "0x1p-2" }), []string{"attempts/score-value"}},
		{"not a number", set(2, func(a *attempt) { a.score = "NaN" }), []string{"attempts/score-value"}},
		{"no score", set(2, func(a *attempt) { a.score = "" }), []string{"attempts/score-value"}},
		{"no score is needed", set(2, func(a *attempt) { a.score, a.status = "", "missing" }), nil},
		{"excluded score", set(2, func(a *attempt) { a.score, a.adoption = "NaN", "excluded" }), nil},
		{"excluded, unknown status", set(2, func(a *attempt) { a.status, a.adoption = "vlid", "excluded" }), []string{"attempts/unknown-value"}},
		{"unknown adoption", set(2, func(a *attempt) { a.adoption = "Selected" }), []string{"attempts/unknown-value"}},
		{"unknown model", set(2, func(a *attempt) { a.model = "M" }), []string{"attempts/unknown-model"}},
		{"unknown item", set(2, func(a *attempt) { a.item = "c0" }), []string{"attempts/unknown-item"}},
		{"unknown track", set(0, func(a *attempt) { a.track = "theorm" }), []string{"attempts/unknown-track"}},
		{"no attempt", set(0, func(a *attempt) { a.name = "" }), []string{"attempts/unknown-value"}},
		{"duplicate", func(r []attempt) []attempt { return append(r, r[0]) }, []string{"attempts/duplicate"}},
		{"duplicate of an excluded row", func(r []attempt) []attempt {
			r[0].adoption = "excluded"
			return append(r, r[0])
		}, []string{"attempts/duplicate"}},
		{"more than planned", func(r []attempt) []attempt {
			r = append(r, r[0])
			r[4].name = "2"
			return r
		}, []string{"attempts/excess-repetitions"}},
		{"a row without a result fills its place", func(r []attempt) []attempt {
			r = append(r, r[0])
			r[4].name, r[4].status = "2", "judge_failed"
			return r
		}, []string{"attempts/excess-repetitions"}},
		{"an excluded row fills no place", func(r []attempt) []attempt {
			r = append(r, r[0])
			r[4].name, r[4].adoption = "2", "excluded"
			return r
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, _, diags := edited(test.edit).check(t)
			if got := codes(diags); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}

func TestAdoptedRowsCarryTypeAndProtocolOfTheirTrack(t *testing.T) {
	good := table(small().rows)
	for _, test := range []struct{ name, old, new, want string }{
		{"solver row of another type", "valid,fixed_reference_relative", "valid,original_task_score", "attempts/score-type"},
		{"theorem row of another type", "1,selected,valid,original_task_score", "1,selected,valid,fixed_reference_relative", "attempts/score-type"},
		{"solver row of another protocol", "relative,offline", "relative,online", "attempts/protocol"},
		{"solver row without a protocol", "relative,offline", "relative,", "attempts/protocol"},
		{"excluded solver row", "0.25,selected,valid,fixed_reference_relative,offline", "0.25,excluded,valid,original_task_score,online", ""},
		{"theorem row of any protocol", "original_task_score,\n", "original_task_score,online\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(good, test.old, test.new, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			var diags diag.List
			suite, cohort, _, _ := small().check(t)
			exam.ParseAttempts(source(text), &diags).Check(suite, cohort, &diags)
			if got := strings.Join(codes(&diags), " "); got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}

func TestEvidenceBacksEverySolverRow(t *testing.T) {
	output := func(task, reference, score string) string {
		return `{"task": "` + task + `", "reference_id": "` + reference + `", "relative_score": ` + score + `, "anything": 1}`
	}
	for _, test := range []struct {
		name   string
		change func(a *attempt)
		given  []string
		want   string
	}{
		{"backed", nil, []string{output("so", "r", "0.75"), output("so", "r", "0.25"), output("other", "r", "1")}, ""},
		{"backed in another spelling", nil, []string{output("so", "r", "25e-2")}, ""},
		{"nothing", nil, nil, "evidence/missing"},
		{"of another task", nil, []string{output("th", "r", "0.25")}, "evidence/missing"},
		{"of another reference", nil, []string{output("so", "R", "0.25")}, "evidence/mismatch"},
		{"of another score", nil, []string{output("so", "r", "0.25000000000000006")}, "evidence/mismatch"},
		{"excluded row", func(a *attempt) { a.adoption = "excluded" }, nil, ""},
		{"row without a result", func(a *attempt) { a.status = "missing" }, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, cohort, attempts, _ := edited(func(rows []attempt) []attempt {
				if test.change != nil {
					test.change(&rows[1])
				}
				return rows
			}).check(t)
			var evidence []*exam.Evidence
			for _, text := range test.given {
				evidence = append(evidence, parse(t, text, exam.ParseEvidence))
			}
			var diags diag.List
			attempts.CheckEvidence(cohort, evidence, "", &diags)
			if got := strings.Join(codes(&diags), " "); got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}
