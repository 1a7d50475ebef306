package strict

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
)

// Decode reads one JSON text into a Go value as encoding/json/v2 does, with
// unknown names refused. It is for documents that a program wrote: unlike
// [JSON] it holds the whole text in memory and stops at the first fault.
func Decode(src *Source, diags *diag.List, shape diag.Code, into any) (ok bool) {
	text, err := io.ReadAll(src)
	if src.TooLarge(diags) || err != nil {
		return false
	}
	err = json.Unmarshal(text, into, json.RejectUnknownMembers(true))
	if err == nil {
		return true
	}
	code, offset := shape, int64(0)
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		code, offset, err = CodeSyntax, syntax.ByteOffset, syntax.Err
		if errors.Is(err, jsontext.ErrDuplicateName) {
			code = CodeDuplicateKey
		}
	case errors.As(err, &semantic):
		offset = semantic.ByteOffset
		if semantic.Err != nil {
			err = semantic.Err
		}
		if errors.Is(err, json.ErrUnknownName) {
			code, err = CodeUnknownKey, fmt.Errorf("found the unknown name %s", quote(semantic.JSONPointer.LastToken()))
		}
	}
	diags.Add(diag.At(src.place(min(offset, src.n)).In(src.file), code, "%s", err))
	return false
}
