package main

import (
	"bytes"

	"scorebook/internal/report"
)

// writeResult writes a result in its output format to a file, or to stdout.
func (a *app) writeResult(path string, result any) error {
	var b bytes.Buffer
	if err := report.JSON(&b, result); err != nil {
		return err
	}
	return a.Write(path, b.Bytes())
}
