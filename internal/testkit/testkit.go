// Package testkit holds what the tests of several packages share. It is
// imported by tests only.
package testkit

import "strings"

// Inside reports whether a position lies inside a text: in one of its lines, on
// one of its bytes, on the line end or directly behind it. Line 0 means the
// text as a whole. A byte order mark is not part of the text.
func Inside(text string, line, column int) bool {
	if line == 0 {
		return column == 0
	}
	lines := strings.SplitAfter(strings.TrimPrefix(text, "\ufeff"), "\n")
	return line >= 1 && line <= len(lines) && column >= 1 && column <= len(lines[line-1])+1
}
