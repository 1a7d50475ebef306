package diag_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
)

func messages(ds []diag.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Message)
	}
	return out
}

func TestListStartsEmpty(t *testing.T) {
	var l diag.List
	if !l.OK() || l.Full() || l.Errors() != 0 || l.Warnings() != 0 || l.Text() != "" || len(l.JSON()) != 0 || len(l.Kept()) != 0 {
		t.Errorf("got %+v, %q, %q", l, l.Text(), l.JSON())
	}
}

func TestWarningsAreNoErrors(t *testing.T) {
	var l diag.List
	for range diag.MaxKept + 1 {
		l.Add(diag.At(diag.Position{}, codeZulu, "odd"))
	}
	if !l.OK() || l.Full() {
		t.Errorf("OK is %t, Full is %t", l.OK(), l.Full())
	}
}

// The first 100 errors and, apart from them, the first 100 warnings are kept.
func TestListKeepsTheFirstOfEachSeverity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l diag.List
		var want []string
		errors, warnings := 0, 0
		for i, length := range rapid.SliceOfN(rapid.IntRange(0, 130), 0, 6).Draw(t, "lengths of runs") {
			for range length {
				d := diag.At(diag.Position{File: "f"}, codeAlpha, "e%d", errors)
				count := &errors
				if i%2 == 1 {
					d = diag.At(diag.Position{File: "f"}, codeZulu, "w%d", warnings)
					count = &warnings
				}
				*count++
				if *count <= 100 {
					want = append(want, d.Message)
				}
				l.Add(d)
			}
		}
		if got := messages(l.Kept()); !slices.Equal(got, want) {
			t.Fatalf("kept %q, want %q", got, want)
		}
		if l.Errors() != errors || l.Warnings() != warnings || l.OK() != (errors == 0) || l.Full() != (errors >= 100) {
			t.Fatalf("counts %d, %d (OK %t, Full %t) of %d, %d", l.Errors(), l.Warnings(), l.OK(), l.Full(), errors, warnings)
		}
		more := errors + warnings - len(want)
		note, omitted := fmt.Sprintf("and %d more\n", more), fmt.Sprintf("{\"omitted\":%d}\n", more)
		if got := strings.HasSuffix(l.Text(), note); got != (more > 0) {
			t.Fatalf("%d more: the text ends with the note: %t", more, got)
		}
		if got := strings.HasSuffix(string(l.JSON()), omitted); got != (more > 0) {
			t.Fatalf("%d more: the JSON ends with the note: %t", more, got)
		}
		if got := strings.Count(l.Text(), "\n"); got != len(want)+min(1, more) {
			t.Fatalf("the text has %d lines for %d diagnostics", got, len(want))
		}
	})
}

func TestListOrdersByFirstAppearanceOfFileThenPosition(t *testing.T) {
	type place struct {
		file         string
		line, column int
	}
	rapid.Check(t, func(t *rapid.T) {
		var l diag.List
		var files []string
		var places []place
		for i := range rapid.IntRange(0, 40).Draw(t, "n") {
			p := place{
				rapid.SampledFrom([]string{"b", "a", "c"}).Draw(t, "file"),
				rapid.IntRange(0, 4).Draw(t, "line"), rapid.IntRange(0, 3).Draw(t, "column"),
			}
			if !slices.Contains(files, p.file) {
				files = append(files, p.file)
			}
			places = append(places, p)
			code := rapid.SampledFrom([]diag.Code{codeAlpha, codeZulu}).Draw(t, "code")
			l.Add(diag.At(diag.Position{File: p.file, Line: p.line, Column: p.column}, code, "%d", i))
		}
		var want []string
		for _, file := range files {
			for line := range 5 {
				for column := range 4 {
					for i, p := range places {
						if p == (place{file, line, column}) {
							want = append(want, fmt.Sprint(i))
						}
					}
				}
			}
		}
		if got := messages(l.Kept()); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

type wirePosition struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type wire struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	wirePosition
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Related []struct {
		wirePosition
		Message string `json:"message"`
	} `json:"related"`
}

func TestJSONLinesHoldTheFacts(t *testing.T) {
	position := rapid.Custom(func(t *rapid.T) diag.Position {
		return diag.Position{
			File: rapid.String().Draw(t, "file"),
			Line: rapid.IntRange(0, 9).Draw(t, "line"), Column: rapid.IntRange(0, 9).Draw(t, "column"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		var l diag.List
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			code := rapid.SampledFrom([]diag.Code{codeAlpha, codeMike, codeZulu}).Draw(t, "code")
			d := diag.At(position.Draw(t, "at"), code, "%s", rapid.String().Draw(t, "message"))
			d = d.WithHint("%s", rapid.String().Draw(t, "hint"))
			for range rapid.IntRange(0, 2).Draw(t, "related") {
				d = d.WithRelated(position.Draw(t, "other"), "%s", rapid.String().Draw(t, "why"))
			}
			l.Add(d)
		}
		var got []diag.Diagnostic
		codes := map[string]diag.Code{"alpha/first": codeAlpha, "mike/middle": codeMike, "zulu/last": codeZulu}
		for lines := bufio.NewScanner(bytes.NewReader(l.JSON())); lines.Scan(); {
			dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			dec.DisallowUnknownFields()
			var w wire
			if err := dec.Decode(&w); err != nil {
				t.Fatalf("%s: %v", lines.Bytes(), err)
			}
			d := diag.At(diag.Position(w.wirePosition), codes[w.Code], "%s", w.Message).WithHint("%s", w.Hint)
			for _, r := range w.Related {
				d = d.WithRelated(diag.Position(r.wirePosition), "%s", r.Message)
			}
			if w.Severity != d.Code.Severity().String() {
				t.Fatalf("%s: wrong severity", lines.Bytes())
			}
			got = append(got, d)
		}
		if want := l.Kept(); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestJSONLeavesOutWhatIsNotKnown(t *testing.T) {
	var l diag.List
	l.Add(diag.At(diag.Position{File: "<f>"}, codeAlpha, "m"))
	const want = `{"code":"alpha/first","severity":"error","file":"<f>","message":"m"}` + "\n"
	if got := string(l.JSON()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
