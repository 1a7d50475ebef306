package diag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Severity says what a diagnostic means for the result.
type Severity uint8

const (
	// Error means that no result is computed.
	Error Severity = iota
	// Warning means that the result stands, and that it may surprise.
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Code is the stable name of one kind of fault, such as "attempts/duplicate".
// Scripts may match on it; messages may change. The only way to make one is
// [Define], so every code is in the [Catalogue].
type Code struct{ entry *Entry }

// Entry is what the documentation says about a code.
type Entry struct {
	Name     string   // "<area>/<fault>", lower case
	Severity Severity // of every diagnostic with this code
	Meaning  string   // what was found, one sentence without a full stop
	Remedy   string   // what to do about it, likewise
}

var catalogue []*Entry

var wellFormed = regexp.MustCompile(`^[a-z]+/[a-z]+(-[a-z]+)*$`)

// Define adds a code to the catalogue. It is called from package variables
// only and panics on a malformed or repeated name, so a mistake shows at once.
func Define(name string, severity Severity, meaning, remedy string) Code {
	if !wellFormed.MatchString(name) || meaning == "" || remedy == "" {
		panic(fmt.Sprintf("diag: incomplete code %q", name))
	}
	if slices.ContainsFunc(catalogue, func(e *Entry) bool { return e.Name == name }) {
		panic(fmt.Sprintf("diag: code %q defined twice", name))
	}
	e := &Entry{Name: name, Severity: severity, Meaning: meaning, Remedy: remedy}
	catalogue = append(catalogue, e)
	return Code{e}
}

// Catalogue returns every defined code in the order of their names.
func Catalogue() []Entry {
	entries := make([]Entry, 0, len(catalogue))
	for _, e := range catalogue {
		entries = append(entries, *e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

// String returns the code's name; the zero Code has none.
func (c Code) String() string {
	if c.entry == nil {
		return ""
	}
	return c.entry.Name
}

// Severity returns the severity of every diagnostic with this code.
func (c Code) Severity() Severity {
	if c.entry == nil {
		return Error
	}
	return c.entry.Severity
}
