package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// MaxKept is how many diagnostics a [List] keeps; it goes on counting.
const MaxKept = 100

// List collects the diagnostics of one run. The zero List is ready to use.
// It is not safe for concurrent use.
//
// It keeps the first [MaxKept] errors and, apart from them, the first
// [MaxKept] warnings, so that a flood of warnings cannot hide an error.
type List struct {
	kept     []Diagnostic
	errors   int
	warnings int
	files    map[string]int // which was the first, second, ... to have a diagnostic
}

// Add records d.
func (l *List) Add(d Diagnostic) {
	if _, seen := l.files[d.Pos.File]; !seen {
		if l.files == nil {
			l.files = map[string]int{}
		}
		l.files[d.Pos.File] = len(l.files)
	}
	count := &l.errors
	if d.Code.Severity() == Warning {
		count = &l.warnings
	}
	*count++
	if *count <= MaxKept {
		l.kept = append(l.kept, d)
	}
}

// Full reports whether further errors would only be counted. A reader may use
// it to save the work of describing them, as long as it still calls Add.
func (l *List) Full() bool { return l.errors >= MaxKept }

// Errors returns how many errors were added, kept or not.
func (l *List) Errors() int { return l.errors }

// Warnings returns how many warnings were added, kept or not.
func (l *List) Warnings() int { return l.warnings }

// OK reports whether there is no error.
func (l *List) OK() bool { return l.errors == 0 }

// Kept returns the diagnostics that were kept: by file in the order in which
// the files first appeared, then by position, and in the order of adding at
// one position.
func (l *List) Kept() []Diagnostic {
	kept := slices.Clone(l.kept)
	slices.SortStableFunc(kept, func(a, b Diagnostic) int {
		if c := l.files[a.Pos.File] - l.files[b.Pos.File]; c != 0 {
			return c
		}
		if c := a.Pos.Line - b.Pos.Line; c != 0 {
			return c
		}
		return a.Pos.Column - b.Pos.Column
	})
	return kept
}

// Text renders the kept diagnostics for people and, if there were more, how
// many are not shown.
func (l *List) Text() string {
	var b strings.Builder
	for _, d := range l.Kept() {
		b.WriteString(d.Text())
	}
	if more := l.dropped(); more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String()
}

// JSON renders the kept diagnostics as JSON lines, one object each, in the
// order of [List.Kept]. If there were more, a last object {"omitted": n} says
// how many.
func (l *List) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	encode := func(v any) {
		if err := enc.Encode(v); err != nil {
			panic(err) // plain structs of strings and integers always encode
		}
	}
	for _, d := range l.Kept() {
		j := jsonDiagnostic{
			Code: d.Code.String(), Severity: d.Code.Severity().String(),
			jsonPosition: jsonPosition(d.Pos), Message: d.Message, Hint: d.Hint,
		}
		for _, r := range d.Related {
			j.Related = append(j.Related, jsonRelated{jsonPosition(r.Pos), r.Message})
		}
		encode(j)
	}
	if more := l.dropped(); more > 0 {
		encode(map[string]int{"omitted": more})
	}
	return b.Bytes()
}

func (l *List) dropped() int { return l.errors + l.warnings - len(l.kept) }
