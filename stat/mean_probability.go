package stat

import "math/big"

// MeanProbability returns the float64 nearest to the arithmetic mean, ties to
// even. No probability is rounded on the way, so the result does not depend on
// their order. It panics if ps is empty.
//
// If the rounding is in doubt, values Phi(z) and Phi(-z) are replaced by their
// exact sum 1, and the rest is refined. What remains is a rational number plus
// sums of erf at algebraic arguments with different squares, with rational
// coefficients other than 0. Such functions erf(a_1 x), erf(a_2 x), ... and 1
// are linearly independent over the rational functions, as their derivatives
// show; by F. Beukers, A refined version of the Siegel-Shidlovskii theorem,
// Annals of Mathematics 163 (2006), their values at x = 1 are linearly
// independent over the algebraic numbers. So the mean is exact or irrational,
// and the refinement ends.
//
// It may end without a proof in one case: values with |z| > 40, whose
// enclosure is not refined, together with exact ones whose mean lies halfway
// between two float64s. The middle of the enclosure is rounded then, which is
// right unless such values come from both tails.
func MeanProbability(ps []Probability) float64 {
	return meanFrom(ps, firstPrecision)
}

// meanFrom is MeanProbability with a choice of the first precision, which has
// no influence on the result.
func meanFrom(ps []Probability, precision uint) float64 {
	if len(ps) == 0 {
		panic("stat: mean of no probabilities")
	}
	s := newSum(ps)
	for {
		if len(s.terms) == 0 {
			return Float64(s.exact.Quo(s.exact, big.NewRat(int64(s.n), 1)))
		}
		e := s.encloseMean(precision)
		if f, certain := e.round(); certain {
			return f
		}
		if precision >= lastPrecision {
			return e.midpoint()
		}
		if !s.paired {
			s = s.pair()
		}
		precision *= 2
	}
}

// sum is a sum of n probabilities.
type sum struct {
	n      int
	exact  *big.Rat
	terms  []term
	paired bool // whether the squares of the terms differ
}

// term is count times a probability with z != 0.
type term struct {
	p     Probability
	count int64
}

func newSum(ps []Probability) sum {
	s := sum{n: len(ps), exact: new(big.Rat), terms: make([]term, 0, len(ps))}
	for _, p := range ps {
		switch {
		case p.z.sign != 0:
			s.terms = append(s.terms, term{p, 1})
		case p.exact != nil && p.exact.Sign() != 0:
			s.exact.Add(s.exact, p.exact)
		}
	}
	return s
}

// pair returns an equal sum with one term for each square of z. If Phi(z)
// occurs m times and Phi(-z) k times, with m >= k, it is k + (m-k) Phi(z).
func (s sum) pair() sum {
	type counts struct{ positive, negative term }
	bySquare := make(map[string]*counts)
	var order []*counts
	for _, t := range s.terms {
		key := t.p.z.square.String()
		c := bySquare[key]
		if c == nil {
			c = new(counts)
			bySquare[key] = c
			order = append(order, c)
		}
		side := &c.positive
		if t.p.z.sign < 0 {
			side = &c.negative
		}
		side.p = t.p
		side.count += t.count
	}
	paired := sum{n: s.n, exact: new(big.Rat).Set(s.exact), paired: true}
	for _, c := range order {
		more, less := c.positive, c.negative
		if more.count < less.count {
			more, less = less, more
		}
		paired.exact.Add(paired.exact, big.NewRat(less.count, 1))
		if more.count > less.count {
			paired.terms = append(paired.terms, term{more.p, more.count - less.count})
		}
	}
	return paired
}

// encloseMean encloses the sum divided by n. All parts are non-negative, so
// the relative width stays near that of the terms.
func (s sum) encloseMean(precision uint) enclosure {
	width := precision + 64
	lo, hi := newDown(width).SetRat(s.exact), newUp(width).SetRat(s.exact)
	count := new(big.Float).SetPrec(64)
	down, up := newDown(width), newUp(width)
	for _, t := range s.terms {
		e := t.p.enclose(precision)
		count.SetInt64(t.count)
		lo.Add(lo, down.Mul(e.lo, count))
		hi.Add(hi, up.Mul(e.hi, count))
	}
	count.SetInt64(int64(s.n))
	return enclosure{lo.Quo(lo, count), hi.Quo(hi, count)}
}
