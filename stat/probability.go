package stat

import "math/big"

// The refinement computes at firstPrecision, in bits of the result, and
// doubles it while the rounding is in doubt, up to lastPrecision. The chance
// of a second round is about 2^-50.
//
// lastPrecision is never passed. By Siegel and Shidlovskii, erf is
// transcendental at every algebraic argument but 0, so Phi(z) is not a
// rational number and in particular no point halfway between two float64s;
// [MeanProbability] says why the same holds for means. Nothing would make one
// of these numbers agree with a rational to 16,000 bits by chance.
const (
	firstPrecision = 104
	lastPrecision  = 1 << 14
)

// Probability is a number from 0 to 1 that is known exactly or through an
// enclosure that can be refined. The zero value is exactly 0. A Probability is
// immutable and safe for concurrent use.
type Probability struct {
	exact *big.Rat  // if z is 0; nil means 0
	z     Root      // if not 0, the number is Phi(z)
	first enclosure // of Phi(z) at firstPrecision
}

// Exactly returns the rational number q as a probability. It panics if q is
// not within 0 and 1. It keeps a copy of q.
func Exactly(q *big.Rat) Probability {
	if q.Sign() < 0 || q.Cmp(one) > 0 {
		panic("stat: a probability outside of 0 to 1")
	}
	return Probability{exact: new(big.Rat).Set(q)}
}

var one = big.NewRat(1, 1)

// Float64 returns the nearest float64, ties to even.
func (p Probability) Float64() float64 {
	return MeanProbability([]Probability{p})
}

// enclose returns an enclosure of Phi(p.z), for p.z != 0.
func (p Probability) enclose(precision uint) enclosure {
	if precision == firstPrecision {
		return p.first
	}
	return enclosePhi(p.z, precision)
}
