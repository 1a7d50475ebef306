package stat_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"scorebook/stat"
)

// A mean of which the probabilities are forgotten is the mean of all of them,
// however they were split.
func TestRunningMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		probability := rapid.Custom(func(t *rapid.T) stat.Probability {
			n, d := rapid.Int64Range(0, 1000).Draw(t, "n"), rapid.Int64Range(1, 1000).Draw(t, "d")
			switch rapid.SampledFrom([]string{"phi", "phi", "exact", "nothing", "far"}).Draw(t, "kind") {
			case "exact":
				return stat.Exactly(big.NewRat(min(n, d), d))
			case "nothing":
				return stat.Probability{}
			case "far":
				return stat.Phi(stat.NewRoot(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"), big.NewRat(2000+n, 1)))
			}
			return stat.Phi(stat.NewRoot(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"), big.NewRat(n, d)))
		})
		ps := rapid.SliceOfN(probability, 1, 40).Draw(t, "probabilities")
		if rapid.Bool().Draw(t, "mirrored") {
			for _, q := range []int64{3, 7} {
				ps = append(ps, stat.Phi(stat.NewRoot(1, big.NewRat(q, 5))), stat.Phi(stat.NewRoot(-1, big.NewRat(q, 5))))
			}
		}
		var whole, rest stat.RunningMean
		at := rapid.IntRange(0, len(ps)).Draw(t, "at")
		for _, p := range ps[:at] {
			whole.Add(p)
		}
		for _, p := range ps[at:] {
			rest.Add(p)
		}
		whole.Join(&rest)
		if got, want := whole.Float64(func() []stat.Probability { return ps }), stat.MeanProbability(ps); got != want {
			t.Fatalf("found %v, expected %v", got, want)
		}
	})
}

func TestRunningMeanOfNone(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a mean of none")
		}
	}()
	new(stat.RunningMean).Float64(nil)
}
