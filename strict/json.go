package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
)

// JSON reads one JSON text value by value. Methods that return a value report
// a fault and return ok false if it is not of the kind asked for; the value is
// then skipped, so that reading goes on behind it. After a fault in the syntax
// every method returns at once.
type JSON struct {
	src   *Source
	dec   *jsontext.Decoder
	diags *diag.List
	shape diag.Code
	dead  bool
	depth int
	names []*nameSet        // one for each depth of object, reused
	terms map[string]string // see Term
}

// NewJSON returns a reader of src that reports to diags. A value of another
// kind than expected and a missing name are reported with the code shape.
func NewJSON(src *Source, diags *diag.List, shape diag.Code) *JSON {
	// Duplicate names are looked for here, because the decoder would stop at
	// the first.
	dec := jsontext.NewDecoder(src, jsontext.AllowDuplicateNames(true))
	return &JSON{src: src, dec: dec, diags: diags, shape: shape, terms: map[string]string{}}
}

// File returns the name of the input in positions.
func (j *JSON) File() string { return j.src.file }

// Failed reports whether reading ended early, so that what was read is only
// the beginning.
func (j *JSON) Failed() bool { return j.dead }

// Fault reports a fault at a place of this input.
func (j *JSON) Fault(at Place, code diag.Code, format string, args ...any) {
	j.diags.Add(diag.At(at.In(j.src.file), code, format, args...))
}

// Here returns the place of the next value or of the bracket that ends the
// current array or object.
func (j *JSON) Here() Place {
	if j.dead {
		return j.src.place(0)
	}
	j.dec.PeekKind()
	unread := j.dec.UnreadBuffer()
	skip := len(unread) - len(bytes.TrimLeft(unread, " \t\r\n,:"))
	return j.src.place(j.dec.InputOffset() + int64(skip))
}

// String reads a string. What names the value in messages.
func (j *JSON) String(what string) (s string, at Place, ok bool) {
	raw, at, ok := j.scalar('"', j.shape, what, "a string")
	if !ok {
		return "", at, false
	}
	return string(j.unquote(raw)), at, true
}

// maxTerms bounds how many terms are remembered, and the length of each.
const maxTerms = 256

// Term reads a string that is one of few, such as a status: equal strings
// share their memory.
func (j *JSON) Term(what string) (s string, at Place, ok bool) {
	raw, at, ok := j.scalar('"', j.shape, what, "a string")
	if !ok {
		return "", at, false
	}
	b := j.unquote(raw)
	if s, known := j.terms[string(b)]; known {
		return s, at, true
	}
	s = string(b)
	if len(j.terms) < maxTerms && len(s) <= maxTerms {
		j.terms[s] = s
	}
	return s, at, true
}

// Number reads a number within the range of a float64. Faults get the given
// code.
func (j *JSON) Number(code diag.Code, what string) (n Number, at Place, ok bool) {
	raw, at, ok := j.scalar('0', code, what, "a number")
	if !ok {
		return "", at, false
	}
	if n = Number(raw); !inRange(string(n)) {
		j.Fault(at, code, "%s: found %s, expected %s", what, excerpt(raw), numberForm(raw))
		return "", at, false
	}
	return n, at, true
}

// Bool reads true or false. Faults get the given code.
func (j *JSON) Bool(code diag.Code, what string) (b bool, at Place, ok bool) {
	raw, at, ok := j.scalar('t', code, what, "true or false")
	return ok && raw[0] == 't', at, ok
}

// Null reads a null if that is the next value.
func (j *JSON) Null() bool {
	if j.dead || j.dec.PeekKind() != 'n' {
		return false
	}
	_, _, ok := j.read()
	return ok
}

// IsObject reports whether the next value is an object.
func (j *JSON) IsObject() bool { return !j.dead && j.dec.PeekKind() == '{' }

// Array reads an array and calls element for each of its values, which must
// read exactly that value. It returns the place of the closing bracket.
func (j *JSON) Array(what string, element func(i int)) (end Place, ok bool) {
	if !j.open('[', what, "an array") {
		return Place{}, false
	}
	for i := 0; j.more(']'); i++ {
		element(i)
	}
	return j.close()
}

// Map reads an object whose names are data and calls member for each, which
// must read exactly the value that belongs to the name. Of a name that occurs
// twice only the first value is read.
func (j *JSON) Map(what string, member func(name string, at Place)) (end Place, ok bool) {
	if !j.open('{', what, "an object") {
		return Place{}, false
	}
	seen := map[string]Place{}
	for j.more('}') {
		raw, at, ok := j.read()
		if !ok {
			break
		}
		name := string(j.unquote(raw))
		if first, twice := seen[name]; twice {
			j.duplicate(name, at, first)
			j.Skip()
			continue
		}
		seen[name] = at
		member(name, at)
	}
	return j.close()
}

// Skip reads over the next value, whatever it is. Duplicate names and numbers
// outside float64 within it are still faults.
func (j *JSON) Skip() {
	if j.dead {
		return
	}
	switch j.dec.PeekKind() {
	case '[':
		j.Array("", func(int) { j.Skip() })
	case '{':
		j.open('{', "", "")
		names := j.nameSet()
		for j.more('}') {
			raw, at, ok := j.read()
			if !ok {
				break
			}
			j.once(names, j.unquote(raw), at)
			j.Skip()
		}
		j.close()
	default:
		if raw, at, ok := j.read(); ok && raw.Kind() == '0' && !inRange(string(raw)) {
			j.Fault(at, CodeNumberRange, "found %s, expected %s", excerpt(raw), numberForm(raw))
		}
	}
}

// End reports anything but white space after the value that was read.
func (j *JSON) End() {
	if j.dead {
		return
	}
	at := j.Here()
	switch _, err := j.dec.ReadToken(); {
	case err == nil:
		j.dead = true
		j.Fault(at, CodeSyntax, "found more after the end of the value, expected the end of the file")
	case !errors.Is(err, io.EOF):
		j.fail(err)
	default:
		j.src.TooLarge(j.diags)
	}
}

// read returns the next string, number or literal as it is written. The bytes
// are valid until the next call.
func (j *JSON) read() (raw jsontext.Value, at Place, ok bool) {
	if j.dead {
		return nil, Place{}, false
	}
	raw, err := j.dec.ReadValue()
	if err != nil {
		j.fail(err)
		return nil, Place{}, false
	}
	return raw, j.src.place(j.dec.InputOffset() - int64(len(raw))), true
}

// scalar reads a value of the given kind or reports and skips another one.
func (j *JSON) scalar(kind jsontext.Kind, code diag.Code, what, expected string) (jsontext.Value, Place, bool) {
	if j.dead {
		return nil, Place{}, false
	}
	found := j.dec.PeekKind()
	if found == kind || found == 'f' && kind == 't' {
		return j.read()
	}
	if found == jsontext.KindInvalid {
		return j.read() // reports the syntax
	}
	at := j.Here()
	j.wrongKind(at, code, what, expected)
	return nil, at, false
}

// wrongKind reports the next value and skips it.
func (j *JSON) wrongKind(at Place, code diag.Code, what, expected string) {
	var found string
	switch kind := j.dec.PeekKind(); kind {
	case '[':
		found = "an array"
	case '{':
		found = "an object"
	default:
		raw, _, ok := j.read()
		if !ok {
			return
		}
		found = map[jsontext.Kind]string{'"': "the string ", '0': "the number "}[kind] + excerpt(raw)
		j.Fault(at, code, "%s: found %s, expected %s", what, found, expected)
		return
	}
	j.Fault(at, code, "%s: found %s, expected %s", what, found, expected)
	j.Skip()
}

// open reads the bracket that begins an array or object.
func (j *JSON) open(bracket jsontext.Kind, what, expected string) bool {
	if j.dead {
		return false
	}
	if found := j.dec.PeekKind(); found != bracket && found != jsontext.KindInvalid {
		j.wrongKind(j.Here(), j.shape, what, expected)
		return false
	}
	if _, err := j.dec.ReadToken(); err != nil {
		j.fail(err)
		return false
	}
	j.depth++
	return true
}

// more reports whether the current array or object goes on.
func (j *JSON) more(end jsontext.Kind) bool {
	if j.dead {
		return false
	}
	// An invalid kind is left for the next read to report.
	return j.dec.PeekKind() != end
}

// close reads the bracket that ends an array or object.
func (j *JSON) close() (Place, bool) {
	if j.dead {
		return Place{}, false
	}
	j.depth--
	if _, err := j.dec.ReadToken(); err != nil {
		j.fail(err)
		return Place{}, false
	}
	return j.src.place(j.dec.InputOffset() - 1), true
}

func (j *JSON) duplicate(name string, at, first Place) {
	j.diags.Add(duplicateName(j.src.file, name, at, first))
}

// duplicateName describes a name that an object has twice.
func duplicateName(file, name string, at, first Place) diag.Diagnostic {
	return diag.At(at.In(file), CodeDuplicateKey, "the name %s occurs twice in one object", quote(name)).
		WithRelated(first.In(file), "first here")
}

// fail reports what the decoder refused and ends reading.
func (j *JSON) fail(err error) {
	j.dead = true
	if j.src.TooLarge(j.diags) || j.src.Err() != nil {
		return
	}
	offset := j.dec.InputOffset()
	message, pointer := err.Error(), jsontext.Pointer("")
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		offset, pointer = max(offset, syntax.ByteOffset), syntax.JSONPointer
		message = syntax.Err.Error()
	case errors.Is(err, io.EOF):
		offset, message = j.src.n, "the file is empty"
	}
	offset = min(offset, j.src.n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		offset, message = j.src.n, "the file ends in the middle of a value"
	}
	unread := j.dec.UnreadBuffer()
	split := min(int64(len(unread)), offset-j.dec.InputOffset())
	rest := unread[split:]
	if split > 0 && unread[split-1] == '-' { // a sign belongs to its number
		rest, offset = unread[split-1:], offset-1
	}
	at := j.src.place(offset)
	for _, word := range []string{"NaN", "Infinity", "-NaN", "-Infinity"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			j.Fault(at, CodeNotANumber, "%sfound %s, expected a finite number", where(pointer), word)
			return
		}
	}
	d := diag.At(at.In(j.src.file), CodeSyntax, "%s%s", where(pointer), message)
	if j.src.utf16 {
		d = d.WithHint("the file looks like UTF-16: save it as UTF-8")
	}
	j.diags.Add(d)
}

// numberForm says what a number must be that is not.
func numberForm(raw []byte) string {
	if len(raw) > MaxNumberLength {
		return fmt.Sprintf("a number of at most %d characters", MaxNumberLength)
	}
	return "a number that a float64 can hold"
}

func where(pointer jsontext.Pointer) string {
	if pointer == "" {
		return ""
	}
	return fmt.Sprintf("at %s: ", excerpt([]byte(pointer)))
}

// unquote returns the text of a raw string, valid until the next read.
func (j *JSON) unquote(raw jsontext.Value) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		panic(err) // the decoder has checked the string
	}
	return text
}

// quote puts a name of any length into quotes for a message.
func quote(s string) string { return fmt.Sprintf("%q", excerpt([]byte(s))) }

// excerpt shortens what is quoted from an input to what fits a message.
func excerpt(b []byte) string {
	const longest = 80
	if len(b) <= longest {
		return string(b)
	}
	b = b[:longest]
	for len(b) > 0 && !utf8.Valid(b) {
		b = b[:len(b)-1]
	}
	return string(b) + "..."
}
