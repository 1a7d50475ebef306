// Package conform watches a client of DRES at work, and tells its author what is
// right, what is tolerated here and may fail elsewhere, and what fails.
package conform

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"scorebook/diag"
	"scorebook/retrieval"
)

// Grade is how good something is that a client does.
type Grade int

// The grades, from the best to the worst.
const (
	Right     Grade = iota
	Tolerated       // it works here, and may not elsewhere
	Fails
)

// String returns the word for a grade, as it is printed.
func (g Grade) String() string { return [...]string{"right", "tolerated", "fails"}[g] }

// Note is something that was seen of a request.
type Note struct {
	Grade Grade
	Text  string
}

// Coach watches requests. It may be used by several goroutines.
type Coach struct {
	out   io.Writer
	now   func() time.Time
	known []retrieval.Question
	fps   func(*retrieval.Question) float64

	mu       sync.Mutex
	task     retrieval.QuestionID
	last     string // the request before, with its notes
	left     bool   // it signed out
	repeated int
	requests int
	notes    map[Note]int
	steps    map[string]bool
	answers  map[retrieval.QuestionID]string // the best verdict that each task got
	logins   int
	submits  int
}

// New returns a coach who tells a writer what he sees of a contest with the given
// questions, whose answers he may give away.
func New(out io.Writer, now func() time.Time, rules *retrieval.Ruleset, questions []retrieval.Question) *Coach {
	return &Coach{
		out: out, now: now, known: questions, notes: map[Note]int{}, steps: map[string]bool{}, answers: map[retrieval.QuestionID]string{},
		fps: func(q *retrieval.Question) float64 { return rules.FormOf(q).FPS },
	}
}

// Starts says that a task has begun.
func (c *Coach) Starts(id retrieval.QuestionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
	c.task, c.last = id, ""
	if q := c.question(id); q != nil {
		c.say("\ntask %s (%s): right is %s", id, q.Type, rightAnswer(q))
	}
}

func (c *Coach) question(id retrieval.QuestionID) *retrieval.Question {
	i := slices.IndexFunc(c.known, func(q retrieval.Question) bool { return q.ID == id })
	if i < 0 {
		return nil
	}
	return &c.known[i]
}

// Answered reports whether a task was answered right.
func (c *Coach) Answered(id retrieval.QuestionID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id] == "CORRECT"
}

// rightAnswer says what the answer to a question is.
func rightAnswer(q *retrieval.Question) string {
	video := strings.TrimPrefix(q.Scene+"_"+q.Video, "_")
	var middles []string
	for _, e := range q.Events {
		middles = append(middles, fmt.Sprint((e.Start+e.End)/2))
	}
	switch {
	case q.Type == retrieval.QA:
		return fmt.Sprintf("the text QA-%s-%s-%s", q.Answers[0], video, strings.Join(middles, ","))
	case q.Type == retrieval.TR:
		return fmt.Sprintf("the text TR-%s-%s", video, strings.Join(middles, ","))
	case q.WholeVideo():
		return "the item " + video + ", without a time"
	}
	return fmt.Sprintf("the item %s from %d to %d ms", video, q.Events[0].Start, q.Events[0].End)
}

func (c *Coach) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.out, format+"\n", args...) // the client is served all the same
}

// maxBody bounds what is looked at of a body, in bytes.
const maxBody = 1 << 20

// Watch returns a handler that has requests served by another one, and tells what
// there is to say about them.
func (c *Coach) Watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isDialect(r.URL.Path) || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		rest := r.Body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), failed{err}, rest), rest}
		reply := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(reply, r)
		c.see(&exchange{request: r, body: body, status: reply.status, reply: reply.text.Bytes()})
	})
}

// failed is the end of a body that could not be read.
type failed struct{ err error }

// Read implements io.Reader.
func (f failed) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// recorder keeps what is replied.
type recorder struct {
	http.ResponseWriter
	status int
	text   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (r *recorder) Write(p []byte) (int, error) {
	if r.text.Len() < maxBody {
		r.text.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// see notes a request and prints it, once for all that are alike in a row.
func (c *Coach) see(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	notes := c.examine(x)
	c.requests++
	for _, n := range notes {
		c.notes[n]++
	}
	text := strings.TrimSpace(fmt.Sprintf("%s %s  %d %s", x.request.Method, diag.Printable(x.request.URL.Path), x.status, x.verdict()))
	now := fmt.Sprint(text, notes)
	if now == c.last {
		c.repeated++
		return
	}
	c.flush()
	c.last = now
	worst, before := Right, map[Grade]int{}
	for _, n := range notes {
		worst = max(worst, n.Grade)
	}
	c.say("%s %-10s %s", c.now().Format("15:04:05"), worst, text)
	for _, n := range notes {
		if c.notes[n] > 1 && n.Grade != Right {
			before[n.Grade]++
			continue
		}
		c.say("         %-10s %s", n.Grade, n.Text)
	}
	for _, grade := range []Grade{Tolerated, Fails} {
		if n := before[grade]; n > 0 {
			c.say("         %-10s as before (%d)", grade, n)
		}
	}
}

// flush tells how often the last request came again.
func (c *Coach) flush() {
	if c.repeated > 0 {
		c.say("         and %d more like it", c.repeated)
		c.repeated = 0
	}
}

// Summary prints what there was in all, and reports whether the client passes: it
// did what a client must, got a verdict on every task, and nothing failed.
func (c *Coach) Summary() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
	c.say("\nsummary of %d requests", c.requests)
	passes := true
	for _, step := range steps {
		if c.steps[step] {
			c.say("    %-10s %s", Right, step)
			continue
		}
		passes = false
		c.say("    %-10s it never %s", Fails, step)
	}
	for i := range c.known {
		id := c.known[i].ID
		switch verdict := c.answers[id]; verdict {
		case "":
			passes = false
			c.say("    %-10s task %s got no answer that could be read", Fails, id)
		case "CORRECT":
			c.say("    %-10s task %s", Right, id)
		default:
			c.say("    %-10s task %s got an answer that could be read, if not a right one", Right, id)
		}
	}
	all := make([]Note, 0, len(c.notes))
	for n := range c.notes {
		if n.Grade != Right {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.Grade, b.Grade), cmp.Compare(a.Text, b.Text))
	})
	for _, n := range all {
		passes = passes && n.Grade != Fails
		c.say("    %-10s %d x %s", n.Grade, c.notes[n], n.Text)
	}
	if passes {
		c.say("the client passes")
	} else {
		c.say("the client does not pass")
	}
	return passes
}
