package diag_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"scorebook/diag"
)

func TestPositionLeavesOutWhatIsNotKnown(t *testing.T) {
	for _, test := range []struct {
		pos  diag.Position
		want string
	}{
		{diag.Position{File: "a.csv", Line: 3, Column: 7}, "a.csv:3:7"},
		{diag.Position{File: "a.csv", Line: 3}, "a.csv:3"},
		{diag.Position{File: "a.csv"}, "a.csv"},
		{diag.Position{File: "a.csv", Column: 7}, "a.csv"},
		{diag.Position{File: "a\x1b[2J\n.csv", Line: 1}, "a\uFFFD[2J\uFFFD.csv:1"},
	} {
		if got := test.pos.String(); got != test.want {
			t.Errorf("%#v: got %q, want %q", test.pos, got, test.want)
		}
	}
}

func TestDiagnosticText(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "f", Line: line, Column: 2} }
	for _, test := range []struct {
		name string
		d    diag.Diagnostic
		want string
	}{
		{"message", diag.At(at(1), codeAlpha, "found %q", "x"), "f:1:2: error: found \"x\" [alpha/first]\n"},
		{"warning", diag.At(at(1), codeZulu, "odd"), "f:1:2: warning: odd [zulu/last]\n"},
		{"hint", diag.At(at(1), codeAlpha, "m").WithHint("try %d", 2), "f:1:2: error: m [alpha/first]\n    hint: try 2\n"},
		{
			"related come before the hint, in order",
			diag.At(at(1), codeAlpha, "m").WithHint("h").WithRelated(at(7), "first %s", "a").WithRelated(diag.Position{File: "g"}, "b"),
			"f:1:2: error: m [alpha/first]\n    f:7:2: first a\n    g: b\n    hint: h\n",
		},
		{
			"hostile text stays on its lines",
			diag.At(at(1), codeAlpha, "a\nb").WithHint("c\rd").WithRelated(diag.Position{File: "g\n"}, "e\u2028f"),
			"f:1:2: error: a\uFFFDb [alpha/first]\n    g\uFFFD: e\uFFFDf\n    hint: c\uFFFDd\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.d.Text(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWithRelatedAndWithHintLeaveTheirReceiverAlone(t *testing.T) {
	base := diag.At(diag.Position{File: "f"}, codeAlpha, "m")
	for range 3 { // so that the list has room behind its end
		base = base.WithRelated(diag.Position{File: "f"}, "shared")
	}
	before := base.Text()
	left := base.WithRelated(diag.Position{File: "l"}, "left")
	right := base.WithRelated(diag.Position{File: "r"}, "right").WithHint("h")
	if base.Text() != before {
		t.Errorf("the receiver became %q", base.Text())
	}
	if left.Text() != before+"    l: left\n" || right.Text() != before+"    r: right\n    hint: h\n" {
		t.Errorf("got %q and %q", left.Text(), right.Text())
	}
}

// dangerous holds what moves the cursor, ends a line or reorders it.
const dangerous = "\x00\a\b\t\n\v\f\r\x1b\x7f\u0080\u0085\u009b\u009f" +
	"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"

func TestPrintableNeutralises(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"ANSI colour", "\x1b[31mred\x1b[0m", "\uFFFD[31mred\uFFFD[0m"},
		{"ANSI of one rune", "\u009b2J", "\uFFFD2J"},
		{"raw byte of the same", "a\x9b2J", "a\uFFFD2J"},
		{"title of the window", "\x1b]0;x\a", "\uFFFD]0;x\uFFFD"},
		{"override of the direction", "abc\u202egnp.exe", "abc\uFFFDgnp.exe"},
		{"everything dangerous", dangerous, strings.Repeat("\uFFFD", utf8.RuneCountInString(dangerous))},
		{"letters of any script stay", "Zürich 東京 עברית e\u0301 \U0001F642", "Zürich 東京 עברית e\u0301 \U0001F642"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := diag.Printable(test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPrintableChangesOnlyWhatIsDangerous(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom(strings.Split(dangerous, "")))
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		got := []rune(diag.Printable(in))
		for i, r := range []rune(in) {
			want := r
			if r < 0x20 || r >= 0x7f && r < 0xa0 || strings.ContainsRune(dangerous, r) {
				want = utf8.RuneError
			}
			if i >= len(got) || got[i] != want {
				t.Fatalf("%q became %q", in, string(got))
			}
		}
		if again := diag.Printable(string(got)); again != string(got) {
			t.Fatalf("%q became %q the second time", string(got), again)
		}
	})
}
