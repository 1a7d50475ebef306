package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
	"scorebook/strict"
)

// Bounds on what is read.
const (
	maxSubmission = 64 << 10 // bytes of a submission
	maxRequest    = 16 << 10 // bytes of any other body
	maxText       = 1000     // bytes of a reason
	bodyTime      = 3 * time.Second
)

// read reads the whole body. A client that needs longer than bodyTime is
// refused: it cannot win time for thinking by sending slowly.
func (x *exchange) read(limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(x.ResponseWriter, x.request.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		_ = x.control().SetReadDeadline(time.Time{})
		return body, nil
	case errors.As(err, &tooLarge):
		return nil, refuse(http.StatusRequestEntityTooLarge, "too_large", "found a body of more than %d bytes, expected at most that", limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		x.Header().Set("Connection", "close")
		return nil, refuse(http.StatusRequestTimeout, "timeout", "the body did not arrive within %v: send it again", bodyTime)
	}
	x.Header().Set("Connection", "close")
	return nil, malformed("the body ended too early: send it again")
}

// decode reads the JSON object of a body into a struct, exactly: names in their
// case and once, values of their type. No body is an empty object. Unknown
// names are refused if strictly.
func decode(x *exchange, into any, strictly bool) error {
	body, err := x.read(maxRequest)
	if err != nil {
		return err
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return nil
	}
	if body[0] != '{' {
		return malformed("found a body that begins with %s, expected a JSON object", diag.Printable(string([]rune(string(body[:min(len(body), 8)]))[:1])))
	}
	err = json.Unmarshal(body, into, json.RejectUnknownMembers(strictly))
	if err == nil {
		return nil
	}
	return malformed("%s", unreadable(err, into))
}

// unreadable says what is wrong with a body.
func unreadable(err error, into any) string {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return "the body is no JSON object that can be read: " + diag.Printable(strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	field := diag.Printable(short(strings.ReplaceAll(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "/", ".")))
	if errors.Is(semantic.Err, json.ErrUnknownName) {
		names := fields(into)
		hint := ""
		if near, ok := strict.Nearest(semantic.JSONPointer.LastToken(), names); ok {
			hint = fmt.Sprintf(", perhaps %s", near)
		}
		if len(names) == 0 {
			return fmt.Sprintf("found the unknown name %s, expected an empty object", field)
		}
		return fmt.Sprintf("found the unknown name %s, expected %s%s", field, strings.Join(names, ", "), hint)
	}
	var wrong *wrongValue
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s: found %s, expected %s", field, kind(wrong.found), wrong.expected)
	}
	if errors.Is(semantic.Err, strconv.ErrRange) {
		return fmt.Sprintf("%s: found %s, expected a number that is not so large", field, short(string(semantic.JSONValue)))
	}
	return fmt.Sprintf("%s: found %s, expected %s", field, kind(semantic.JSONKind), typeName(semantic.GoType))
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "..."
	}
	return s
}

// fields returns the names of a struct's fields in JSON.
func fields(of any) (names []string) {
	t := reflect.TypeOf(of).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func kind(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "something else"
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64, reflect.Int, reflect.Uint64:
		return "a number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// wrongValue is a value that a type of ours does not take.
type wrongValue struct {
	found    jsontext.Kind
	expected string
}

// Error implements error.
func (w *wrongValue) Error() string { return "expected " + w.expected }

// name is a question's id or a submission's number: clients write both as text
// and as a number.
type name string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (n *name) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	found := decoder.PeekKind()
	value, err := decoder.ReadValue()
	if err != nil {
		return err
	}
	switch {
	case found == '"':
		return json.Unmarshal(value, (*string)(n))
	case found == '0' && strings.Trim(string(value), "0123456789") == "":
		*n = name(value)
		return nil
	}
	return &wrongValue{found, "a text or a whole number"}
}

// Schema implements huma.SchemaProvider.
func (name) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeInteger}}}
}

// duration reads a number of seconds. What the rules allow is narrower.
func duration(field string, seconds float64) (time.Duration, error) {
	const most = 1e8 // three years, and far from what overflows
	if math.Abs(seconds) > most {
		return 0, invalid("%s: found %g seconds, expected at most %g", field, seconds, most)
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}

// optional is duration for a number that need not be there.
func optional(field string, seconds *float64) (*time.Duration, error) {
	if seconds == nil {
		return nil, nil //nolint:nilnil // nothing is said, and that is no fault
	}
	d, err := duration(field, *seconds)
	return &d, err
}

// text bounds what is written for people.
func text(field, s string) error {
	if len(s) > maxText {
		return invalid("%s: found %d bytes, expected at most %d", field, len(s), maxText)
	}
	return nil
}

// seconds returns a duration as replies have it: in seconds, to the
// millisecond.
func seconds(d time.Duration) float64 { return roundTo(d.Seconds(), 1000) }

func round2(f float64) float64 { return roundTo(f, 100) }

func roundTo(f, unit float64) float64 { return math.Round(f*unit) / unit }
