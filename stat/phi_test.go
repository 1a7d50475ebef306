package stat

import (
	"bufio"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rootOf returns the root with the value of a decimal number.
func rootOf(t testing.TB, text string) Root {
	t.Helper()
	x, err := ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return NewRoot(x.Sign(), new(big.Rat).Mul(x, x))
}

func TestPhiKnownValues(t *testing.T) {
	for text, want := range map[string]float64{
		"0":      0.5,
		"1":      0.8413447460685429,
		"-1":     0.15865525393145705,
		"-5":     2.866515718791939e-07,
		"-8.3":   5.2055697448902854e-17,
		"-20":    2.7536241186062337e-89,
		"-37.5":  4.605353009581955e-308,
		"-38.4":  6.4e-323,
		"8.2":    0.9999999999999999,
		"8.3":    1,
		"-40":    0,
		"40":     1,
		"-1e300": 0,
		"1e300":  1,
		"1e-300": 0.5,
		"-1e-30": 0.5,
	} {
		if got := Phi(rootOf(t, text)).Float64(); got != want {
			t.Errorf("Phi(%s) = %v, want %v", text, got, want)
		}
	}
}

// TestPhiTable compares with testdata/phi.tsv, which testdata/phi.py made by
// other methods, from several first precisions.
func TestPhiTable(t *testing.T) {
	file, err := os.Open("testdata/phi.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); rows++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("row %d has %d columns", rows+1, len(fields))
		}
		sign, err := strconv.Atoi(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		square, ok := new(big.Rat).SetString(fields[1])
		want, err := strconv.ParseFloat(fields[2], 64)
		if !ok || err != nil {
			t.Fatalf("row %d: %q", rows+1, fields)
		}
		p := Phi(NewRoot(sign, square))
		if got := p.Float64(); got != want {
			t.Errorf("Phi(%d * sqrt(%v)) = %v, want %v", sign, square, got, want)
		}
		for _, precision := range []uint{40, 57, 300} {
			if got := meanFrom([]Probability{p}, precision); got != want {
				t.Errorf("Phi(%d * sqrt(%v)) = %v from %d bits, want %v",
					sign, square, got, precision, want)
			}
		}
	}
	if rows < 300 {
		t.Fatalf("the table has %d rows only", rows)
	}
}

// drawSquare draws a rational 0 < q <= 1600 of any size and kind.
func drawSquare(t *rapid.T, label string) *big.Rat {
	z := rapid.Float64Range(0x1p-40, 40).Draw(t, label)
	square := new(big.Rat).SetFloat64(z)
	if rapid.Bool().Draw(t, label+" is a root") {
		return square.Mul(square, square)
	}
	return square
}

func drawRoot(t *rapid.T, label string) Root {
	sign := rapid.SampledFrom([]int{-1, 1}).Draw(t, label+" sign")
	return NewRoot(sign, drawSquare(t, label))
}

func intersect(a, b enclosure) bool {
	return a.lo.Cmp(b.hi) <= 0 && b.lo.Cmp(a.hi) <= 0
}

// relativeWidthBelow tells whether hi - lo <= lo * 2^-k.
func relativeWidthBelow(e enclosure, k uint) bool {
	width := new(big.Float).SetPrec(4096).Sub(e.hi, e.lo)
	return width.SetMantExp(width, int(k)).Cmp(e.lo) <= 0
}

// TestPhiEnclosures: enclosures of one number meet, whatever the precision,
// and they are as narrow as they promise.
func TestPhiEnclosures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := drawRoot(t, "z")
		reference := enclosePhi(z, 700)
		for _, precision := range []uint{24, 40, 53, 104, 208, 416} {
			e := enclosePhi(z, precision)
			if e.lo.Sign() < 0 || e.lo.Cmp(e.hi) > 0 || e.hi.Cmp(oneFloat) > 0 {
				t.Fatalf("%d bits: [%g, %g]", precision, e.lo, e.hi)
			}
			if !relativeWidthBelow(e, precision) {
				t.Fatalf("%d bits: too wide: [%g, %g]", precision, e.lo, e.hi)
			}
			// The reference is so narrow that it must lie inside.
			if reference.lo.Cmp(e.lo) < 0 || reference.hi.Cmp(e.hi) > 0 {
				t.Fatalf("%d bits: [%g, %g] lacks [%g, %g]",
					precision, e.lo, e.hi, reference.lo, reference.hi)
			}
		}
	})
}

// TestPhiExpansionsAgree: the series and the continued fraction enclose the
// same number far on both sides of the border between them, at all the digits
// that they have before these are rounded outwards.
func TestPhiExpansionsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.Float64Range(2, 40).Draw(t, "z")
		q := new(big.Rat).SetFloat64(z)
		q.Mul(q, q)
		precision := rapid.SampledFrom([]uint{24, 60, 104, 200}).Draw(t, "precision")
		centre := encloseCentre(q, precision).from(halfFloat)
		tail := encloseTail(q, precision)
		if !intersect(centre, tail) {
			t.Fatalf("z = %v: [%g, %g] and [%g, %g]", z, centre.lo, centre.hi, tail.lo, tail.hi)
		}
		reference := encloseTail(q, 700)
		for _, e := range []enclosure{centre, tail} {
			if reference.lo.Cmp(e.lo) < 0 || reference.hi.Cmp(e.hi) > 0 {
				t.Fatalf("z = %v: [%g, %g] lacks [%g, %g]", z, e.lo, e.hi, reference.lo, reference.hi)
			}
		}
		if !relativeWidthBelow(centre, precision) || !relativeWidthBelow(tail, precision) {
			t.Fatalf("z = %v: an enclosure is too wide", z)
		}
	})
}

func TestPhiIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-41, 41).Draw(t, "a")
		b := a
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			b = math.Nextafter(b, 50)
		}
		phi := func(z float64) float64 {
			x := new(big.Rat).SetFloat64(z)
			return Phi(NewRoot(x.Sign(), new(big.Rat).Mul(x, x))).Float64()
		}
		if phi(a) > phi(b) {
			t.Fatalf("Phi(%v) = %v > Phi(%v) = %v", a, phi(a), b, phi(b))
		}
	})
}

// TestPhiSeparates: enclosures of neighbouring arguments are apart and in
// order once they are narrow enough.
func TestPhiSeparates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sign := rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign")
		near := drawSquare(t, "square")
		far := new(big.Rat).Mul(near, big.NewRat(1<<40+1, 1<<40))
		if far.Cmp(lastSquare) > 0 {
			t.Skip("beyond the cut")
		}
		// At z near 40 the upper side needs all digits of the distance to 1.
		const precision = 1400
		inner, outer := enclosePhi(NewRoot(sign, near), precision), enclosePhi(NewRoot(sign, far), precision)
		if sign < 0 {
			inner, outer = outer, inner
		}
		if inner.hi.Cmp(outer.lo) >= 0 {
			t.Fatalf("Phi at sqrt(%v) and sqrt(%v), sign %d, are not in order", near, far, sign)
		}
	})
}

func TestPhiIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawSquare(t, "square")
		precision := rapid.SampledFrom([]uint{40, 104, 1300}).Draw(t, "precision")
		lower, upper := enclosePhi(NewRoot(-1, q), precision), enclosePhi(NewRoot(1, q), precision)
		if !intersect(lower.from(oneFloat), upper) {
			t.Fatalf("q = %v: [%g, %g] and [%g, %g]", q, lower.lo, lower.hi, upper.lo, upper.hi)
		}
	})
}

// TestPhiBeyondTheCut: the fixed enclosures meet those computed at the cut.
func TestPhiBeyondTheCut(t *testing.T) {
	above := new(big.Rat).Add(lastSquare, big.NewRat(1, 1_000_000))
	for _, sign := range []int{-1, 1} {
		if !intersect(enclosePhi(NewRoot(sign, above), 104), enclosePhi(NewRoot(sign, lastSquare), 104)) {
			t.Errorf("sign %d: the enclosures do not meet", sign)
		}
	}
	last := enclosePhi(NewRoot(-1, lastSquare), 104)
	if last.hi.Cmp(beyondTail.hi) >= 0 {
		t.Errorf("Phi(-40) is at most %g, not below %g", last.hi, beyondTail.hi)
	}
}

// TestTinyArguments: the border of the shortcut around 0 is where it says.
func TestTinyArguments(t *testing.T) {
	for exponent := uint(90); exponent < 120; exponent++ {
		q := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 2*exponent))
		for _, sign := range []int{-1, 1} {
			z := NewRoot(sign, q)
			if !intersect(enclosePhi(z, 104), enclosePhi(z, 500)) {
				t.Errorf("z = %d * 2^-%d: the enclosures do not meet", sign, exponent)
			}
		}
	}
}

func BenchmarkPhi(b *testing.B) {
	for _, text := range []string{
		"0.01", "0.3", "-1", "2", "-3", "-4", "-4.2", "5", "-8", "-20", "-40",
	} {
		z := rootOf(b, text)
		b.Run("z="+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Phi(z)
			}
		})
	}
}

func BenchmarkPhiFloat64(b *testing.B) {
	z := rootOf(b, "-1.234567")
	for b.Loop() {
		Phi(z).Float64()
	}
}
