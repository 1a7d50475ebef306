package journal

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"scorebook/contest"
	"scorebook/retrieval"
)

// Nearly all events of a contest are submissions. They are written and read here
// without looking at types while the program runs, byte for byte as encoding/json
// does; what is unusual in one, such as a control character, is left to it.

// appendSubmission appends the JSON of an event, or reports that it is unusual.
func appendSubmission(b []byte, e *contest.SubmissionJudged) (_ []byte, ok bool) {
	w := writer{b, true}
	w.text(`{"team":`, string(e.Team))
	w.text(`,"question":`, string(e.Question))
	w.whole(`,"round":`, e.Round)
	w.time(`,"arrived":`, e.Arrived)
	w.text(`,"body":`, e.Body)
	w.answer(`,"answer":{`, &e.Answer)
	if e.Key != "" {
		w.text(`,"key":`, e.Key)
	}
	w.result(`,"announced":{`, &e.Announced)
	w.raw("}")
	return w.b, w.ok
}

type writer struct {
	b  []byte
	ok bool
}

func (w *writer) raw(text string) { w.b = append(w.b, text...) }

func (w *writer) whole(name string, n int) {
	w.raw(name)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

// number writes a float64 that encoding/json writes without an exponent.
func (w *writer) number(name string, f float64) {
	w.raw(name)
	if size := math.Abs(f); f != 0 && !(size >= 1e-6 && size < 1e21) {
		w.ok = false
		return
	}
	w.b = strconv.AppendFloat(w.b, f, 'f', -1, 64)
}

func (w *writer) time(name string, t time.Time) {
	w.raw(name)
	if year := t.Year(); year < 1 || year > 9999 || t.Location() != time.UTC {
		w.ok = false
	}
	w.b = append(w.b, '"')
	w.b = t.AppendFormat(w.b, time.RFC3339Nano)
	w.b = append(w.b, '"')
}

// text writes a string without control characters and what else is escaped but
// quotes and backslashes.
func (w *writer) text(name, s string) {
	w.raw(name)
	w.b = append(w.b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			w.b = append(append(w.b, s[from:i]...), '\\', c)
			from = i + 1
		case c < ' ':
			w.ok = false
		case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]|1 == 0xa9: // U+2028 and U+2029
			w.ok = false
		}
	}
	w.b = append(append(w.b, s[from:]...), '"')
	w.ok = w.ok && utf8.ValidString(s)
}

func (w *writer) answer(name string, a *retrieval.Answer) {
	w.raw(name)
	if a.Scene != "" {
		w.text(`"scene_id":`, a.Scene)
		w.raw(",")
	}
	w.text(`"video_id":`, a.Video)
	w.raw(`,"values":`)
	if a.Values == nil {
		w.raw("null")
	} else {
		w.raw("[")
		for i, v := range a.Values {
			if i > 0 {
				w.raw(",")
			}
			w.number("", v)
		}
		w.raw("]")
	}
	if a.Text != "" {
		w.text(`,"text":`, a.Text)
	}
	w.raw("}")
}

func (w *writer) result(name string, r *retrieval.Result) {
	w.raw(name)
	w.number(`"score":`, r.Score)
	w.text(`,"correctness":`, string(r.Correctness))
	w.number(`,"correctness_factor":`, r.CorrectnessFactor)
	w.number(`,"match_quality":`, r.MatchQuality)
	w.whole(`,"matched_events":`, r.MatchedEvents)
	w.whole(`,"total_events":`, r.TotalEvents)
	w.number(`,"time_factor":`, r.TimeFactor)
	w.number(`,"penalty":`, r.Penalty)
	w.whole(`,"wrong_attempts":`, r.WrongAttempts)
	w.number(`,"elapsed_time":`, r.ElapsedSeconds)
	w.whole(`,"ignored_values":`, r.IgnoredValues)
	w.raw("}")
}

// readSubmission reads what appendSubmission wrote, or reports that it is
// something else.
func readSubmission(data []byte) (e contest.SubmissionJudged, ok bool) {
	s := scanner{rest: string(data), ok: true} // one copy, which all texts share
	e.Team = contest.TeamID(s.text(`{"team":`))
	e.Question = retrieval.QuestionID(s.text(`,"question":`))
	e.Round = s.whole(`,"round":`)
	s.ok = s.ok && e.Arrived.UnmarshalText([]byte(s.text(`,"arrived":`))) == nil
	e.Body = s.text(`,"body":`)
	s.answer(`,"answer":{`, &e.Answer)
	if s.has(`,"key":`) {
		e.Key = s.text("")
	}
	s.result(`,"announced":{`, &e.Announced)
	s.expect("}")
	return e, s.ok && s.rest == ""
}

type scanner struct {
	rest string
	ok   bool
}

// has takes a text off the front, if it is there.
func (s *scanner) has(text string) bool {
	if len(s.rest) < len(text) || s.rest[:len(text)] != text {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

func (s *scanner) expect(text string) { s.ok = s.has(text) && s.ok }

// text takes a string behind a name.
func (s *scanner) text(name string) string {
	s.expect(name)
	s.expect(`"`)
	if !s.ok {
		return ""
	}
	escaped := false
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			s.ok = false
			return ""
		case c == '"':
			text := s.rest[:i]
			if !utf8.ValidString(text) {
				s.ok = false
			}
			if escaped {
				text = s.unquote(`"` + text + `"`)
			}
			s.rest = s.rest[i+1:]
			return text
		}
	}
	s.ok = false
	return ""
}

// unquote returns what a quoted text with escapes says.
func (s *scanner) unquote(quoted string) string {
	plain := make([]byte, 0, len(quoted))
	inner := quoted[1 : len(quoted)-1]
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' {
			i++
			if c = inner[i]; c != '"' && c != '\\' { // one of the rarer escapes
				var text string
				s.ok = json.Unmarshal([]byte(quoted), &text) == nil && s.ok
				return text
			}
		}
		plain = append(plain, c)
	}
	return string(plain)
}

// figure takes the text of a number behind a name.
func (s *scanner) figure(name string) string {
	s.expect(name)
	for i := range len(s.rest) {
		if c := s.rest[i]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			figure := s.rest[:i]
			s.rest = s.rest[i:]
			// What JSON does not have as a number is left to who says so.
			s.ok = s.ok && figure != "" && (figure[0] != '0' || len(figure) == 1 || figure[1] == '.' || figure[1] == 'e' || figure[1] == 'E') &&
				(figure[0] == '-' && len(figure) > 1 || figure[0] >= '0' && figure[0] <= '9') && figure[len(figure)-1] != '.'
			return figure
		}
	}
	s.ok = false
	return ""
}

func (s *scanner) whole(name string) int {
	n, err := strconv.Atoi(s.figure(name))
	s.ok = s.ok && err == nil
	return n
}

func (s *scanner) number(name string) float64 {
	f, err := strconv.ParseFloat(s.figure(name), 64)
	s.ok = s.ok && err == nil
	return f
}

func (s *scanner) answer(name string, a *retrieval.Answer) {
	s.expect(name)
	if s.has(`"scene_id":`) {
		a.Scene = s.text("")
		s.expect(",")
	}
	a.Video = s.text(`"video_id":`)
	s.expect(`,"values":`)
	if !s.has("null") {
		s.expect("[")
		a.Values = []float64{}
		for !s.has("]") && s.ok {
			if len(a.Values) > 0 {
				s.expect(",")
			}
			a.Values = append(a.Values, s.number(""))
		}
	}
	if s.has(`,"text":`) {
		a.Text = s.text("")
	}
	s.expect("}")
}

func (s *scanner) result(name string, r *retrieval.Result) {
	s.expect(name)
	r.Score = s.number(`"score":`)
	r.Correctness = retrieval.Correctness(s.text(`,"correctness":`))
	r.CorrectnessFactor = s.number(`,"correctness_factor":`)
	r.MatchQuality = s.number(`,"match_quality":`)
	r.MatchedEvents = s.whole(`,"matched_events":`)
	r.TotalEvents = s.whole(`,"total_events":`)
	r.TimeFactor = s.number(`,"time_factor":`)
	r.Penalty = s.number(`,"penalty":`)
	r.WrongAttempts = s.whole(`,"wrong_attempts":`)
	r.ElapsedSeconds = s.number(`,"elapsed_time":`)
	r.IgnoredValues = s.whole(`,"ignored_values":`)
	s.expect("}")
}
