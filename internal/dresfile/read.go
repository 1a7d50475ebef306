package dresfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"scorebook/diag"
	"scorebook/strict"
)

// Codes of faults of a template, and of what cannot be carried over.
var (
	CodeInvalid = diag.Define("dres/invalid", diag.Error,
		"a file is no evaluation template of DRES",
		"export the template from DRES again: the file is one JSON object with name, tasks and teams")
	CodeNotCarried = diag.Define("dres/not-carried", diag.Warning,
		"something of an evaluation template has no counterpart in a contest, or was changed for one",
		"look at what was written, and decide whether the contest is the one that is meant")
)

// read reads a template. Names that it does not know are passed over: versions of
// DRES differ.
func read(src *strict.Source, diags *diag.List) (*template, bool) {
	text, err := io.ReadAll(src)
	if src.TooLarge(diags) || err != nil {
		return nil, false
	}
	var t template
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, &t); {
	case errors.As(err, &syntax):
		diags.Add(diag.At(position(src, text, syntax.Offset), CodeInvalid, "found no JSON that can be read: %s", syntax))
		return nil, false
	case errors.As(err, &kind):
		diags.Add(diag.At(position(src, text, kind.Offset), CodeInvalid, "%s: found %s, expected another kind of value", kind.Field, kind.Value))
		return nil, false
	case err != nil:
		diags.Add(diag.At(position(src, text, 1), CodeInvalid, "found no evaluation template: %s", err))
		return nil, false
	}
	if oneLine(t.Name) == "" || len(t.Tasks) == 0 {
		diags.Add(diag.At(position(src, text, 1), CodeInvalid, "found no name or no tasks, expected those of an evaluation template"))
		return nil, false
	}
	return &t, true
}

// position returns where the byte before an offset is.
func position(src *strict.Source, text []byte, offset int64) diag.Position {
	before := text[:max(0, min(offset-1, int64(len(text))))]
	line := bytes.LastIndexByte(before, '\n')
	return strict.Place{Line: uint32(bytes.Count(before, []byte("\n")) + 1), Column: uint32(len(before) - line)}.In(src.File())
}
