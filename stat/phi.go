package stat

import (
	"math/big"
	"math/bits"
)

// Phi returns the standard normal distribution function at z, the probability
// that a standard normal variable is at most z. It is exactly 1/2 at z = 0.
//
// Where |z| > 40 the distance to 0 or 1 is enclosed by [0, 2^-1160] and is not
// refined: Phi(-40) = 3.66e-350 = 2^-1160.9, far below half of the smallest
// float64, 2^-1075.
//
// Every use of the distribution function goes through here. A quicker method
// may replace the first enclosure as long as its bounds are proven.
func Phi(z Root) Probability {
	if z.sign == 0 {
		return Exactly(half)
	}
	return Probability{z: z, first: enclosePhi(z, firstPrecision)}
}

// tailDivisor places the border between the expansions at q = precision /
// tailDivisor. Either of them is right on both sides; the choice is about
// time, and makes the number of terms proportional to the precision at worst.
const tailDivisor = 6

var (
	half      = big.NewRat(1, 2)
	halfFloat = big.NewFloat(0.5)
	oneFloat  = big.NewFloat(1)

	// For z*z > lastSquare, beyondTail encloses Phi(-|z|) and beyondHead
	// encloses Phi(|z|).
	lastSquare = big.NewRat(40*40, 1)
	beyondTail = enclosure{newDown(64), newUp(64).SetMantExp(oneFloat, -1160)}
	beyondHead = enclosure{newDown(1160).Sub(oneFloat, beyondTail.hi), oneFloat}
)

// enclosePhi encloses Phi(z), for z != 0, with a relative width of at most
// 2^-precision, except where Phi declares otherwise.
func enclosePhi(z Root, precision uint) enclosure {
	q := z.square
	switch {
	case q.Cmp(lastSquare) > 0:
		if z.sign < 0 {
			return beyondTail
		}
		return beyondHead
	case isTiny(q, precision):
		// 0 < Phi(|z|) - 1/2 < |z|/sqrt(2 pi) < |z|/2.
		return aroundHalf(z.sign, enclosure{
			newDown(precision + 8),
			newUp(precision+8).SetMantExp(oneFloat, -int(precision)-2),
		})
	case q.Cmp(big.NewRat(int64(precision), tailDivisor)) < 0:
		return aroundHalf(z.sign, encloseCentre(q, precision)).outward(precision + 4)
	case z.sign < 0:
		return encloseTail(q, precision).outward(precision + 4)
	default:
		return encloseTail(q, precision).from(oneFloat).outward(precision + 4)
	}
}

// isTiny tells whether |z| is so small that Phi(z) is 1/2 for the purpose of
// this precision. If so, |z| <= 2^-(precision+1): the lengths differ by at
// least 2 precision + 3, so q < 2^-(2 precision + 2).
func isTiny(q *big.Rat, precision uint) bool {
	return q.Denom().BitLen()-q.Num().BitLen() > 2*int(precision)+2
}

// aroundHalf encloses 1/2 + sign*x for x in e.
func aroundHalf(sign int, e enclosure) enclosure {
	if sign < 0 {
		return e.from(halfFloat)
	}
	return e.plus(halfFloat)
}

// encloseCentre encloses Phi(|z|) - 1/2 = |z| phi(z) S(q), where
// S(q) = 1 + q/3 + q^2/(3*5) + ..., for 0 < q <= 1600.
//
// 1/2 minus the result, Phi(-|z|), must keep a relative width of 2^-precision.
// It is above exp(-q/2)/(8 max(1, |z|)), hence above 2^-(g+9) where g is
// guardBits(q), and the result is below 1/2, so a relative width of
// 2^-(precision+g+9) does.
//
// By newDensity and centreSeries the relative error of the product, with its
// roundings, is below 2^(34-w) + 2^(g+16-w) < 2^(g+35-w). It is widened by
// twice as much on either side, to 2^(g+38-w) in all, and w is at least
// precision + 2g + 48.
func encloseCentre(q *big.Rat, precision uint) enclosure {
	g := guardBits(q)
	d := newDensity(q, precision+2*g+48)
	v := d.float().Mul(d.root, d.centreSeries())
	v.Mul(v, invSqrtTau(d.w))
	v.Quo(v, d.expHalf())
	return widen(v, v, int(d.w)-int(g)-36)
}

// guardBits returns an integer g >= 1 with exp(q/2) < 2^g; 1/(2 ln 2) is below
// 0.7214.
func guardBits(q *big.Rat) uint {
	above := new(big.Int).Quo(q.Num(), q.Denom()).Uint64() + 1
	return uint(above*7214/10000) + 1
}

// encloseTail encloses Phi(-|z|) = phi(z)/|z| / M(q), where
// M(q) = 1 + 1/(q + 2/(1 + 3/(q + 4/(1 + ...)))), for 1 <= q <= 1600.
//
// The relative errors are 2^(34-w) of phi(z)/|z|, by newDensity, and less than
// 2^(3+k-w) of the bounds of 1/M, where k is the length of the number of
// levels. Their sum, with the roundings, is below 2^(10+max(k,25)-w), and it
// is widened by twice as much. w is at least precision + 48, and k is below 25
// unless the expansion is used far outside of its domain.
func encloseTail(q *big.Rat, precision uint) enclosure {
	d := newDensity(q, precision+48)
	lo, hi, levels := d.tailFraction(precision + 2)
	v := d.float().Mul(d.root, d.expHalf())
	v.Quo(invSqrtTau(d.w), v)
	lo.Mul(lo, v)
	hi.Mul(hi, v)
	return widen(lo, hi, int(d.w)-11-max(25, bits.Len(levels)))
}
