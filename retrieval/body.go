package retrieval

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds on what one submission may hold, beside the bound on its bytes.
const (
	maxSets  = 64      // answer sets
	maxItems = 1000    // answers in all answer sets
	maxDepth = 16      // of objects and arrays in each other
	maxValue = 1 << 53 // above, a float64 no longer holds every whole number
)

// tokenNames are the names of a team's token; what the first of them says
// counts, and the others must not say something else.
var tokenNames = [...]string{"teamSessionId", "team_session_id", "session"}

// Body is the JSON of a submission as it was sent, whatever the question is.
type Body struct {
	Token string // teamSessionId, team_session_id or session; empty: none was sent
	Text  string // at the top level, as older clients send it
	Items []Item // the answers of all answer sets, in order
}

// Item is one answer of a body. Clients send null and "" for what they leave
// out, so neither is told from a missing name.
type Item struct {
	Field      string   // where it stands, such as answerSets[0].answers[1]
	Text       string   // free, or in one of the conventions of [Interpret]
	Media      string   // mediaItemName
	Start, End *float64 // milliseconds, in [0, 2^53]
}

// Malformed is a body that cannot be read, or not as an answer to a question
// of a type. It is no attempt, and it tells nothing of ground truth.
type Malformed struct {
	Field   string // as in answerSets[0].answers[1].start; empty: the body
	Message string // what was found and what was expected
}

// Error implements error.
func (m *Malformed) Error() string {
	if m.Field == "" {
		return "body: " + m.Message
	}
	return m.Field + ": " + m.Message
}

func malformed(field, format string, args ...any) *Malformed {
	return &Malformed{field, fmt.Sprintf(format, args...)}
}

// ParseBody reads the body of a submission in any of the forms that clients
// send. Names that it does not know are passed over. The error is a
// [*Malformed]; it never repeats a token.
func ParseBody(raw []byte) (*Body, error) {
	r := bodyReader{decoder: jsontext.NewDecoder(bytes.NewBuffer(raw))} // refuses duplicate names and what is not UTF-8; reads a Buffer in place
	if r.decoder.PeekKind() != '{' {
		if err := r.skip(); err != nil {
			return nil, err
		}
		return nil, malformed("", `found no JSON object, expected {"teamSessionId": ..., "answerSets": [...]}`)
	}
	if err := r.object("", r.member); err != nil {
		return nil, err
	}
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, malformed("", "found something behind the JSON object, expected the end")
	}
	for i, token := range r.tokens {
		switch {
		case token == "" || token == r.body.Token:
		case r.body.Token != "":
			return nil, malformed(tokenNames[i], "found another token than under a name before it, expected one")
		default:
			r.body.Token = token
		}
	}
	return &r.body, nil
}

// bodyReader reads a body value by value. Every method returns a *Malformed as
// its error.
type bodyReader struct {
	decoder *jsontext.Decoder
	tokens  [len(tokenNames)]string
	body    Body
}

// member reads what a name at the top level has.
func (r *bodyReader) member(name string) (err error) {
	switch name {
	case "text":
		r.body.Text, err = r.text("", name)
		return err
	case "answerSets":
		return r.array("", name, maxSets, r.answerSet)
	}
	i := slices.Index(tokenNames[:], name)
	if i < 0 {
		return r.skip()
	}
	if kind := r.decoder.PeekKind(); kind != '"' && kind != 'n' {
		if err := r.skip(); err != nil {
			return err
		}
		return malformed(name, "found no string, expected the token as a string")
	}
	r.tokens[i], err = r.text("", name)
	return err
}

func syntax(err error) *Malformed {
	return malformed("", "found no JSON that can be read, expected an object in UTF-8: %s", shorten(strings.TrimPrefix(err.Error(), "jsontext: ")))
}

// object calls member for each name, which must read the value. A null is an
// object without names.
func (r *bodyReader) object(field string, member func(name string) error) error {
	if null, err := r.begin(field, '{', "an object"); null || err != nil {
		return err
	}
	for r.decoder.PeekKind() != '}' {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return syntax(err)
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	return r.end()
}

// array calls element for each value, which must read it. A null is empty.
func (r *bodyReader) array(parent, name string, most int, element func(field string) error) error {
	field := join(parent, name)
	if null, err := r.begin(field, '[', "an array"); null || err != nil {
		return err
	}
	for i := 0; r.decoder.PeekKind() != ']'; i++ {
		if i == most {
			return malformed(field, "found more than %d values, expected at most so many", most)
		}
		if err := element(field + "[" + strconv.Itoa(i) + "]"); err != nil {
			return err
		}
	}
	return r.end()
}

// join returns the name of a field, which is needed only to report it.
func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

func (r *bodyReader) begin(field string, kind jsontext.Kind, expected string) (null bool, err error) {
	switch found := r.decoder.PeekKind(); found {
	case kind:
		_, err := r.decoder.ReadToken()
		if err != nil {
			return false, syntax(err)
		}
		return false, nil
	case 'n':
		return true, r.skip()
	default:
		return false, r.other(field, expected)
	}
}

func (r *bodyReader) end() error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return syntax(err)
	}
	return nil
}

// other reports a value of another kind.
func (r *bodyReader) other(field, expected string) error {
	value, err := r.decoder.ReadValue()
	if err != nil {
		return syntax(err)
	}
	return malformed(field, "found %s, expected %s", shorten(string(value)), expected)
}

// skip passes over a value.
func (r *bodyReader) skip() error {
	for depth := r.decoder.StackDepth(); ; {
		if _, err := r.decoder.ReadToken(); err != nil {
			return syntax(err)
		}
		switch now := r.decoder.StackDepth(); {
		case now > maxDepth:
			return malformed("", "found values that are nested more than %d deep, expected fewer", maxDepth)
		case now <= depth:
			return nil
		}
	}
}

// text reads a string; null is empty.
func (r *bodyReader) text(parent, name string) (string, error) {
	switch r.decoder.PeekKind() {
	case 'n':
		return "", r.skip()
	case '"':
		token, err := r.decoder.ReadToken()
		if err != nil {
			return "", syntax(err)
		}
		return token.String(), nil
	}
	return "", r.other(join(parent, name), "a string")
}

func (r *bodyReader) answerSet(field string) error {
	return r.object(field, func(name string) error {
		if name != "answers" {
			return r.skip()
		}
		return r.array(field, name, maxItems, r.answer)
	})
}

func (r *bodyReader) answer(field string) error {
	item := Item{Field: field}
	err := r.object(field, func(name string) (err error) {
		switch name {
		case "text":
			item.Text, err = r.text(field, name)
		case "mediaItemName":
			item.Media, err = r.text(field, name)
		case "start":
			item.Start, err = r.time(field, name)
		case "end":
			item.End, err = r.time(field, name)
		default:
			err = r.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(r.body.Items) == maxItems {
		return malformed(field, "found more than %d answers in all, expected at most so many", maxItems)
	}
	r.body.Items = append(r.body.Items, item)
	return nil
}

// time reads a number or a numeric string; null and "" are nil.
func (r *bodyReader) time(parent, name string) (*float64, error) {
	switch r.decoder.PeekKind() {
	case 'n':
		return nil, r.skip()
	case '"', '0':
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, syntax(err)
		}
		text := strings.TrimSpace(token.String())
		if text == "" {
			return nil, nil
		}
		value, ok := parseValue(text)
		if !ok {
			return nil, malformed(join(parent, name), "found %s, expected a number from 0 to 2^53", shorten(text))
		}
		return &value, nil
	}
	return nil, r.other(join(parent, name), "a number of milliseconds")
}

// parseValue reads a decimal number in [0, 2^53].
func parseValue(text string) (float64, bool) {
	if len(text) > 400 || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, false // neither "NaN", "Inf" nor hexadecimal
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= maxValue) {
		return 0, false
	}
	return math.Abs(value), true // never -0
}

// shorten quotes what was sent, its beginning if it is long.
func shorten(text string) string {
	const most = 80
	end := 0
	for range most {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if end < len(text) {
		return strconv.QuoteToGraphic(text[:end]) + " (shortened)"
	}
	return strconv.QuoteToGraphic(text)
}
