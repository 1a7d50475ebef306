package stat_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"scorebook/stat"
)

// power returns 2^n.
func power(n int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// checkNearest fails unless root is the float64 nearest to the square root of
// q, ties to even: the squares of the points halfway to its neighbours must
// enclose q. The point above MaxFloat64 is halfway to 2^1024.
func checkNearest(t interface{ Fatalf(string, ...any) }, q *big.Rat, root float64) {
	if root < 0 || math.Signbit(root) || math.IsNaN(root) {
		t.Fatalf("root of %v is %v", q, root)
	}
	exact := func(f float64) *big.Rat {
		if math.IsInf(f, 1) {
			return power(1024)
		}
		return new(big.Rat).SetFloat64(f)
	}
	even := math.Float64bits(root)%2 == 0
	halfway := func(a, b float64) int {
		m := new(big.Rat).Add(exact(a), exact(b))
		m.Mul(m, big.NewRat(1, 2))
		return q.Cmp(m.Mul(m, m))
	}
	if root > 0 {
		if c := halfway(math.Nextafter(root, 0), root); c < 0 || c == 0 && !even {
			t.Fatalf("root of %v is below %v", q, root)
		}
	}
	if !math.IsInf(root, 1) {
		if c := halfway(root, math.Nextafter(root, math.Inf(1))); c > 0 || c == 0 && !even {
			t.Fatalf("root of %v is above %v", q, root)
		}
	}
}

func TestSqrtIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Uint64Range(1, math.MaxUint64).Draw(t, "a")
		b := rapid.Uint64Range(1, math.MaxUint64).Draw(t, "b")
		q := new(big.Rat).SetFrac(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		q.Mul(q, power(rapid.IntRange(-2200, 2100).Draw(t, "exponent")))
		checkNearest(t, q, stat.Sqrt(q))
	})
}

// TestSqrtOfSquares draws squares of float64s, of the points halfway between
// two of them, and of numbers a little to either side.
func TestSqrtOfSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64Range(0, math.Float64bits(math.MaxFloat64)-1).Draw(t, "bits")
		f := math.Float64frombits(bits)
		x := new(big.Rat).SetFloat64(f)
		if rapid.Bool().Draw(t, "halfway") {
			x.Add(x, new(big.Rat).SetFloat64(math.Nextafter(f, math.Inf(1))))
			x.Mul(x, big.NewRat(1, 2))
		}
		q := new(big.Rat).Mul(x, x)
		checkNearest(t, q, stat.Sqrt(q))
		q.Mul(q, new(big.Rat).Add(big.NewRat(1, 1), power(-3000)))
		checkNearest(t, q, stat.Sqrt(q))
		q.Mul(x, x)
		q.Mul(q, new(big.Rat).Sub(big.NewRat(1, 1), power(-3000)))
		checkNearest(t, q, stat.Sqrt(q))
	})
}

func TestSqrtBorders(t *testing.T) {
	largest := new(big.Rat).SetFloat64(math.MaxFloat64)
	halfway := new(big.Rat).Add(largest, power(1024))
	halfway.Mul(halfway, big.NewRat(1, 2))
	below := new(big.Rat).Sub(halfway, power(-5000))
	square := func(x *big.Rat) *big.Rat { return new(big.Rat).Mul(x, x) }
	for name, c := range map[string]struct {
		q    *big.Rat
		want float64
	}{
		"zero":                         {new(big.Rat), 0},
		"four":                         {big.NewRat(4, 1), 2},
		"a third":                      {big.NewRat(1, 9), 1.0 / 3},
		"two":                          {big.NewRat(2, 1), math.Sqrt2},
		"greatest":                     {square(largest), math.MaxFloat64},
		"halfway to overflow":          {square(halfway), math.Inf(1)},
		"just below it":                {square(below), math.MaxFloat64},
		"smallest":                     {power(-2148), math.SmallestNonzeroFloat64},
		"halfway to zero":              {power(-2150), 0},
		"just above it":                {new(big.Rat).Add(power(-2150), power(-9000)), math.SmallestNonzeroFloat64},
		"three halves of the smallest": {new(big.Rat).Mul(big.NewRat(9, 1), power(-2150)), 2 * math.SmallestNonzeroFloat64},
	} {
		if got := stat.Sqrt(c.q); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSqrtAgainstHardware: the square root of a float64 is correctly rounded
// by every processor that follows IEEE 754.
func TestSqrtAgainstHardware(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(0, math.MaxFloat64).Draw(t, "f")
		if got, want := stat.Sqrt(new(big.Rat).SetFloat64(f)), math.Sqrt(f); got != want {
			t.Fatalf("root of %v is %v, want %v", f, got, want)
		}
	})
}

func TestRoot(t *testing.T) {
	for _, c := range []struct {
		sign   int
		square *big.Rat
		want   float64
		still  int
	}{
		{-7, big.NewRat(9, 4), -1.5, -1},
		{+7, big.NewRat(9, 4), 1.5, +1},
		{0, big.NewRat(9, 4), 0, 0},
		{-1, new(big.Rat), 0, 0},
		{-1, power(-4000), 0, -1},
		{-1, power(4000), math.Inf(-1), -1},
		{+1, power(4000), math.Inf(1), +1},
	} {
		r := stat.NewRoot(c.sign, c.square)
		f := r.Float64()
		if f != c.want || f == 0 && math.Signbit(f) || r.Sign() != c.still {
			t.Errorf("NewRoot(%d, %v): %v, sign %d", c.sign, c.square, f, r.Sign())
		}
	}
	var zero stat.Root
	if zero.Float64() != 0 || zero.Sign() != 0 {
		t.Error("the zero value is not 0")
	}
}

func TestRootKeepsACopy(t *testing.T) {
	for _, sign := range []int{-1, 1} {
		square := big.NewRat(4, 1)
		r := stat.NewRoot(sign, square)
		square.SetInt64(9)
		if r.Float64() != 2*float64(sign) {
			t.Error("the root changed with its argument")
		}
	}
	q := big.NewRat(1, 2)
	p := stat.Exactly(q)
	q.SetInt64(1)
	if p.Float64() != 0.5 {
		t.Error("the probability changed with its argument")
	}
}

func TestRootPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"root": func() { stat.NewRoot(1, big.NewRat(-1, 2)) },
		"sqrt": func() { stat.Sqrt(big.NewRat(-1, 2)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a negative number: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestFloat64(t *testing.T) {
	tiny := power(-2000)
	for _, q := range []*big.Rat{new(big.Rat).Neg(tiny), tiny, new(big.Rat)} {
		if f := stat.Float64(q); f != 0 || math.Signbit(f) {
			t.Errorf("Float64(%v) = %v, sign bit %v", q, f, math.Signbit(f))
		}
	}
	tie := new(big.Rat).Add(big.NewRat(1, 1), power(-53))
	if f := stat.Float64(tie); f != 1 {
		t.Errorf("a tie rounds to %b", f)
	}
	if f := stat.Float64(tie.Neg(tie.Add(tie, power(-900)))); f != -1-0x1p-52 {
		t.Errorf("a little more than a tie rounds to %b", f)
	}
	if f := stat.Float64(new(big.Rat).Neg(power(1024))); !math.IsInf(f, -1) {
		t.Errorf("-2^1024 rounds to %v", f)
	}
}
