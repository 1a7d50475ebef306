package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"scorebook/retrieval"
)

// member reports whether the body is an object with a name.
func (x *exchange) member(name string) bool {
	var body map[string]json.RawMessage
	return json.Unmarshal(x.body, &body) == nil && body[name] != nil
}

// The names that DRES knows at each level of a submission.
var (
	bodyNames   = []string{"answerSets"}
	setNames    = []string{"taskId", "taskName", "answers"}
	answerNames = []string{"text", "mediaItemName", "mediaItemCollectionName", "start", "end"}
)

// answers2 looks at the body of a submission of version 2.
func (c *Coach) answers2(x *exchange) (notes []Note) {
	add := func(grade Grade, format string, args ...any) {
		notes = append(notes, Note{grade, fmt.Sprintf(format, args...)})
	}
	object := func(raw json.RawMessage, known []string) map[string]json.RawMessage {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return nil
		}
		for name := range members {
			if !slices.Contains(known, name) && name != "session" {
				add(Tolerated, "the name %.60q is not known: elsewhere it may be refused", name)
			}
		}
		return members
	}
	list := func(raw json.RawMessage) (all []json.RawMessage) {
		_ = json.Unmarshal(raw, &all) // what is no list has no elements
		return all
	}
	body := object(x.body, bodyNames)
	sets := list(body["answerSets"])
	_, rest := x.route()
	q := c.question(c.task)
	for _, raw := range sets {
		set := object(raw, setNames)
		if id := plain(set["taskId"]); len(rest) > 1 && id == rest[1] {
			add(Tolerated, "taskId holds the id of the evaluation: leave it out, or give that of the task")
		}
		if name := plain(set["taskName"]); name != "" && q != nil && name != string(q.ID) {
			add(Tolerated, "taskName is %.60q while the task %s runs: elsewhere the submission is refused", name, q.ID)
		}
		for _, raw := range list(set["answers"]) {
			notes = append(notes, c.answer(q, object(raw, answerNames))...)
		}
	}
	if len(sets) > 1 {
		add(Tolerated, "several answer sets: elsewhere each is for a task of its own")
	}
	slices.SortFunc(notes, func(a, b Note) int { return strings.Compare(a.Text, b.Text) })
	return slices.Compact(notes)
}

// plain returns what a JSON string says, or "".
func plain(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text) // anything else says nothing
	return text
}

// answer looks at one answer.
func (c *Coach) answer(q *retrieval.Question, a map[string]json.RawMessage) (notes []Note) {
	add := func(format string, args ...any) {
		notes = append(notes, Note{Tolerated, fmt.Sprintf(format, args...)})
	}
	for _, name := range []string{"start", "end"} {
		if fault := number(a[name]); fault != "" {
			add("%s is %s: send a whole number of milliseconds", name, fault)
		}
	}
	if missing(a["start"]) && !missing(a["end"]) {
		add("start is missing beside an end: 0 is a number like others")
	}
	if q == nil {
		return notes
	}
	media := plain(a["mediaItemName"])
	if start, ok := value(a["start"]); ok && q.Type == retrieval.KIS && media != "" {
		if unit := c.unit(q, start, meant{"frames", start / c.fps(q) * 1000}, meant{"seconds", start * 1000}); unit != "" {
			add("start looks like %s: times are in milliseconds", unit)
		}
	}
	if video := strings.TrimPrefix(q.Scene+"_"+q.Video, "_"); media != "" && media != video {
		if scene, name := retrieval.NewMedia([]retrieval.Question{*q}).Resolve(media); name == q.Video && (scene == q.Scene || scene == "") {
			add("mediaItemName is %.60q where the item is called %s: elsewhere it is not found", media, video)
		}
	}
	return append(notes, c.text(q, plain(a["text"]))...)
}

// text looks at the text of an answer.
func (c *Coach) text(q *retrieval.Question, text string) (notes []Note) {
	add := func(format string, args ...any) {
		notes = append(notes, Note{Tolerated, fmt.Sprintf(format, args...)})
	}
	prefix := map[retrieval.Type]string{retrieval.QA: "QA-", retrieval.TR: "TR-"}[q.Type]
	if text == "" || prefix == "" {
		return nil
	}
	if !strings.HasPrefix(text, prefix) {
		add("the text does not begin with %s", prefix)
	}
	for number := range strings.SplitSeq(text[strings.LastIndexByte(text, '-')+1:], ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			continue
		}
		candidates := []meant{{"frames where milliseconds are wanted", v / c.fps(q) * 1000}, {"seconds where milliseconds are wanted", v * 1000}}
		if q.Type == retrieval.TR {
			candidates = []meant{{"milliseconds where frames are wanted", v * c.fps(q) / 1000}}
		}
		if unit := c.unit(q, v, candidates...); unit != "" {
			add("the numbers of the text look like %s", unit)
		}
	}
	return notes
}

// missing reports whether a value says nothing.
func missing(raw json.RawMessage) bool {
	return len(raw) == 0 || bytes.Equal(raw, []byte("null")) || bytes.Equal(raw, []byte(`""`))
}

// number says what is odd about a time, or "".
func number(raw json.RawMessage) string {
	switch {
	case bytes.Equal(raw, []byte(`""`)):
		return "an empty text"
	case missing(raw):
		return ""
	case raw[0] == '"':
		return "in quotes"
	}
	if v, ok := value(raw); ok && v != math.Trunc(v) {
		return "a fraction"
	}
	return ""
}

func value(raw json.RawMessage) (v float64, ok bool) {
	if missing(raw) {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	return v, err == nil
}
