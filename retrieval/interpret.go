package retrieval

import (
	"math"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// What the answers to the types of questions look like.
var expected = map[Type]string{
	KIS: `answers with "mediaItemName" and "start" in ms (and "end")`,
	QA:  `"text": "QA-<ANSWER>-<VIDEO>-<MS>[,<MS>...]"`,
	TR:  `one answer "text": "TR-<VIDEO>-<FRAME>[,<FRAME>...]", or for each event one with "mediaItemName" and "start" in ms`,
}

// Interpret makes one answer of a body for a question whose answers have a form.
//
// KIS: every answer names the same video and a moment or a stretch of it. A
// moment, whose end is missing or equal to its start, is one value; a stretch is
// two. Where the form takes a video alone, moments may be missing.
//
// QA: texts in the form above, or an answer in words beside a video and its
// times; a text that repeats the video beside it is in the form above. Several
// are joined if they say the same of the same video. Where the form takes a
// video alone, an answer in words needs no times.
//
// TR: one text in the form above, or an answer for each event, in order, that
// names the video and a moment or a stretch of it in milliseconds: the frame in
// its middle, at so many frames a second, is the value.
//
// The answer depends on the form and on the known names, never on what is right.
// Whether there is an error, and which, does not even depend on the known names:
// refusals are free, and would tell which videos a contest asks for. The error is
// a [*Malformed].
func Interpret(body *Body, form Form, media *Media) (Answer, error) {
	items := body.Items
	if len(items) == 0 && body.Text != "" {
		items = []Item{{Field: "", Text: body.Text}}
	}
	if len(items) == 0 {
		return Answer{}, malformed("answerSets", "found no answer, expected %s", expected[form.Type])
	}
	var answer Answer
	var err error
	switch form.Type {
	case KIS:
		answer, err = interpretKIS(items, media, form.ItemOnly)
	case QA:
		answer, err = interpretQA(items, media, form.ItemOnly)
	case TR:
		answer, err = interpretTR(items, media, form.FPS)
	default:
		return Answer{}, malformed("", "found a question of type %q, which nobody can answer", form.Type)
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
func (i Item) field(name string) string { return join(i.Field, name) }

// values returns the moment or the stretch of an item, or neither where a video
// alone is an answer.
func (i Item) values(itemOnly bool) ([]float64, error) {
	switch {
	case i.Start == nil && i.End == nil && itemOnly:
		return []float64{}, nil
	case i.Start == nil && i.End == nil:
		return nil, malformed(i.field("start"), "found a video without a moment, expected a number of milliseconds: this question asks for a moment")
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

func interpretKIS(items []Item, media *Media, itemOnly bool) (answer Answer, err error) {
	answer.Values = []float64{}
	for n, item := range items {
		field := item.field("mediaItemName")
		switch {
		case item.Media == "":
			return answer, malformed(field, "found none, expected %s", expected[KIS])
		case n == 0:
			if err := answer.from(media, item.Media, field); err != nil {
				return answer, err
			}
		case !sameName(item.Media, items[0].Media):
			return answer, malformed(field, "found %s, expected the same video in every answer", shorten(item.Media))
		}
		values, err := item.values(itemOnly)
		if err != nil {
			return answer, err
		}
		answer.Values = append(answer.Values, values...)
	}
	return answer, nil
}

// from sets the video of an answer.
func (a *Answer) from(media *Media, name, field string) error {
	if a.Scene, a.Video = media.Resolve(name); a.Video == "" {
		return malformed(field, "found no video in %s, expected its name", shorten(name))
	}
	return nil
}

// cutNumbers takes the numbers off the end of a text: what follows its last
// hyphen, as no number has one.
func cutNumbers(field, text string, kind Type) (before string, values []float64, err error) {
	at := strings.LastIndexByte(text, '-')
	if n := strings.Count(text[at+1:], ",") + 1; n > MaxValues {
		return "", nil, malformed(field, "found %d numbers, expected at most %d", n, MaxValues)
	}
	list := strings.Split(text[at+1:], ",")
	for i, number := range list {
		list[i] = strings.TrimSpace(number)
		if at < 0 || list[i] == "" || list[i][0] < '0' || list[i][0] > '9' {
			return "", nil, malformed(field, "found %s, which does not end with a hyphen and numbers; expected %s", shorten(text), expected[kind])
		}
	}
	if before = strings.TrimSpace(text[:at]); strings.HasSuffix(before, "-") || strings.HasSuffix(before, ",") {
		return "", nil, malformed(field, "found the number %s, expected one from 0 to 2^53", shorten("-"+list[0]))
	}
	values = make([]float64, len(list))
	for i, number := range list {
		value, ok := parseValue(number)
		switch {
		case !ok:
			return "", nil, malformed(field, "found the number %s, expected one from 0 to 2^53", shorten(number))
		case kind == TR && value != math.Trunc(value):
			return "", nil, malformed(field, "found the frame %s, expected a whole number", shorten(number))
		}
		values[i] = value
	}
	return before, values, nil
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

func interpretQA(items []Item, media *Media, itemOnly bool) (answer Answer, err error) {
	first := ""
	for n, item := range items {
		one, said, err := interpretWords(item, media, itemOnly)
		switch {
		case err != nil:
			return answer, err
		case n == 0:
			answer, first = one, said
		case said != first:
			return answer, malformed(item.field("text"), "found another answer or video than in the first one, expected the same, spelled alike, in every answer")
		default:
			answer.Values = append(answer.Values, one.Values...)
		}
	}
	return answer, nil
}

// interpretWords reads one answer to a QA question. said is what it says of
// which video in its own spelling: two are equal or not whatever is known.
func interpretWords(item Item, media *Media, itemOnly bool) (answer Answer, said string, err error) {
	field := item.field("text")
	if item.Text == "" {
		return answer, "", malformed(field, "found none, expected %s", expected[QA])
	}
	text, _, err := prefix(field, item.Text, QA)
	if err != nil {
		return answer, "", err
	}
	before, values, err := cutNumbers(field, text, QA)
	answer.Values = values
	if item.Media == "" {
		if err != nil {
			return answer, "", err
		}
		var ok bool
		if answer.Text, answer.Scene, answer.Video, ok = media.cut(before); !ok {
			return answer, "", malformed(field, "found %s, expected %s", shorten(item.Text), expected[QA])
		}
		return answer, withoutExtension(before), nil
	}
	name := withoutExtension(item.Media)
	before = withoutExtension(before)
	words, again := cutName(suffixKey(before), suffixKey(name))
	if err == nil && again && words != "" { // the whole text beside what it repeats
		answer.Text = strings.TrimSpace(before[:len(before)-len(name)-1])
	} else {
		answer.Text = text
		if answer.Values, err = item.values(itemOnly); err != nil {
			return answer, "", err
		}
	}
	err = answer.from(media, item.Media, item.field("mediaItemName"))
	return answer, answer.Text + "\x00" + name, err
}

func interpretTR(items []Item, media *Media, fps float64) (Answer, error) {
	item := items[0]
	if item.Text == "" && item.Media != "" {
		return interpretMoments(items, media, fps)
	}
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

// interpretMoments reads an answer to a TR question as moments of a video. A text
// beside them is none of them.
func interpretMoments(items []Item, media *Media, fps float64) (Answer, error) {
	answer, err := interpretKIS(items, media, false) // the same video in each
	if err != nil {
		return answer, err
	}
	answer.Values = nil
	for _, item := range items {
		if item.Text != "" {
			return answer, malformed(item.field("text"), "found a text beside moments, expected one or the other")
		}
		values, err := item.values(false)
		if err != nil {
			return answer, err
		}
		middle := (values[0] + values[len(values)-1]) / 2
		answer.Values = append(answer.Values, math.Round(middle*fps/1000))
	}
	return answer, nil
}

// InterpretText reads an answer in the conventions of texts, for a question of
// a type whose videos are not known. A KIS answer is <VIDEO>-<MS>[,<MS>...].
func InterpretText(text string, kind Type) (Answer, error) {
	media := NewMedia(nil)
	if kind != KIS {
		return Interpret(&Body{Text: text}, Form{Type: kind}, media)
	}
	before, values, err := cutNumbers("text", text, KIS)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Values: values}
	if err := answer.from(media, before, "text"); err != nil {
		return Answer{}, err
	}
	return answer, nil
}
