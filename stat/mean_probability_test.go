package stat

import (
	"math/big"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func drawProbability(t *rapid.T) Probability {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return Probability{}
	case 1:
		n := rapid.Int64Range(1, 1000).Draw(t, "denominator")
		return Exactly(big.NewRat(rapid.Int64Range(0, n).Draw(t, "numerator"), n))
	default:
		return Phi(drawRoot(t, "z"))
	}
}

func TestMeanProbabilityOfExactValues(t *testing.T) {
	tenth := Exactly(big.NewRat(1, 10))
	for name, c := range map[string]struct {
		ps   []Probability
		want float64
	}{
		"zero value":         {[]Probability{{}}, 0},
		"one":                {[]Probability{Exactly(one)}, 1},
		"three tenths":       {[]Probability{tenth, tenth, tenth}, 0.1},
		"thirds":             {[]Probability{Exactly(one), {}, {}}, 1.0 / 3},
		"centre and failure": {[]Probability{Phi(Root{}), {}}, 0.25},
	} {
		if got := MeanProbability(c.ps); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestMeanProbabilityOnATie: means that lie exactly halfway between two
// float64s, which no refinement of the single values could settle.
func TestMeanProbabilityOnATie(t *testing.T) {
	plus, minus := Phi(rootOf(t, "1.7")), Phi(rootOf(t, "-1.7"))
	// 1 + 2^-52 and its neighbours, times 1/4, with half a unit added.
	ulp := new(big.Rat).SetFloat64(0x1p-52)
	for units, want := range map[int64]float64{
		1: 0.25,                 // tie between 0 and 1 unit, to even
		3: 0.25 * (1 + 0x1p-51), // tie between 1 and 2 units, to even
		5: 0.25 * (1 + 0x1p-51), // tie between 2 and 3 units, to even
	} {
		rest := new(big.Rat).Mul(ulp, big.NewRat(units, 2))
		ps := []Probability{plus, Exactly(rest), minus, {}}
		if got := MeanProbability(ps); got != want {
			t.Errorf("%d half units: %b, want %b", units, got, want)
		}
		// A value beyond the cut on top breaks the tie upwards. A fifth
		// value would change the mean, so it takes the place of the zero.
		ps[3] = Phi(rootOf(t, "-41"))
		above := 0.25 * (1 + float64(units+1)/2*0x1p-52)
		if got := MeanProbability(ps); got != above {
			t.Errorf("%d half units and a bit: %b, want %b", units, got, above)
		}
	}
}

// TestMeanProbabilityPairs: a mean with opposite values is that of the exact
// sums and of what is left.
func TestMeanProbabilityPairs(t *testing.T) {
	a, b := Phi(rootOf(t, "0.7")), Phi(rootOf(t, "-0.7"))
	c := Phi(rootOf(t, "-3"))
	s := newSum([]Probability{a, c, b, a, b, b, a, a}).pair()
	if s.exact.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("exact part %v, want 3", s.exact)
	}
	if len(s.terms) != 2 || s.terms[0].count != 1 || s.terms[0].p.z.sign != 1 ||
		s.terms[1].count != 1 || s.terms[1].p.z.sign != -1 {
		t.Errorf("terms %+v", s.terms)
	}
	if got := MeanProbability([]Probability{a, b}); got != 0.5 {
		t.Errorf("mean of opposite values %v", got)
	}
}

// TestMeanProbabilityReference compares with the mean of enclosures of 3,000
// bits, summed as rationals.
func TestMeanProbabilityReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Custom(drawProbability), 1, 8).Draw(t, "ps")
		lo, hi := new(big.Rat), new(big.Rat)
		for _, p := range ps {
			if p.z.sign == 0 {
				if p.exact != nil {
					lo.Add(lo, p.exact)
					hi.Add(hi, p.exact)
				}
				continue
			}
			e := enclosePhi(p.z, 3000)
			l, _ := e.lo.Rat(nil)
			h, _ := e.hi.Rat(nil)
			lo.Add(lo, l)
			hi.Add(hi, h)
		}
		n := big.NewRat(int64(len(ps)), 1)
		want, same := Float64(lo.Quo(lo, n)), Float64(hi.Quo(hi, n))
		if want != same {
			t.Skip("a tie or nearly one")
		}
		if got := MeanProbability(ps); got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestMeanProbabilityIgnoresOrderAndPrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Custom(drawProbability), 1, 12).Draw(t, "ps")
		want := MeanProbability(ps)
		shuffled := rapid.Permutation(ps).Draw(t, "shuffled")
		if got := MeanProbability(shuffled); got != want {
			t.Fatalf("another order: %v, want %v", got, want)
		}
		precision := uint(rapid.IntRange(24, 400).Draw(t, "precision"))
		if got := meanFrom(shuffled, precision); got != want {
			t.Fatalf("from %d bits: %v, want %v", precision, got, want)
		}
	})
}

// TestRefinementRuns: a first precision below that of float64 leaves nearly
// every rounding in doubt, and each doubling narrows the enclosure.
func TestRefinementRuns(t *testing.T) {
	s := newSum([]Probability{Phi(rootOf(t, "-1")), Phi(rootOf(t, "-0.9"))})
	if _, certain := s.encloseMean(24).round(); certain {
		t.Error("24 bits were enough")
	}
	if _, certain := s.pair().encloseMean(96).round(); !certain {
		t.Error("96 bits were not enough")
	}
}

func TestMeanProbabilityOfTinyValues(t *testing.T) {
	p := Phi(rootOf(t, "-38.4"))
	many := make([]Probability, 1000)
	for i := range many {
		many[i] = p
	}
	if got := MeanProbability(many); got != p.Float64() {
		t.Errorf("mean of equal values %v, want %v", got, p.Float64())
	}
	beyond := []Probability{Phi(rootOf(t, "-41")), Phi(rootOf(t, "-50"))}
	if got := MeanProbability(beyond); got != 0 {
		t.Errorf("mean beyond the cut %v, want 0", got)
	}
}

func TestProbabilityIsSafeForConcurrentUse(t *testing.T) {
	ps := []Probability{Phi(rootOf(t, "-3")), Phi(rootOf(t, "5")), Phi(rootOf(t, "41")), {}, Exactly(half)}
	want := MeanProbability(ps)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			if got := meanFrom(ps, uint(30+worker)); got != want {
				t.Errorf("worker %d: %v, want %v", worker, got, want)
			}
		})
	}
	group.Wait()
}

func TestProbabilityPanics(t *testing.T) {
	mustPanic(t, "negative", func() { Exactly(big.NewRat(-1, 10)) })
	mustPanic(t, "above one", func() { Exactly(big.NewRat(11, 10)) })
	mustPanic(t, "empty mean", func() { MeanProbability(nil) })
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

func BenchmarkMeanProbability(b *testing.B) {
	ps := make([]Probability, 60)
	for i := range ps {
		ps[i] = Phi(NewRoot(1-2*(i%2), big.NewRat(int64(i*i)+1, 97)))
	}
	for b.Loop() {
		MeanProbability(ps)
	}
}
