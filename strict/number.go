package strict

import (
	"strconv"
	"strings"
)

// MaxNumberLength is how many characters a number may be written with. The
// exact decimal expansion of every float64 fits.
const MaxNumberLength = 2048

// Number is a decimal number in JSON's grammar, exactly as it was written. It
// is finite as a float64 and, unless it is zero, not below the least one in
// magnitude, so its exponent is bounded.
type Number string

// Float64 returns the nearest float64.
func (n Number) Float64() float64 {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		panic("strict: Number not made by this package: " + string(n))
	}
	return f
}

// ParseNumber returns text as a Number, or ok false if it is not a decimal
// number in JSON's grammar within the range of a float64.
func ParseNumber(text string) (n Number, ok bool) {
	if !isJSONNumber(text) || !inRange(text) {
		return "", false
	}
	return Number(text), true
}

// inRange holds a number in JSON's grammar against float64 and the bound on
// its length.
func inRange(text string) bool {
	if len(text) > MaxNumberLength {
		return false
	}
	if len(text) < 300 && !strings.ContainsAny(text, "eE") {
		return true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return f != 0 || !strings.ContainsAny(mantissa, "123456789")
}

// isJSONNumber reports whether text is a number of RFC 8259, section 6.
func isJSONNumber(text string) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	text = strings.TrimPrefix(text, "-")
	if rest, zero := strings.CutPrefix(text, "0"); zero {
		text = rest
	} else if !digits() {
		return false
	}
	if rest, point := strings.CutPrefix(text, "."); point {
		if text = rest; !digits() {
			return false
		}
	}
	if text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}
