package exam_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/exam"
)

func sameResult(t *rapid.T, got, want *exam.SolverResult) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		a, _ := json.MarshalIndent(got, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		t.Fatalf("got %s\nwant %s", a, b)
	}
}

// scores are what must be equal where only the unit or the direction differs.
func scores(r *exam.SolverResult) (all []float64) {
	all = append(all, r.RelativeScore)
	for _, in := range r.Instances {
		all = append(all, in.Score)
		if in.Z != nil {
			all = append(all, *in.Z)
		}
	}
	return all
}

func TestOrderOfRecordsInstancesAndValuesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		shuffled := rapid.Permutation(s.rows).Draw(t, "instances")
		for i := range shuffled {
			shuffled[i].values = rapid.Permutation(shuffled[i].values).Draw(t, "values")
		}
		outcomes := rapid.Permutation(s.outcomes()).Draw(t, "records")
		sameResult(t, scoreTexts(t, s.reference(shuffled), records(outcomes)), s.score(t))
	})
}

func TestScoresLieFrom0To1AndTheirMeanBetweenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := sheets(decimals).Draw(t, "sheet").score(t)
		least, most := 1.0, 0.0
		for _, in := range r.Instances {
			least, most = min(least, in.Score), max(most, in.Score)
		}
		if least < 0 || most > 1 || !(least <= r.RelativeScore && r.RelativeScore <= most) {
			t.Fatalf("mean %v of scores from %v to %v", r.RelativeScore, least, most)
		}
	})
}

func TestABetterValueNeverScoresLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Filter(func(s sheet) bool { return s.kind == "objective" }).Draw(t, "sheet")
		i := rapid.IntRange(0, len(s.rows)-1).Draw(t, "instance")
		worse := row{name: s.rows[i].name, values: s.rows[i].values, status: "ok", value: decimals.Draw(t, "a")}
		better := worse
		better.value = decimals.Draw(t, "b")
		if rat(t, better.value).Cmp(rat(t, worse.value)) > 0 != (s.direction == "maximize") {
			worse, better = better, worse
		}
		low, high := s.with(i, worse).score(t), s.with(i, better).score(t)
		if low.RelativeScore > high.RelativeScore || low.Instances[i].Score > high.Instances[i].Score || *low.Instances[i].Z > *high.Instances[i].Z {
			t.Fatalf("%s: %+v with %s, %+v with %s", s.direction, low, worse.value, high, better.value)
		}
	})
}

func TestAValueEqualToTheMeanScoresExactlyHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Filter(func(s sheet) bool { return s.kind == "objective" }).Draw(t, "sheet")
		// The mean of 2, 4 or 5 decimals is a decimal.
		n := rapid.SampledFrom([]int{2, 4, 5}).Draw(t, "n")
		r := row{name: "i0", status: "ok", values: rapid.SliceOfN(decimals, n, n).Draw(t, "values")}
		mean := new(big.Rat)
		for _, v := range r.values {
			mean.Add(mean, rat(t, v))
		}
		r.value = mean.Quo(mean, big.NewRat(int64(n), 1)).FloatString(9)
		if in := s.with(0, r).score(t).Instances[0]; in.Score != 0.5 || *in.Z != 0 {
			t.Fatalf("%s of %v: %+v, z %v", r.value, r.values, in, *in.Z)
		}
	})
}

func negate(number string) string {
	if rest, negative := strings.CutPrefix(number, "-"); negative || number == "" {
		return rest
	}
	return "-" + number
}

func TestAMirroredTaskHasTheSameScores(t *testing.T) {
	opposite := map[string]string{"maximize": "minimize", "minimize": "maximize"}
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Filter(func(s sheet) bool { return s.kind == "objective" }).Draw(t, "sheet")
		mirrored := s.change(func(r row) row {
			r.value = negate(r.value)
			r.values = slices.Clone(r.values)
			for i := range r.values {
				r.values[i] = negate(r.values[i])
			}
			return r
		})
		mirrored.direction = opposite[s.direction]
		want, got := s.score(t), mirrored.score(t)
		got.Direction = exam.Direction(s.direction)
		for i := range got.Instances {
			in := &got.Instances[i]
			in.Mu = 0 - in.Mu
			if in.Value != nil {
				*in.Value = 0 - *in.Value
			}
		}
		sameResult(t, got, want)
	})
}

func TestThePowerOfTenOfTheUnitDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Filter(func(s sheet) bool { return s.kind == "objective" }).Draw(t, "sheet")
		s.absolute = "1e-300" // negligible, since the first two outcomes differ
		s = s.change(func(r row) row {
			r.values = append([]string{"1.5", "1.25"}, r.values...)
			return r
		})
		k := rapid.IntRange(-200, 200).Draw(t, "power")
		scale := func(number string) string {
			if number == "" {
				return ""
			}
			digits, exponent, _ := strings.Cut(number+"e0", "e")
			e, err := strconv.Atoi(strings.TrimSuffix(exponent, "e0"))
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%se%d", digits, e+k)
		}
		scaled := s.change(func(r row) row {
			r.value = scale(r.value)
			r.values = slices.Clone(r.values)
			for i := range r.values {
				r.values[i] = scale(r.values[i])
			}
			return r
		})
		if want, got := scores(s.score(t)), scores(scaled.score(t)); !slices.Equal(got, want) {
			t.Fatalf("1e%d: got %v, want %v", k, got, want)
		}
	})
}

func TestAFailureScores0WhateverItCarries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		i := rapid.IntRange(0, len(s.rows)-1).Draw(t, "instance")
		bare := row{name: s.rows[i].name, values: s.rows[i].values, status: failure.Draw(t, "failure")}
		carrying := bare
		if carrying.solved = rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, "solved"); carrying.solved == "" {
			carrying.value = decimals.Draw(t, "A")
		}
		want, got := s.with(i, bare).score(t), s.with(i, carrying).score(t)
		if in := want.Instances[i]; in.Score != 0 || in.Z != nil || in.Value != nil || in.Status != bare.status {
			t.Fatalf("got %+v", in)
		}
		got.Instances[i].Value = nil
		sameResult(t, got, want)
	})
}

func TestAnUnscoredRecordIsOnlyListed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		want := s.score(t)
		extra := row{name: "y", status: rapid.SampledFrom([]string{"ok", "crash"}).Draw(t, "status"), value: decimals.Draw(t, "A")}
		s.extra = append(slices.Clone(s.extra), extra)
		if rapid.Bool().Draw(t, "known") {
			s.unscored = append(slices.Clone(s.unscored), "y")
		} else {
			want.Warnings = append(want.Warnings, `the instance "y" is unknown to the reference and not scored`)
			slices.Sort(want.Warnings)
		}
		want.UnscoredInstances = append(want.UnscoredInstances, "y")
		sameResult(t, s.score(t), want)
	})
}

func TestAFailureInsteadOfAnOutcomeNeverRaisesTheScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(decimals).Draw(t, "sheet")
		before, failed := s.score(t), 0
		for i, r := range s.rows {
			if r.status != "ok" {
				failed++
				continue
			}
			r.status = failure.Draw(t, "failure")
			if after := s.with(i, r).score(t); after.RelativeScore > before.RelativeScore || after.FailedInstances != before.FailedInstances+1 {
				t.Fatalf("%v with %d failures, before %v with %d", after.RelativeScore, after.FailedInstances, before.RelativeScore, before.FailedInstances)
			}
		}
		if before.FailedInstances != failed || before.EligibleInstances != len(s.rows) {
			t.Fatalf("%d failed of %d, want %d of %d", before.FailedInstances, before.EligibleInstances, failed, len(s.rows))
		}
	})
}

func TestResultsHoldNoNegativeZero(t *testing.T) {
	negativeZero := regexp.MustCompile(`-0[,}\]]`)
	zeros := rapid.SampledFrom([]string{"0", "-0", "-0.0", "-0e9", "1", "-1"})
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(sheets(zeros).Draw(t, "sheet").score(t))
		if err != nil || negativeZero.Match(text) {
			t.Fatalf("%s, %v", text, err)
		}
	})
}

// An independent computation in floating point, with a variance of two passes
// and the error function of package math, comes close.
func TestAFloatingPointComputationAgrees(t *testing.T) {
	whole := rapid.Map(rapid.IntRange(-1000, 1000), func(n int) string { return fmt.Sprint(n) })
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*max(math.Abs(want), 1e-280) }
	rapid.Check(t, func(t *rapid.T) {
		s := sheets(whole).Draw(t, "sheet")
		r := s.score(t)
		number := func(text string) float64 { f, _ := rat(t, text).Float64(); return f }
		total := 0.0
		for i, row := range s.rows {
			mu, ss := 0.0, 0.0
			for _, v := range row.values {
				mu += number(v) // whole numbers: exact
			}
			mu /= float64(len(row.values))
			for _, v := range row.values {
				ss += (number(v) - mu) * (number(v) - mu)
			}
			sd := math.Sqrt(ss / float64(len(row.values)-1))
			scale := max(sd, number(s.relative)*math.Abs(mu), number(s.absolute))
			score := 0.0
			if row.status == "ok" {
				a := map[string]string{"": row.value, "true": "1", "false": "0"}[row.solved]
				z := (number(a) - mu) / scale
				if s.direction == "minimize" {
					z = -z
				}
				if score = 0.5 * math.Erfc(-z/math.Sqrt2); math.Abs(z-*r.Instances[i].Z) > 1e-9*max(1, math.Abs(z)) {
					t.Fatalf("z is %v, not %v", *r.Instances[i].Z, z)
				}
			}
			total += score
			in := r.Instances[i]
			if !near(in.Score, score) || !near(in.Scale, scale) || math.Abs(in.S-sd) > 1e-9 || math.Abs(in.Mu-mu) > 1e-9 {
				t.Fatalf("got %+v, want mu %v, s %v, scale %v, score %v", in, mu, sd, scale, score)
			}
		}
		if want := total / float64(len(s.rows)); !near(r.RelativeScore, want) {
			t.Fatalf("the mean is %v, not %v", r.RelativeScore, want)
		}
	})
}
