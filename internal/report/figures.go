package report

import (
	"math"
	"strconv"
	"strings"

	"scorebook/diag"
)

// absent stands for a figure that is not there.
const absent = "–"

// name makes a text of the results fit to be shown: what could reorder or hide
// the rest of a line is replaced.
func name(s string) string { return diag.Printable(s) }

// fixed formats a figure with a number of decimals, a large one with few
// digits, and never a zero with a sign.
func fixed(f float64, decimals int) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	if math.Abs(f) >= 1e7 {
		s = strconv.FormatFloat(f, 'g', 5, 64)
	}
	return signed(s)
}

// maybeFixed is fixed for a figure that may be absent.
func maybeFixed(f *float64, decimals int) string {
	if f == nil {
		return absent
	}
	return fixed(*f, decimals)
}

// digits formats a figure of any size with six digits.
func digits(f float64) string { return signed(strconv.FormatFloat(f, 'g', 6, 64)) }

// maybeDigits is digits for a figure that may be absent.
func maybeDigits(f *float64) string {
	if f == nil {
		return absent
	}
	return digits(*f)
}

// exact formats a figure with all of its digits, as the JSON does.
func exact(f float64) string {
	if f == 0 {
		return "0"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// maybeExact is exact for a figure that may be absent, which gives nothing.
func maybeExact(f *float64) string {
	if f == nil {
		return ""
	}
	return exact(*f)
}

// signed writes the minus of a figure as a minus sign, and leaves it out where
// no digit but 0 follows.
func signed(s string) string {
	rest, negative := strings.CutPrefix(s, "-")
	switch {
	case !negative:
		return s
	case strings.Trim(rest, "0.") == "":
		return rest
	}
	return "−" + rest
}

// percent formats a length of 0 to 100 for an SVG; what is outside, or is no
// number, is brought inside.
func percent(f float64) string {
	if math.IsNaN(f) {
		f = 0
	}
	f = min(100, max(0, f))
	return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) + "%"
}

// share returns how much of a whole a part is, from 0 to 100.
func share(part, whole float64) float64 {
	if !(part > 0) || !(whole > 0) {
		return 0
	}
	return min(1, part/whole) * 100
}

// shorten cuts a digest for a line that people read.
func shorten(digest string) string {
	const head, tail = 6, 4
	if len(digest) <= head+tail+1 {
		return digest
	}
	return digest[:head] + "…" + digest[len(digest)-tail:]
}

// thousands writes a count with a comma between thousands.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
