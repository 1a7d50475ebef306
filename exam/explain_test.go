package exam_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/exam"
)

func explain(t rapid.TB, s sheet, instance string) (*exam.Explanation, *diag.List) {
	t.Helper()
	var diags diag.List
	ref := parse(t, s.reference(s.rows), exam.ParseReference)
	outcomes := parse(t, records(s.outcomes()), exam.ParseRecords)
	return exam.Explain(ref, ref.Task("t"), outcomes, instance, &diags), &diags
}

// What a candidate could have scored at best is what it scores if it has the
// best outcome.
func TestExplainedCeilingsAreScoresOfBestCandidates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		solves := s.change(func(r row) row {
			r.status, r.value, r.solved = "ok", "1", ""
			return r
		})
		best := s.change(func(r row) row {
			r.status, r.solved = "ok", ""
			r.value = slices.MaxFunc(r.values, func(a, b string) int {
				if s.direction == "minimize" {
					a, b = b, a
				}
				return rat(t, a).Cmp(rat(t, b))
			})
			return r
		})
		bestResult, limit := best.score(t), solves.score(t)
		for i := range s.rows {
			e, diags := explain(t, s, s.rows[i].name)
			if e == nil {
				t.Fatal(diags.Text())
			}
			want := exam.Ceiling{Limit: 1, BestKnown: bestResult.Instances[i].Score}
			wantTask := exam.Ceiling{Limit: 1, BestKnown: bestResult.RelativeScore}
			if s.kind == "solve" {
				want.Limit, wantTask.Limit = limit.Instances[i].Score, limit.RelativeScore
			}
			if e.Ceiling != want || e.TaskCeiling != wantTask {
				t.Fatalf("ceilings %+v and %+v, want %+v and %+v", e.Ceiling, e.TaskCeiling, want, wantTask)
			}
			if e.Score.Score > e.Ceiling.Limit || e.Result.RelativeScore > e.TaskCeiling.Limit {
				t.Fatalf("%v and %v are above the limits %+v and %+v", e.Score.Score, e.Result.RelativeScore, e.Ceiling, e.TaskCeiling)
			}
		}
	})
}

// The contribution is what the mean would be if every other instance failed.
func TestExplainedContributionIsTheShareInTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		i := rapid.IntRange(0, len(s.rows)-1).Draw(t, "instance")
		e, diags := explain(t, s, s.rows[i].name)
		if e == nil {
			t.Fatal(diags.Text())
		}
		alone := s.change(func(r row) row {
			if r.name != s.rows[i].name {
				r.status = "crash"
			}
			return r
		})
		if want := alone.score(t).RelativeScore; e.Contribution != want {
			t.Fatalf("contribution %v, want %v", e.Contribution, want)
		}
		sameResult(t, e.Result, s.score(t))
	})
}

func TestExplain(t *testing.T) {
	solve := sheet{kind: "solve", direction: "maximize", relative: "0.02", absolute: "1e-9"}
	solve.rows = []row{{name: "a", values: []string{"1", "0", "1", "1"}, status: "ok"}, {name: "b", values: []string{"0", "0"}, status: "timeout"}}
	objective := plain("0.02", "1e-9", "1.20e1", "10", "12.0", "14")
	failed := objective.change(func(r row) row { r.status = "memout"; return r })
	silent := failed.change(func(r row) row { r.value = ""; return r })
	solved := solve.change(func(r row) row { r.solved = "true"; return r })
	unsolved := solve.change(func(r row) row { r.solved = "false"; return r })
	const phiHalf, phi1 = 0.6914624612740131, 0.8413447460685429
	for _, test := range []struct {
		name         string
		sheet        sheet
		given        string
		score, share float64
		ceiling      exam.Ceiling
	}{
		{"objective", objective, "A = 1.20e1", 0.5, 0.5, exam.Ceiling{Limit: 1, BestKnown: phi1}},
		{"failure that carries a value", failed, "A = 1.20e1", 0, 0, exam.Ceiling{Limit: 1, BestKnown: phi1}},
		{"failure that carries none", silent, "", 0, 0, exam.Ceiling{Limit: 1, BestKnown: phi1}},
		{"solved", solved, "solved", phiHalf, phiHalf / 2, exam.Ceiling{Limit: phiHalf, BestKnown: phiHalf}},
		{"unsolved", unsolved, "not solved", 0.06680720126885807, 0.06680720126885807 / 2, exam.Ceiling{Limit: phiHalf, BestKnown: phiHalf}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, diags := explain(t, test.sheet, "a")
			if e == nil {
				t.Fatal(diags.Text())
			}
			if e.Given != test.given || e.Score.Score != test.score || e.Contribution != test.share || e.Ceiling != test.ceiling {
				t.Errorf("given %q, score %v, share %v, ceiling %+v; want %+v", e.Given, e.Score.Score, e.Contribution, e.Ceiling, test)
			}
			if e.Score.Instance != "a" || len(e.Values) != len(test.sheet.rows[0].values) || string(e.Values[1]) != test.sheet.rows[0].values[1] {
				t.Errorf("it is of %q with %v", e.Score.Instance, e.Values)
			}
			if floor := 0.02 * e.Score.Mu; e.RelativeFloor != floor || e.AbsoluteFloor != 1e-9 || e.Floors != (exam.Floors{Relative: "0.02", Absolute: "1e-9"}) {
				t.Errorf("floors %v and %v of %+v, want %v", e.RelativeFloor, e.AbsoluteFloor, e.Floors, floor)
			}
		})
	}
}

func TestTheRelativeFloorIsOfTheMagnitudeOfMu(t *testing.T) {
	e, diags := explain(t, plain("0.02", "1e-9", "0", "-100", "-100"), "a")
	if e == nil || e.RelativeFloor != 2 || e.Score.Mu != -100 {
		t.Errorf("got %+v\n%s", e, diags.Text())
	}
}

func TestExplainRefusesWhatIsNotEligible(t *testing.T) {
	s := plain("0.02", "1e-9", "12", "10", "14")
	s.rows[0].name, s.unscored = "example-1", []string{"left-out"}
	s.extra = []row{{name: "left-out", status: "ok", value: "1"}}
	for instance, hint := range map[string]string{"exampel-1": `did you mean "example-1"?`, "left-out": "the reference lists it as unscored", "": ""} {
		e, diags := explain(t, s, instance)
		if d := one(t, diags, exam.CodeUnknownEligible); e != nil || d.Hint != hint {
			t.Errorf("%q: %+v, hint %q, want %q", instance, e, d.Hint, hint)
		}
	}
}
