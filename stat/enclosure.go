package stat

import "math/big"

// enclosure is a closed interval that contains a real number. Its bounds are
// never changed once it is returned; they may be shared.
type enclosure struct {
	lo, hi *big.Float
}

// newDown and newUp return a zero of the given precision whose operations
// round towards -Inf and +Inf.
func newDown(precision uint) *big.Float {
	return new(big.Float).SetPrec(precision).SetMode(big.ToNegativeInf)
}

func newUp(precision uint) *big.Float {
	return new(big.Float).SetPrec(precision).SetMode(big.ToPositiveInf)
}

// widen returns [lo - lo/2^k, hi + hi/2^k], rounded outwards. lo and hi are
// non-negative approximations, with a relative error of at most 2^-(k+1), of a
// number below x and of a number above x; the result contains x. For with
// u = 2^-(k+1), lo/(1+u) >= lo (1-2u) and hi/(1-u) <= hi (1+2u), where u <= 1/2.
func widen(lo, hi *big.Float, k int) enclosure {
	precision := lo.Prec()
	margin := new(big.Float)
	down, up := newDown(precision), newUp(precision)
	down.Sub(lo, margin.SetMantExp(lo, -k))
	up.Add(hi, margin.SetMantExp(hi, -k))
	return enclosure{down, up}
}

// plus returns an enclosure of c + x for x in e.
func (e enclosure) plus(c *big.Float) enclosure {
	precision := e.lo.Prec()
	return enclosure{newDown(precision).Add(c, e.lo), newUp(precision).Add(c, e.hi)}
}

// from returns an enclosure of c - x for x in e.
func (e enclosure) from(c *big.Float) enclosure {
	precision := e.lo.Prec()
	return enclosure{newDown(precision).Sub(c, e.hi), newUp(precision).Sub(c, e.lo)}
}

// outward returns e with its bounds rounded outwards to fewer bits, so that a
// low precision is a wide enclosure in fact and the digits that were there to
// absorb errors are not kept.
func (e enclosure) outward(precision uint) enclosure {
	return enclosure{newDown(precision).Set(e.lo), newUp(precision).Set(e.hi)}
}

// round returns the float64 nearest to the enclosed number, ties to even, and
// whether the enclosure is narrow enough to tell. Rounding is monotone, so if
// both bounds round alike then so does everything between them.
func (e enclosure) round() (f float64, certain bool) {
	lo, _ := e.lo.Float64()
	hi, _ := e.hi.Float64()
	return lo, lo == hi
}

// midpoint returns the float64 nearest to the middle of the enclosure.
func (e enclosure) midpoint() float64 {
	sum := new(big.Float).SetPrec(e.hi.Prec()+64).Add(e.lo, e.hi)
	f, _ := sum.SetMantExp(sum, -1).Float64()
	return f
}
