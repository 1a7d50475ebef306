package stat

import (
	"math/big"
	"sync"
)

// invSqrtTaus keeps the values of invSqrtTau: a *big.Float for each uint. Only
// the few precisions that newDensity makes occur.
var invSqrtTaus sync.Map

// invSqrtTau returns 1/sqrt(2 pi) with w bits, relative error below 2^(2-w).
// The value is shared and must not be changed.
//
// By machinPi the relative error of pi is below 2^(19-v) with v = w + 32, that
// of the root half of it; cutting off the root costs less than 2^-(w+7) and
// rounding it 2^-w.
func invSqrtTau(w uint) *big.Float {
	if c, ok := invSqrtTaus.Load(w); ok {
		return c.(*big.Float)
	}
	v := w + 32
	invTau := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), v-1), machinPi(v))
	scaled, shift, _ := scaleForRoot(invTau, w+8)
	c := new(big.Float).SetPrec(w).SetInt(scaled.Sqrt(scaled))
	c.SetMantExp(c, -shift)
	invSqrtTaus.Store(w, c)
	return c
}

// machinPi returns pi * 2^v to within 2^20, for v < 2^16, by the formula of
// John Machin (1706), pi/4 = 4 arctan(1/5) - arctan(1/239). The arctangents
// are off by less than 3 units for each of at most v/4 + 2 terms, so the
// result is off by less than 20 * 3 * (v/4 + 2).
func machinPi(v uint) *big.Int {
	p := arctanInverse(5, v)
	p.Lsh(p, 2)
	p.Sub(p, arctanInverse(239, v))
	return p.Lsh(p, 2)
}

// arctanInverse returns arctan(1/m) * 2^v for m >= 5 by its power series. The
// powers of 1/m are truncated, each by less than 2 units, and so are the
// terms; together with the terms left out this is below 3 units a term.
func arctanInverse(m int64, v uint) *big.Int {
	square := big.NewInt(m * m)
	power := new(big.Int).Lsh(big.NewInt(1), v)
	power.Quo(power, big.NewInt(m))
	sum, term, divisor := new(big.Int), new(big.Int), new(big.Int)
	for k := int64(0); power.Sign() > 0; k++ {
		term.Quo(power, divisor.SetInt64(2*k+1))
		if k%2 == 0 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		power.Quo(power, square)
	}
	return sum
}
