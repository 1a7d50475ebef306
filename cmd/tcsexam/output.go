package main

import (
	"bytes"
	"io"

	"scorebook/exam"
	"scorebook/internal/report"
)

// writeResult writes a result in its output format to a file, or to stdout.
func (a *app) writeResult(path string, result any) error {
	var b bytes.Buffer
	if solver, ok := result.(*exam.SolverResult); ok {
		const instance = 320 // bytes or a little less: then a large result is not copied while it grows
		b.Grow(instance * len(solver.Instances))
	}
	if err := report.JSON(struct{ io.Writer }{&b}, result); err != nil { // into a bytes.Buffer itself the encoder would write a copy twice as large
		return err
	}
	return a.Write(path, b.Bytes())
}
