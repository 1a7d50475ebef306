package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Language is what a page is written in. What results themselves say, such as
// their names, states and codes, stands as in the file.
type Language string

// The languages there are. Texts for programs and files are English.
const (
	English    Language = "en"
	Vietnamese Language = "vi"
)

//go:embed vi.json
var vietnamese []byte

// wordings finds the words of a language; none are other than the English ones.
var wordings = map[Language]words{English: nil, Vietnamese: parseWords(vietnamese)}

// words are what texts are in a language. A text is found by its English
// wording, with places for arguments as package fmt has them.
type words map[string]string

func parseWords(text []byte) (w words) {
	if err := json.Unmarshal(text, &w); err != nil {
		panic(err) // it is embedded
	}
	return w
}

// say returns a text in the language.
func (w words) say(text string, args ...any) string {
	if other, ok := w[text]; ok {
		text = other
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// count returns a text about a number of things: one for the number 1, many for
// the others, in which the number stands before the arguments, with a sign
// between its thousands.
func (w words) count(n int, one, many string, args ...any) string {
	if n == 1 {
		return w.say(one, args...)
	}
	return w.say(many, append([]any{thousands(n)}, args...)...)
}
