package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Position is a place in an input file.
type Position struct {
	File   string // as the user named it
	Line   int    // from 1; 0 means the file as a whole
	Column int    // in bytes from 1; 0 means the line as a whole
}

// String renders "file:line:column", leaving out what is not known.
func (p Position) String() string {
	s := Printable(p.File)
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			s += ":" + strconv.Itoa(p.Column)
		}
	}
	return s
}

// Diagnostic is one fault in an input.
type Diagnostic struct {
	Code    Code
	Pos     Position
	Message string    // what was found and what was expected
	Hint    string    // what to do; may be empty
	Related []Related // other places that belong to the fault
}

// Related points at another place that belongs to a fault, such as the first
// of two duplicates.
type Related struct {
	Pos     Position
	Message string
}

// At returns a diagnostic with a formatted message.
func At(pos Position, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{Code: code, Pos: pos, Message: fmt.Sprintf(format, args...)}
}

// WithHint returns a copy of d that says what to do.
func (d Diagnostic) WithHint(format string, args ...any) Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// WithRelated returns a copy of d that also points at pos.
func (d Diagnostic) WithRelated(pos Position, format string, args ...any) Diagnostic {
	d.Related = append(d.Related[:len(d.Related):len(d.Related)], Related{pos, fmt.Sprintf(format, args...)})
	return d
}

// Text renders d for people, over one or more lines and with a final newline:
//
//	attempts.csv:22:1: error: ... [attempts/duplicate]
//	    attempts.csv:6:1: first here
//	    hint: ...
func (d Diagnostic) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s [%s]\n", d.Pos, d.Code.Severity(), Printable(d.Message), d.Code)
	for _, r := range d.Related {
		fmt.Fprintf(&b, "    %s: %s\n", r.Pos, Printable(r.Message))
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "    hint: %s\n", Printable(d.Hint))
	}
	return b.String()
}

// Printable replaces what could move the cursor or reorder the line on a
// terminal: input reaches messages and tables, and a name may hold anything.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, s)
}

type jsonPosition struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitzero"`
	Column int    `json:"column,omitzero"`
}

type jsonRelated struct {
	jsonPosition
	Message string `json:"message"`
}

type jsonDiagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	jsonPosition
	Message string        `json:"message"`
	Hint    string        `json:"hint,omitempty"`
	Related []jsonRelated `json:"related,omitempty"`
}
