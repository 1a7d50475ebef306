package stat

import "math/big"

// density holds what both expansions of Phi need of their argument z, in
// numbers with w significant or w fractional bits.
type density struct {
	w    uint
	q    *big.Int   // floor(z*z * 2^w)
	log2 uint       // z*z < 2^log2; at most 11
	root *big.Float // |z|, relative error below 2^(2-w)
}

// newDensity prepares the argument with z*z = q, 0 < q <= 1600. The precision
// is at least w, and 16 bits short of whole machine words: the numbers of the
// series, a little above 2^w, then fill the words.
//
// The factors of the density have these relative errors: root and invSqrtTau
// 2^(2-w), expHalf 2^(33-w). A product or quotient of them, with a few
// roundings of 2^-w, stays below 2^(34-w).
func newDensity(q *big.Rat, w uint) *density {
	const word, spare = 64, 16
	w = (w+spare+word-1)/word*word - spare
	scaled, shift, _ := scaleForRoot(q, w)
	d := &density{w: w}
	d.root = d.float().SetInt(new(big.Int).Sqrt(scaled))
	d.root.SetMantExp(d.root, -shift)
	d.q = scaled.Rsh(scaled, uint(2*shift-int(w))) // 2*shift >= 2w - 12
	if length := uint(d.q.BitLen()); length > w {
		d.log2 = length - w
	}
	return d
}

// float returns a new zero with w bits that rounds to nearest.
func (d *density) float() *big.Float {
	return new(big.Float).SetPrec(d.w)
}

// expHalf returns exp(q/2) from below, relative error less than 2^(33-w).
//
// With j = log2 + 7 and y = q/2^(j+1) < 2^-8, it is exp(y) squared j times. In
// units of 2^-w, the terms y^k/k! are computed with deficits d_k <=
// (y d_(k-1) + y^(k-1)/(k-1)!)/k + 2, from two roundings down and the one in
// y; that is at most 4 for each, and at most 8 for all terms after the last,
// whose computed value is 0. There are n <= w/8 + 1 < 2^12 terms, so the
// relative deficit of the sum, which is at least 1, is below (4n+8) 2^-w. A
// squaring doubles the relative deficit, and truncation adds 2^(1-w) each
// time. The total is below 2^j (4n+12) 2^-w with j <= 18.
func (d *density) expHalf() *big.Float {
	j := d.log2 + 7
	y := new(big.Int).Rsh(d.q, j+1)
	sum := new(big.Int).Lsh(big.NewInt(1), d.w)
	term, product, divisor := new(big.Int).Set(sum), new(big.Int), new(big.Int)
	for k := int64(1); term.Sign() > 0; k++ {
		product.Rsh(product.Mul(term, y), d.w)
		term.Quo(product, divisor.SetInt64(k))
		sum.Add(sum, term)
	}
	e, square := d.float().SetMode(big.ToZero), d.float().SetMode(big.ToZero)
	e.SetInt(sum)
	e.SetMantExp(e, -int(d.w))
	for range j {
		square.Mul(e, e)
		e, square = square, e
	}
	return e
}
