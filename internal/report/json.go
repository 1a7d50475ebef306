// Package report renders results: as JSON for programs, and for people as short
// tables, as pages with pictures, as Markdown and as CSV. It computes no
// statistic; it counts what it lists, and what it prints is in the results.
package report

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON writes a result in its output format: fixed order of names, shortest
// numbers that read back to the same float64, two blanks of indentation. Equal
// results give equal bytes.
func JSON(w io.Writer, result any) error {
	err := json.MarshalWrite(w, result, json.Deterministic(true), jsontext.WithIndent("  "))
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}
