package report

import (
	"fmt"
	"strings"

	"scorebook/diag"
	"scorebook/exam"
)

// File is a file that was found to be valid.
type File struct {
	Path    string
	Format  exam.Format
	Content string // what it holds, in a few words
	Digest  string // of its facts; empty for outputs
}

// Files renders what a check found, two lines a file, and then the notes on
// what was held against what.
func Files(files []File, notes []string) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s: %s, %s\n", good.Render("ok"), diag.Printable(f.Path), f.Format, diag.Printable(f.Content))
		if f.Digest != "" {
			fmt.Fprintf(&b, "    %s\n", dim.Render("sha256 of its facts "+f.Digest))
		}
	}
	for _, note := range notes {
		fmt.Fprintf(&b, "note: %s\n", diag.Printable(note))
	}
	return b.String()
}
