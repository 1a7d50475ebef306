package exam

import (
	"math/big"

	"scorebook/stat"
	"scorebook/strict"
)

// ScaleSource says which of three candidates set the scale of an instance.
type ScaleSource string

// The candidates; of equal ones the first sets the scale.
const (
	FromSD       ScaleSource = "sd"
	FromRelative ScaleSource = "relative"
	FromAbsolute ScaleSource = "absolute"
)

// scale is the yardstick of one instance: scale = max(s, relative*|mu|,
// absolute) around mu. The square of s and of the scale are exact, their roots
// need not be rational.
type scale struct {
	mu       *big.Rat
	variance *big.Rat // s*s, with n-1
	relative *big.Rat // relative*|mu|
	absolute *big.Rat
	square   *big.Rat // scale*scale
	from     ScaleSource
}

// floorLengths are the floors as exact numbers.
type floorLengths struct{ relative, absolute *big.Rat }

func newFloorLengths(floors Floors) floorLengths {
	return floorLengths{decimal(floors.Relative), decimal(floors.Absolute)}
}

// newScale derives the yardstick from the fixed outcomes of an instance.
func newScale(values []strict.Number, floors floorLengths) scale {
	xs := make([]*big.Rat, len(values))
	for i, v := range values {
		xs[i] = decimal(v)
	}
	s := scale{mu: stat.Mean(xs), variance: stat.Variance(xs), absolute: floors.absolute}
	s.relative = new(big.Rat).Abs(s.mu)
	s.relative.Mul(s.relative, floors.relative)
	s.square, s.from = s.variance, FromSD
	for _, floor := range []struct {
		length *big.Rat
		from   ScaleSource
	}{{s.relative, FromRelative}, {s.absolute, FromAbsolute}} {
		if square := new(big.Rat).Mul(floor.length, floor.length); square.Cmp(s.square) > 0 {
			s.square, s.from = square, floor.from
		}
	}
	return s
}

// s returns the sample standard deviation.
func (s scale) s() float64 { return stat.Sqrt(s.variance) }

// length returns the scale itself.
func (s scale) length() float64 { return stat.Sqrt(s.square) }

// z returns how many scales the value a is better than mu.
func (s scale) z(a *big.Rat, direction Direction) stat.Root {
	better := new(big.Rat).Sub(a, s.mu)
	if direction == Minimize {
		better.Neg(better)
	}
	sign := better.Sign()
	better.Mul(better, better)
	return stat.NewRoot(sign, better.Quo(better, s.square))
}

// decimal returns the exact value of a number that strict has read.
func decimal(n strict.Number) *big.Rat {
	q, err := stat.ParseDecimal(string(n))
	if err != nil {
		panic("exam: " + err.Error()) // strict.Number promises what ParseDecimal asks for
	}
	return q
}
