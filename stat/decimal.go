package stat

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// MaxDecimalLength is the greatest length, in bytes, of a text that
// [ParseDecimal] accepts. It bounds the size of every rational that follows
// from the text.
const MaxDecimalLength = 2048

// The reasons for which [ParseDecimal] refuses a text, for use with
// [errors.Is].
var (
	// ErrSyntax: the text is not a number in the grammar of JSON.
	ErrSyntax = errors.New("not a decimal number")
	// ErrRange: the number is not within float64; it would round to an
	// infinity, or it is not zero but would round to zero.
	ErrRange = errors.New("number outside the range of float64")
	// ErrLength: the text has more than MaxDecimalLength bytes.
	ErrLength = fmt.Errorf("number longer than %d bytes", MaxDecimalLength)
)

// A nonzero decimal is written 0.d1d2d3... * 10^point with d1 > 0. Outside
// these bounds on point it cannot be within float64: 2^1024 < 0.18 * 10^309,
// and half of the smallest subnormal, 2^-1075, is above 0.24 * 10^-323.
const (
	maxPoint = 309
	minPoint = -323
)

// ParseDecimal returns the exact value of a number in the grammar of JSON (RFC
// 8259, section 6): an optional minus sign, an integer part without leading
// zeros, an optional fraction, an optional exponent. Nothing else is accepted:
// no blanks, no plus sign in front, no hexadecimal digits, no names of
// infinities.
//
// The number must be within float64 but is not rounded to it. The error wraps
// [ErrLength], [ErrSyntax] or [ErrRange], checked in this order. The exponent
// is bounded before the value is built, so memory and time depend on the
// length of the text only; a zero is zero whatever its exponent and its sign.
func ParseDecimal(text string) (*big.Rat, error) {
	if len(text) > MaxDecimalLength {
		return nil, fmt.Errorf("%w: it has %d", ErrLength, len(text))
	}
	d, ok := scanDecimal(text)
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrSyntax, clip(text))
	}
	significant := strings.TrimLeft(d.digits, "0")
	if significant == "" {
		return new(big.Rat), nil
	}
	point := d.point - (len(d.digits) - len(significant))
	if point < minPoint || point > maxPoint {
		return nil, fmt.Errorf("%w: %s", ErrRange, clip(text))
	}
	significant = strings.TrimRight(significant, "0")
	shift := point - len(significant)
	if value, ok := smallDecimal(significant, shift, d.negative); ok {
		return value, nil
	}
	numerator, _ := new(big.Int).SetString(significant, 10)
	denominator := big.NewInt(1)
	if shift >= 0 {
		numerator.Mul(numerator, powerOfTen(shift))
	} else {
		denominator = powerOfTen(-shift)
	}
	if d.negative {
		numerator.Neg(numerator)
	}
	value := new(big.Rat).SetFrac(numerator, denominator)
	if f := Float64(value); f == 0 || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%w: %s", ErrRange, clip(text))
	}
	return value, nil
}

// smallDecimal returns digits * 10^shift if both parts of the fraction have at most
// 18 digits, as nearly all do: it is within float64 then.
func smallDecimal(digits string, shift int, negative bool) (*big.Rat, bool) {
	const most = 18 // 10^18 < 2^63
	if len(digits)+max(0, shift) > most || -shift > most {
		return nil, false
	}
	numerator := int64(0)
	for _, c := range []byte(digits) {
		numerator = 10*numerator + int64(c-'0')
	}
	denominator := int64(1)
	for ; shift > 0; shift-- {
		numerator *= 10
	}
	for ; shift < 0; shift++ {
		denominator *= 10
	}
	if negative {
		numerator = -numerator
	}
	return big.NewRat(numerator, denominator), true
}

// decimal is a number as written: 0.digits * 10^point, negated if negative.
type decimal struct {
	negative bool
	digits   string // integer part and fraction, at least one digit
	point    int    // saturated, see scanExponent
}

// scanDecimal splits a text; it reports false if the text is not a number in
// the grammar of JSON.
func scanDecimal(text string) (decimal, bool) {
	var d decimal
	rest, negative := strings.CutPrefix(text, "-")
	d.negative = negative
	whole, rest := cutDigits(rest)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return d, false
	}
	fraction := ""
	if after, found := strings.CutPrefix(rest, "."); found {
		fraction, rest = cutDigits(after)
		if fraction == "" {
			return d, false
		}
	}
	d.digits, d.point = whole+fraction, len(whole)
	if rest == "" {
		return d, true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return d, false
	}
	exponent, ok := scanExponent(rest[1:])
	d.point += exponent
	return d, ok
}

// scanExponent reads what follows the letter e. A great exponent is saturated
// at a magnitude far beyond what MaxDecimalLength digits could bring back into
// the range of float64.
func scanExponent(text string) (exponent int, ok bool) {
	const saturation = 1_000_000
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest, _ = strings.CutPrefix(text, "+")
	}
	digits, rest := cutDigits(rest)
	if digits == "" || rest != "" {
		return 0, false
	}
	for _, c := range []byte(digits) {
		exponent = min(10*exponent+int(c-'0'), saturation)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// cutDigits splits a text after its leading ASCII digits.
func cutDigits(text string) (digits, rest string) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// clip shortens a text for a message.
func clip(text string) string {
	const limit = 40
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "..."
}

// powerOfTen returns 10^n.
func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
