package stat

import "math/big"

// centreSeries returns S(q) = sum of q^k / (1*3*5*...*(2k+1)) from below,
// relative error less than 2^(g+16-w) where exp(q/2) < 2^g.
//
// In units of 2^-w let s_k be the true terms and s_k - d_k, with d_k >= 0,
// those computed. Two roundings down and the one within d.q give d_k <=
// (q d_(k-1) + s_(k-1)/2^w)/(2k+1) + 2. What enters at a step is handed on by
// the factors q/(2k+1) of the steps that follow, and so adds at most S(q)
// times itself to the deficit of the sum. That includes all terms after the
// last: their computed value is 0 and nothing new enters. Hence the deficit
// of the sum is at most (2n + S) S for n terms, the relative one (2n + S) 2^-w.
//
// S(q) <= exp(q/2), because 1*3*...*(2k+1) >= 2^k k!, and n is below 2^14:
// with q <= 1600 and w < 2^15, s_k < 1 for k = 2^14, by (2k+1)!! > (2k/e)^k.
func (d *density) centreSeries() *big.Float {
	sum := new(big.Int).Lsh(big.NewInt(1), d.w)
	term, product, divisor := new(big.Int).Set(sum), new(big.Int), new(big.Int)
	for k := int64(1); term.Sign() > 0; k++ {
		product.Rsh(product.Mul(term, d.q), d.w)
		term.Quo(product, divisor.SetInt64(2*k+1))
		sum.Add(sum, term)
	}
	s := d.float().SetInt(sum)
	return s.SetMantExp(s, -int(d.w))
}

// tailFraction returns approximations of a number below and a number above
// 1/M(q), for q >= 1, where M = 1 + 1/(q + 2/(1 + 3/(q + 4/(1 + ...)))). The
// relative distance of these numbers is about 2^-accuracy at most. The
// relative error of the approximations is below 2^(3-w) times the number of
// levels.
//
// Why the convergents bracket: the numbers J_n = integral of (t-z)^n/n! phi(t)
// over t > z, with J_(-1) = phi(z) and J_0 = Phi(-z), are positive (they are
// the repeated integrals of DLMF section 7.18), and integration by parts gives
// J_(n-2) = z J_(n-1) + n J_n. So phi(z)/Phi(-z) is exactly equal to
// z + 1/(z + 2/(z + ... n/T)) with T = J_(n-1)/J_n > 0. Multiplied by z at
// every second level, this is z M with partial denominators 1 and q in turn.
// By the recurrence for numerators A_n and denominators B_n (DLMF section
// 1.12(ii)), and with T scaled as its level is,
//
//	M = (T A_(n-1) + n A_(n-2)) / (T B_(n-1) + n B_(n-2)),
//
// which lies between two convergents in succession, those of even level being
// below M.
//
// Errors: all terms are positive, and all numbers but B_(-1) = 0 are at least
// 2^w in units of 2^-w, since q >= 1. A level rounds down once, by less than
// 1, and uses d.q, which is short by less than 2^-w of its value; a shift
// rounds down once more. So relative deficits grow by less than 3 * 2^-w at a
// level.
func (d *density) tailFraction(accuracy uint) (lo, hi *big.Float, levels uint) {
	// a, b belong to an even level; aa, bb to the odd one before it.
	a, b := new(big.Int).Lsh(big.NewInt(1), d.w), new(big.Int).Lsh(big.NewInt(1), d.w)
	aa, bb := new(big.Int).Set(a), new(big.Int)
	n, product, other := new(big.Int), new(big.Int), new(big.Int)

	for levels = 2; ; levels += 2 {
		n.SetUint64(uint64(levels - 1))
		aa.Mul(aa, n).Add(aa, product.Rsh(product.Mul(a, d.q), d.w))
		bb.Mul(bb, n).Add(bb, product.Rsh(product.Mul(b, d.q), d.w))
		n.SetUint64(uint64(levels))
		a.Mul(a, n).Add(a, aa)
		b.Mul(b, n).Add(b, bb)

		if levels%8 != 0 {
			continue
		}
		product.Mul(a, bb)
		gap := other.Sub(product, other.Mul(aa, b))
		if gap.BitLen()+int(accuracy) < product.BitLen() {
			return d.ratio(bb, aa), d.ratio(b, a), levels
		}
		if excess := min(aa.BitLen(), bb.BitLen()) - int(d.w) - 1; excess > 0 {
			for _, x := range []*big.Int{a, aa, b, bb} {
				x.Rsh(x, uint(excess))
			}
		}
	}
}

// ratio returns x/y, relative error less than 2^(1-w).
func (d *density) ratio(x, y *big.Int) *big.Float {
	return d.float().Quo(d.float().SetInt(x), d.float().SetInt(y))
}
