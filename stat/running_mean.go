package stat

import "math/big"

// RunningMean is a mean of probabilities that need not all be kept: one is added,
// and forgotten. The zero value is the mean of none.
type RunningMean struct {
	n      int
	exact  *big.Rat // sum of those that are known exactly
	lo, hi *big.Float
}

// runningWidth holds sums of 2^63 enclosures at firstPrecision with as much to
// spare as [MeanProbability] has.
const runningWidth = firstPrecision + 64

// Add adds a probability.
func (m *RunningMean) Add(p Probability) {
	m.start()
	m.n++
	if p.z.sign == 0 {
		if p.exact != nil {
			m.exact.Add(m.exact, p.exact)
		}
		return
	}
	m.lo.Add(m.lo, p.first.lo)
	m.hi.Add(m.hi, p.first.hi)
}

func (m *RunningMean) start() {
	if m.exact == nil {
		m.exact, m.lo, m.hi = new(big.Rat), newDown(runningWidth), newUp(runningWidth)
	}
}

// Join adds all that another mean is of.
func (m *RunningMean) Join(other *RunningMean) {
	m.start()
	other.start()
	m.n += other.n
	m.exact.Add(m.exact, other.exact)
	m.lo.Add(m.lo, other.lo)
	m.hi.Add(m.hi, other.hi)
}

// Float64 returns the float64 nearest to the mean, as [MeanProbability] does of all
// the probabilities, in whatever order they were added. If the rounding is in
// doubt, which happens once in about 2^50 times, it asks for all of them again. It
// panics if none was added.
func (m *RunningMean) Float64(all func() []Probability) float64 {
	if m.n == 0 {
		panic("stat: mean of no probabilities")
	}
	count := big.NewRat(int64(m.n), 1)
	if m.hi.Sign() == 0 { // all are exact
		return Float64(new(big.Rat).Quo(m.exact, count))
	}
	n := new(big.Float).SetPrec(64).SetInt64(int64(m.n))
	lo, hi := newDown(runningWidth).SetRat(m.exact), newUp(runningWidth).SetRat(m.exact)
	lo.Add(lo, m.lo)
	hi.Add(hi, m.hi)
	if f, certain := (enclosure{lo.Quo(lo, n), hi.Quo(hi, n)}).round(); certain {
		return f
	}
	return MeanProbability(all())
}
