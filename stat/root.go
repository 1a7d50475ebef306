package stat

import "math/big"

// Root is a real number known by its sign and its exact square: the number
// sign * sqrt(square). A z-score (a-mu)/s whose square is rational is one. The
// zero value is the number 0. A Root is immutable.
type Root struct {
	sign   int      // -1, 0, +1
	square *big.Rat // positive; nil if sign is 0
}

// NewRoot returns the number sgn(sign) * sqrt(square); it is 0 if either is 0.
// It panics if square is negative. It keeps a copy of square.
func NewRoot(sign int, square *big.Rat) Root {
	switch {
	case square.Sign() < 0:
		panic("stat: root of a negative number")
	case square.Sign() == 0 || sign == 0:
		return Root{}
	case sign < 0:
		return Root{-1, new(big.Rat).Set(square)}
	default:
		return Root{+1, new(big.Rat).Set(square)}
	}
}

// Sign returns -1, 0 or +1.
func (r Root) Sign() int { return r.sign }

// Float64 returns the nearest float64, ties to even: an infinity if the number
// is too great, 0 and never -0 if it is too small.
func (r Root) Float64() float64 {
	switch r.sign {
	case +1:
		return Sqrt(r.square)
	case -1:
		return 0 - Sqrt(r.square)
	default:
		return 0
	}
}

// Float64 returns the float64 nearest to q, ties to even: an infinity if q is
// too great, 0 and never -0 if it is too small.
func Float64(q *big.Rat) float64 {
	f, _ := q.Float64()
	return f + 0 // -0 + 0 is 0, and nothing else changes
}

// Sqrt returns the float64 nearest to the square root of q, ties to even: +Inf
// if the root is too great, 0 if it is too small. It panics if q is negative.
//
// The root is cut off after at least 64 significant bits; one more bit, set
// unless the root ends there, stands for all that was cut off. Rounding this
// integer therefore rounds the root itself: the lowest bit decides nothing but
// whether the root lies on or above a point halfway between two float64s.
func Sqrt(q *big.Rat) float64 {
	if q.Sign() < 0 {
		panic("stat: square root of a negative number")
	}
	if q.Sign() == 0 {
		return 0
	}
	scaled, shift, exact := scaleForRoot(q, 65)
	root := new(big.Int).Sqrt(scaled)
	exact = exact && new(big.Int).Mul(root, root).Cmp(scaled) == 0
	root.Lsh(root, 1)
	if !exact {
		root.SetBit(root, 0, 1)
	}
	mantissa := new(big.Float).SetInt(root) // exact: its precision is made to fit
	f, _ := mantissa.SetMantExp(mantissa, -shift-1).Float64()
	return f
}

// scaleForRoot returns n = floor(q * 4^shift) with shift such that the integer
// square root of n has at least the given number of bits, and at most one
// more. exact tells whether nothing was cut off. The shift may be negative.
//
// It holds 2^(e-1) < q < 2^(e+1) for the difference e of the lengths below, so
// 2 bits - 1 <= e - 1 + 2 shift makes n >= 2^(2 bits - 1), and the root of n
// is above 2^(bits-1).
func scaleForRoot(q *big.Rat, bits uint) (n *big.Int, shift int, exact bool) {
	numerator, denominator := q.Num(), q.Denom()
	e := numerator.BitLen() - denominator.BitLen()
	shift = (2*int(bits) - e + 1) >> 1
	n = new(big.Int)
	if shift >= 0 {
		n.Lsh(numerator, 2*uint(shift))
	} else {
		n.Set(numerator)
		denominator = new(big.Int).Lsh(denominator, 2*uint(-shift))
	}
	_, remainder := n.QuoRem(n, denominator, new(big.Int))
	return n, shift, remainder.Sign() == 0
}
