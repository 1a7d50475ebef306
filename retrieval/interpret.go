package retrieval

import (
	"math"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// What the answers to the types of questions look like.
var expected = map[Type]string{
	KIS: `answers with "mediaItemName" and "start" in ms (and "end")`,
	QA:  `"text": "QA-<ANSWER>-<VIDEO>-<MS>[,<MS>...]"`,
	TR:  `one answer "text": "TR-<VIDEO>-<FRAME>[,<FRAME>...]"`,
}

// Interpret makes one answer of a body for a question of a type.
//
// KIS: every answer names the same video and a moment or a stretch of it. A
// moment, whose end is missing or equal to its start, is one value; a stretch is
// two.
//
// QA: texts in the form above, or an answer in words beside a video and its
// times. Several are joined if they say the same of the same video.
//
// TR: one text in the form above.
//
// The outcome depends on the type and on the known names, never on what is
// right. The error is a [*Malformed].
func Interpret(body *Body, kind Type, media *Media) (Answer, error) {
	items := body.Items
	if len(items) == 0 && body.Text != "" {
		items = []Item{{Field: "", Text: body.Text}}
	}
	if len(items) == 0 {
		return Answer{}, malformed("answerSets", "found no answer, expected %s", expected[kind])
	}
	var answer Answer
	var err error
	switch kind {
	case KIS:
		answer, err = interpretKIS(items, media)
	case QA:
		answer, err = interpretQA(items, media)
	case TR:
		answer, err = interpretTR(items, media)
	default:
		return Answer{}, malformed("", "found a question of type %q, which nobody can answer", kind)
	}
	if err == nil && len(answer.Values) > MaxValues {
		err = malformed("", "found %d values, expected at most %d", len(answer.Values), MaxValues)
	}
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// field names a part of an item.
func (i Item) field(name string) string {
	if i.Field == "" {
		return name
	}
	return i.Field + "." + name
}

// values returns the moment or the stretch of an item.
func (i Item) values() ([]float64, error) {
	switch {
	case i.Start == nil && i.End == nil:
		return nil, malformed(i.field("start"), "found none, expected a number of milliseconds")
	case i.End == nil || i.Start != nil && *i.Start == *i.End:
		return []float64{*i.Start}, nil
	case i.Start == nil: // a client that turns 0 into null
		if *i.End == 0 {
			return []float64{0}, nil
		}
		return []float64{0, *i.End}, nil
	case *i.Start > *i.End:
		return nil, malformed(i.field("start"), "found %v, which is after the end %v", *i.Start, *i.End)
	}
	return []float64{*i.Start, *i.End}, nil
}

func interpretKIS(items []Item, media *Media) (answer Answer, err error) {
	for n, item := range items {
		if item.Media == "" {
			return answer, malformed(item.field("mediaItemName"), "found none, expected %s", expected[KIS])
		}
		if err := answer.from(media, item.Media, n > 0, item.field("mediaItemName")); err != nil {
			return answer, err
		}
		values, err := item.values()
		if err != nil {
			return answer, err
		}
		answer.Values = append(answer.Values, values...)
	}
	return answer, nil
}

// from sets the video of an answer, or checks that it is the same again.
func (a *Answer) from(media *Media, name string, again bool, field string) error {
	scene, video := media.Resolve(name)
	if video == "" {
		return malformed(field, "found no video in %s, expected its name", shorten(name))
	}
	if again && (scene != a.Scene || video != a.Video) {
		return malformed(field, "found %s, expected the same video in every answer", shorten(name))
	}
	a.Scene, a.Video = scene, video
	return nil
}

// numbers matches the list of numbers that ends a text.
var numbers = regexp.MustCompile(`^(?s)(.*)-\s*([0-9][0-9.eE+]*(?:\s*,\s*[0-9][0-9.eE+]*)*)\s*$`)

// cutNumbers takes the numbers off the end of a text.
func cutNumbers(field, text string, kind Type) (before string, values []float64, err error) {
	parts := numbers.FindStringSubmatch(text)
	if parts == nil {
		return "", nil, malformed(field, "found %s, which does not end with a hyphen and numbers; expected %s", shorten(text), expected[kind])
	}
	for number := range strings.SplitSeq(parts[2], ",") {
		number = strings.TrimSpace(number)
		value, ok := parseValue(number)
		switch {
		case !ok:
			return "", nil, malformed(field, "found the number %s, expected one from 0 to 2^53", shorten(number))
		case kind == TR && value != math.Trunc(value):
			return "", nil, malformed(field, "found the frame %s, expected a whole number", shorten(number))
		case len(values) == MaxValues:
			return "", nil, malformed(field, "found more than %d numbers, expected fewer", MaxValues)
		}
		values = append(values, value)
	}
	return parts[1], values, nil
}

// prefix takes the name of a type off a text; another type's is malformed.
func prefix(field, text string, kind Type) (rest string, found bool, err error) {
	text = norm.NFC.String(strings.TrimSpace(text))
	for _, name := range []Type{KIS, QA, TR} {
		head := string(name) + "-"
		if len(text) < len(head) || !strings.EqualFold(text[:len(head)], head) {
			continue
		}
		if name != kind {
			return "", false, malformed(field, "found an answer that begins with %s, expected %s", head, expected[kind])
		}
		return text[len(head):], true, nil
	}
	return text, false, nil
}

func interpretQA(items []Item, media *Media) (answer Answer, err error) {
	for n, item := range items {
		field := item.field("text")
		if item.Text == "" {
			return answer, malformed(field, "found none, expected %s", expected[QA])
		}
		var one Answer
		if item.Media != "" {
			if one, err = beside(item, media); err != nil {
				return answer, err
			}
		} else {
			text, _, err := prefix(field, item.Text, QA)
			if err != nil {
				return answer, err
			}
			before, values, err := cutNumbers(field, text, QA)
			if err != nil {
				return answer, err
			}
			said, scene, video, ok := media.cut(before)
			if !ok || strings.TrimSpace(said) == "" {
				return answer, malformed(field, "found %s, expected %s", shorten(item.Text), expected[QA])
			}
			one = Answer{Scene: scene, Video: video, Values: values, Text: strings.TrimSpace(said)}
		}
		if n == 0 {
			answer = one
			continue
		}
		if one.Scene != answer.Scene || one.Video != answer.Video || one.Text != answer.Text {
			return answer, malformed(field, "found another answer or video than in the first one, expected the same in every answer")
		}
		answer.Values = append(answer.Values, one.Values...)
	}
	return answer, nil
}

// beside reads an answer in words that stands beside its video and its times.
func beside(item Item, media *Media) (answer Answer, err error) {
	if answer.Values, err = item.values(); err != nil {
		return answer, err
	}
	if err := answer.from(media, item.Media, false, item.field("mediaItemName")); err != nil {
		return answer, err
	}
	answer.Text, _, err = prefix(item.field("text"), item.Text, QA)
	return answer, err
}

func interpretTR(items []Item, media *Media) (Answer, error) {
	item := items[0]
	field := item.field("text")
	switch {
	case len(items) > 1:
		return Answer{}, malformed(items[1].Field, "found a second answer, expected %s", expected[TR])
	case item.Text == "":
		return Answer{}, malformed(field, "found none, expected %s", expected[TR])
	}
	text, found, err := prefix(field, item.Text, TR)
	if err != nil {
		return Answer{}, err
	}
	if !found {
		return Answer{}, malformed(field, "found %s, expected %s", shorten(item.Text), expected[TR])
	}
	before, values, err := cutNumbers(field, text, TR)
	if err != nil {
		return Answer{}, err
	}
	scene, video := media.Resolve(before)
	if video == "" {
		return Answer{}, malformed(field, "found no video in %s, expected %s", shorten(item.Text), expected[TR])
	}
	return Answer{Scene: scene, Video: video, Values: values}, nil
}

// InterpretText reads an answer in the conventions of texts, for a question of
// a type whose videos are not known. A KIS answer is <VIDEO>-<MS>[,<MS>...].
func InterpretText(text string, kind Type) (Answer, error) {
	media := NewMedia(nil)
	if kind != KIS {
		return Interpret(&Body{Text: text}, kind, media)
	}
	before, values, err := cutNumbers("text", text, KIS)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Values: values}
	if err := answer.from(media, before, false, "text"); err != nil {
		return Answer{}, err
	}
	return answer, nil
}
