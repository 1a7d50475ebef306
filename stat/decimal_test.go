package stat_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/stat"
)

func TestParseDecimalValues(t *testing.T) {
	for text, want := range map[string]string{
		"0":                       "0",
		"-0":                      "0",
		"-0.000e-5":               "0",
		"0e999999999":             "0",
		"0.00e-999999999":         "0",
		"0E+99999999999999999999": "0",
		"12":                      "12",
		"-12.50":                  "-25/2",
		"0.1":                     "1/10",
		"1e2":                     "100",
		"1E+2":                    "100",
		"1200e-2":                 "12",
		"1e-00000000000000002":    "1/100",
		"0.0000125e5":             "5/4",
	} {
		got, err := stat.ParseDecimal(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got.RatString() != want {
			t.Errorf("%s = %v, want %v", text, got.RatString(), want)
		}
	}
}

func TestParseDecimalErrors(t *testing.T) {
	zeros := strings.Repeat("0", 2000)
	for text, want := range map[string]error{
		"":                        stat.ErrSyntax,
		"-":                       stat.ErrSyntax,
		"01":                      stat.ErrSyntax,
		"-00":                     stat.ErrSyntax,
		"+1":                      stat.ErrSyntax,
		".5":                      stat.ErrSyntax,
		"1.":                      stat.ErrSyntax,
		"1.e5":                    stat.ErrSyntax,
		"1e":                      stat.ErrSyntax,
		"1e+":                     stat.ErrSyntax,
		"1e-+1":                   stat.ErrSyntax,
		"1e+-1":                   stat.ErrSyntax,
		"1e1.5":                   stat.ErrSyntax,
		"--1":                     stat.ErrSyntax,
		" 1":                      stat.ErrSyntax,
		"1 ":                      stat.ErrSyntax,
		"1_000":                   stat.ErrSyntax,
		"0x10":                    stat.ErrSyntax,
		"0x1p4":                   stat.ErrSyntax,
		"1/2":                     stat.ErrSyntax,
		"0,25":                    stat.ErrSyntax,
		"NaN":                     stat.ErrSyntax,
		"Inf":                     stat.ErrSyntax,
		"-Infinity":               stat.ErrSyntax,
		"\u0661":                  stat.ErrSyntax, // a digit, but not an ASCII one
		"1e999999999":             stat.ErrRange,
		"1e-999999999":            stat.ErrRange,
		"-1e309":                  stat.ErrRange,
		"0.1e-323":                stat.ErrRange,
		"2.4703282292062327e-324": stat.ErrRange, // below half of the smallest
		"1.7976931348623159e308":  stat.ErrRange, // rounds to 2^1024
		"1" + zeros:               stat.ErrRange,
		"0." + zeros + "1":        stat.ErrRange,
		"1e" + zeros + "400":      stat.ErrRange,

		"1" + strings.Repeat("0", stat.MaxDecimalLength):  stat.ErrLength,
		"0." + strings.Repeat("x", stat.MaxDecimalLength): stat.ErrLength,
	} {
		got, err := stat.ParseDecimal(text)
		if !errors.Is(err, want) || got != nil {
			t.Errorf("%.50q: %v, %v, want %v", text, got, err, want)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%.50q: a message of %d bytes", text, len(err.Error()))
		}
	}
}

func TestParseDecimalBorders(t *testing.T) {
	zeros := strings.Repeat("0", 1500)
	for text, want := range map[string]float64{
		"1.7976931348623157e308":         math.MaxFloat64,
		"1.7976931348623158e+308":        math.MaxFloat64,
		"-179769313486231570e291":        -math.MaxFloat64,
		"4.94e-324":                      math.SmallestNonzeroFloat64,
		"2.4703282292062328e-324":        math.SmallestNonzeroFloat64,
		"1" + zeros + "e-1500":           1,
		"0." + zeros + "1e1501":          1,
		"0." + zeros + "1e+001511":       1e10,
		"0." + strings.Repeat("9", 2046): 1,
	} {
		got, err := stat.ParseDecimal(text)
		if err != nil {
			t.Errorf("%.50q: %v", text, err)
		} else if f := stat.Float64(got); f != want {
			t.Errorf("%.50q = %v, want %v", text, f, want)
		}
	}
}

// checkDecimal compares one text with the two readers of the standard library
// that share its grammar and its rounding.
func checkDecimal(t interface{ Fatalf(string, ...any) }, text string) {
	got, err := stat.ParseDecimal(text)
	// json.Valid accepts blanks around a value, and values other than numbers.
	number := json.Valid([]byte(text)) && text == strings.TrimSpace(text) &&
		strings.ContainsAny(text[:1], "-0123456789")
	f, rangeErr := strconv.ParseFloat(text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	zero := !strings.ContainsAny(mantissa, "123456789")
	switch {
	case len(text) > stat.MaxDecimalLength:
		if !errors.Is(err, stat.ErrLength) {
			t.Fatalf("%.50q: %v", text, err)
		}
	case !number:
		if !errors.Is(err, stat.ErrSyntax) {
			t.Fatalf("%q: %v", text, err)
		}
	case rangeErr != nil || f == 0 && !zero:
		if !errors.Is(err, stat.ErrRange) {
			t.Fatalf("%q: %v", text, err)
		}
	default:
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if r := stat.Float64(got); r != f {
			t.Fatalf("%q: %v, want %v", text, r, f)
		}
		// A digit takes 3.33 bits, and the greatest powers of ten are 10^309
		// above and 10^(length+323) below.
		if limit := 4 * (len(text) + 400); got.Num().BitLen() > limit || got.Denom().BitLen() > limit {
			t.Fatalf("%q: a rational of %d/%d bits", text, got.Num().BitLen(), got.Denom().BitLen())
		}
	}
}

func TestParseDecimalAgreesWithStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkDecimal(t, rapid.StringMatching(
			`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number"))
		checkDecimal(t, rapid.StringMatching(`[-+0-9.eE]{1,8}`).Draw(t, "almost a number"))
		f := rapid.Float64().Draw(t, "float")
		checkDecimal(t, strconv.FormatFloat(f, 'e', -1, 64))
	})
}

// TestParseDecimalIsExact compares digits and exponent with the value built
// from them in another way.
func TestParseDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		exponent := rapid.IntRange(-60, 60).Draw(t, "exponent")
		got, err := stat.ParseDecimal(strconv.FormatInt(n, 10) + "e" + strconv.Itoa(exponent))
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Rat).SetInt64(n)
		for range max(exponent, -exponent) {
			if exponent > 0 {
				want.Mul(want, big.NewRat(10, 1))
			} else {
				want.Mul(want, big.NewRat(1, 10))
			}
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestParseDecimalAllocatesLittle: what a great exponent costs is the message.
func TestParseDecimalAllocatesLittle(t *testing.T) {
	const runs = 100
	for _, text := range []string{"1e999999999", "-1e-999999999", "0e999999999", "9e309", "1e-400"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			_, _ = stat.ParseDecimal(text)
		}
		runtime.ReadMemStats(&after)
		if bytes := (after.TotalAlloc - before.TotalAlloc) / runs; bytes > 2048 {
			t.Errorf("%s: %d bytes", text, bytes)
		}
	}
}

func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{
		"0", "-0.0", "12.5", "1e999999999", "0e999999999", "1e-999999999", "01", "+1", ".5",
		"1.", "1e", "NaN", "0x1p-2", "1.7976931348623159e308", "4.9e-324", " 1", "true", "\"1\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" {
			checkDecimal(t, text)
		}
	})
}

func BenchmarkParseDecimal(b *testing.B) {
	for _, text := range []string{"12.5", "3.141592653589793", "1.5e-300", "0." + strings.Repeat("7", 2000)} {
		b.Run(strconv.Itoa(len(text)), func(b *testing.B) {
			for b.Loop() {
				if _, err := stat.ParseDecimal(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
