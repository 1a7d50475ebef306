package stat

import "math/big"

// Mean returns the exact arithmetic mean. It panics if xs is empty.
func Mean(xs []*big.Rat) *big.Rat {
	if len(xs) == 0 {
		panic("stat: mean of no values")
	}
	numerators, denominator := overCommonDenominator(xs)
	sum := new(big.Int)
	for _, a := range numerators {
		sum.Add(sum, a)
	}
	n := big.NewInt(int64(len(xs)))
	return new(big.Rat).SetFrac(sum, denominator.Mul(denominator, n))
}

// Variance returns the exact sample variance, the sum of squared distances
// from the mean divided by n-1. It panics if xs has fewer than two values.
//
// With x_i = a_i/d the variance is (n sum a_i^2 - (sum a_i)^2) / (n (n-1) d^2),
// so everything but the last step happens in integers.
func Variance(xs []*big.Rat) *big.Rat {
	if len(xs) < 2 {
		panic("stat: variance of fewer than two values")
	}
	numerators, denominator := overCommonDenominator(xs)
	sum, squares, square := new(big.Int), new(big.Int), new(big.Int)
	for _, a := range numerators {
		sum.Add(sum, a)
		squares.Add(squares, square.Mul(a, a))
	}
	n := int64(len(xs))
	squares.Mul(squares, big.NewInt(n))
	squares.Sub(squares, square.Mul(sum, sum))

	degrees := new(big.Int).Mul(big.NewInt(n), big.NewInt(n-1))
	degrees.Mul(degrees, square.Mul(denominator, denominator))
	return new(big.Rat).SetFrac(squares, degrees)
}

// overCommonDenominator returns integers a_i and a positive integer d with
// x_i = a_i/d. The a_i may be shared with xs and must not be changed; d is
// new.
//
// d is the least common multiple, never the product of the denominators: for
// decimals it is a power of ten at most, so it does not grow with their
// number. A common factor is looked for only where a denominator differs from
// the one before.
func overCommonDenominator(xs []*big.Rat) (numerators []*big.Int, d *big.Int) {
	d = big.NewInt(1)
	common := new(big.Int)
	for i, x := range xs {
		if i > 0 && x.Denom().Cmp(xs[i-1].Denom()) == 0 {
			continue
		}
		common.GCD(nil, nil, d, x.Denom())
		d.Mul(d, common.Quo(x.Denom(), common))
	}
	numerators = make([]*big.Int, len(xs))
	for i, x := range xs {
		if x.Denom().Cmp(d) == 0 {
			numerators[i] = x.Num()
			continue
		}
		factor := new(big.Int).Quo(d, x.Denom())
		numerators[i] = factor.Mul(factor, x.Num())
	}
	return numerators, d
}
