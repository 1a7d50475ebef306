package stat_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"scorebook/stat"
)

func rats(t testing.TB, texts ...string) []*big.Rat {
	t.Helper()
	xs := make([]*big.Rat, len(texts))
	for i, text := range texts {
		x, err := stat.ParseDecimal(text)
		if err != nil {
			t.Fatal(err)
		}
		xs[i] = x
	}
	return xs
}

func TestMoments(t *testing.T) {
	for _, c := range []struct {
		xs             []string
		mean, variance *big.Rat
	}{
		{[]string{"10", "12", "14"}, big.NewRat(12, 1), big.NewRat(4, 1)},
		{[]string{"0.1", "0.2", "0.4"}, big.NewRat(7, 30), big.NewRat(7, 300)},
		{[]string{"1", "0.5", "0.25"}, big.NewRat(7, 12), big.NewRat(7, 48)},
		{[]string{"0.2", "1", "0.5"}, big.NewRat(17, 30), big.NewRat(49, 300)},
		{[]string{"-3", "3"}, new(big.Rat), big.NewRat(18, 1)},
		{[]string{"5", "5", "5", "5"}, big.NewRat(5, 1), new(big.Rat)},
		{[]string{"0", "0"}, new(big.Rat), new(big.Rat)},
	} {
		xs := rats(t, c.xs...)
		if got := stat.Mean(xs); got.Cmp(c.mean) != 0 {
			t.Errorf("mean of %v = %v, want %v", c.xs, got, c.mean)
		}
		if got := stat.Variance(xs); got.Cmp(c.variance) != 0 {
			t.Errorf("variance of %v = %v, want %v", c.xs, got, c.variance)
		}
	}
	if got := stat.Mean(rats(t, "7")); got.Cmp(big.NewRat(7, 1)) != 0 {
		t.Errorf("mean of 7 = %v", got)
	}
}

// TestMomentsAgainstDefinition compares with the definitions in plain rational
// arithmetic, and checks that the inputs are left alone.
func TestMomentsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *big.Rat {
			denominators := []int64{1, 2, 10, 12, 1000, 1 << 40, 1e15}
			denominator := rapid.SampledFrom(denominators).Draw(t, "denominator")
			return big.NewRat(rapid.Int64().Draw(t, "numerator"), denominator)
		}), 2, 12).Draw(t, "xs")
		before := fmt.Sprint(xs)

		n := big.NewRat(int64(len(xs)), 1)
		mean := new(big.Rat)
		for _, x := range xs {
			mean.Add(mean, x)
		}
		mean.Quo(mean, n)
		variance, d := new(big.Rat), new(big.Rat)
		for _, x := range xs {
			d.Sub(x, mean)
			variance.Add(variance, d.Mul(d, d))
		}
		variance.Quo(variance, n.Sub(n, big.NewRat(1, 1)))

		if got := stat.Mean(xs); got.Cmp(mean) != 0 {
			t.Fatalf("mean %v, want %v", got, mean)
		}
		if got := stat.Variance(xs); got.Cmp(variance) != 0 {
			t.Fatalf("variance %v, want %v", got, variance)
		}
		if after := fmt.Sprint(xs); after != before {
			t.Fatalf("inputs changed from %v to %v", before, after)
		}
		shuffled := rapid.Permutation(xs).Draw(t, "shuffled")
		if got := stat.Variance(shuffled); got.Cmp(variance) != 0 {
			t.Fatalf("variance in another order %v, want %v", got, variance)
		}
	})
}

// TestMomentsStaySmall: the common denominator of decimals does not grow with
// their number. A product of 20,000 denominators would not end in this life.
func TestMomentsStaySmall(t *testing.T) {
	xs := rats(t, "1e-300", "3e-200", "0.25", "7e-299")
	for len(xs) < 20_000 {
		xs = append(xs, xs...)
	}
	if got := stat.Variance(xs).Denom().BitLen(); got > 2100 {
		t.Errorf("the variance has a denominator of %d bits", got)
	}
}

func TestMomentsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"mean of nothing":     func() { stat.Mean(nil) },
		"variance of nothing": func() { stat.Variance(nil) },
		"variance of one":     func() { stat.Variance([]*big.Rat{new(big.Rat)}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkVariance(b *testing.B) {
	short := []string{"10.25", "12.5", "14.125"}
	long := []string{
		"1234.5678", "0.001", "17", "3.14159265358979", "2.71828182845905",
		"1e-9", "99999.5", "0.3333333333333333", "42.42", "1000000", "7.0625",
	}
	for _, texts := range [][]string{short, long} {
		xs := rats(b, texts...)
		b.Run(fmt.Sprintf("n=%d", len(xs)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stat.Variance(xs)
			}
		})
	}
}
