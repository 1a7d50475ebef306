package conform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"scorebook/retrieval"
)

// What a client must have done.
const (
	stepSignIn = "signs in"
	stepList   = "asks for the evaluations"
	stepTask   = "asks for the task or the state"
	stepSubmit = "submits with a session"
)

var steps = []string{stepSignIn, stepList, stepTask, stepSubmit}

// exchange is a request with its reply.
type exchange struct {
	request *http.Request
	body    []byte
	status  int
	reply   []byte
}

// segments are the parts of a path.
func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// isDialect reports whether a path belongs to the interface of DRES, whatever
// stands before it.
func isDialect(path string) bool {
	parts := segments(path)
	i := slices.Index(parts, "api")
	return i >= 0 && i+1 < len(parts) && (parts[i+1] == "v1" || parts[i+1] == "v2")
}

// route is the path behind /api/v2 or /api/v1 with the version.
func (x *exchange) route() (version string, rest []string) {
	parts := segments(x.request.URL.Path)
	i := slices.Index(parts, "api")
	return parts[i+1], parts[i+2:]
}

// verdict is what a submission got, or "".
func (x *exchange) verdict() string {
	var reply struct{ Submission string }
	if json.Unmarshal(x.reply, &reply) != nil {
		return ""
	}
	return reply.Submission
}

func (x *exchange) description() string {
	var reply struct{ Description string }
	if json.Unmarshal(x.reply, &reply) != nil {
		return ""
	}
	return reply.Description
}

// examine says what there is to say about a request. The coach is locked.
func (c *Coach) examine(x *exchange) (notes []Note) {
	add := func(grade Grade, text string) { notes = append(notes, Note{grade, text}) }
	version, rest := x.route()
	name := strings.Join(rest[:min(2, len(rest))], "/")
	if path := x.request.URL.Path; strings.Contains(path, "//") || strings.HasSuffix(path, "/") {
		add(Tolerated, "a path with a doubled slash or one at its end: elsewhere it is not found")
	}
	switch {
	case x.status == http.StatusNotFound && version == "v2" && x.description() == "There is nothing at this path.":
		add(Fails, "there is no such path")
		return notes
	case x.status == http.StatusMethodNotAllowed:
		add(Fails, "this path takes another method")
		return notes
	case x.status == http.StatusTooManyRequests:
		add(Fails, "too many requests: wait as the header Retry-After says")
	}
	notes = append(notes, c.session(x, name)...)
	switch {
	case name == "login":
		notes = append(notes, c.login(x)...)
	case strings.HasPrefix(name, "client/evaluation") && len(rest) > 2 && rest[2] == "list", name == "evaluation/info":
		c.done(x, stepList)
	case strings.HasPrefix(name, "client/evaluation"), strings.HasPrefix(name, "evaluation/"):
		c.done(x, stepTask)
	case strings.HasPrefix(name, "submit"):
		notes = append(notes, c.submission(x, version)...)
	case strings.HasPrefix(name, "log/"):
		notes = append(notes, x.contentType()...)
		if x.status == http.StatusBadRequest {
			add(Fails, "the log is no JSON object")
		}
	}
	if x.status == http.StatusNotFound && strings.Contains(x.description(), "evaluation with this id") {
		add(Fails, "the id of the evaluation is not one that GET /client/evaluation/list gives")
	}
	return notes
}

func (c *Coach) done(x *exchange, step string) {
	if x.status < 300 {
		c.steps[step] = true
	}
}

// session says how a request carries its session.
func (c *Coach) session(x *exchange, name string) (notes []Note) {
	add := func(grade Grade, text string) { notes = append(notes, Note{grade, text}) }
	if name == "login" || strings.HasPrefix(name, "status/") || name == "openapi.json" || name == "evaluation/state" {
		return nil
	}
	query := x.request.URL.Query()
	cookie, err := x.request.Cookie("SESSIONID")
	attributes := strings.Contains(strings.ToLower(x.request.Header.Get("Cookie")), "path=")
	switch {
	case query.Get("session") != "":
	case err == nil && cookie.Value != "":
		add(Tolerated, "the session is in the cookie alone: DRES marks its cookie Secure, and over plain HTTP clients such as Python's requests drop that; send ?session= as well")
	case query.Get("sessionId") != "":
		add(Tolerated, "the session is in the query as sessionId: elsewhere it is session")
	case x.request.Header.Get("Authorization") != "":
		add(Tolerated, "the session is in the header Authorization: elsewhere it must be in the query or the cookie")
	case x.member("session"):
		add(Tolerated, "the session is in the body: elsewhere it must be in the query or the cookie")
	}
	if attributes {
		add(Tolerated, "the cookie is sent back with its attributes: only SESSIONID=... is wanted")
	}
	switch {
	case name == "logout" && x.status == http.StatusOK:
		c.left = true
	case x.status == http.StatusUnauthorized && c.left:
		return []Note{{Right, "the session has ended"}}
	case x.status == http.StatusUnauthorized:
		add(Fails, "there is no session, or it is none that a login gave")
	}
	return notes
}

func (c *Coach) login(x *exchange) (notes []Note) {
	c.done(x, stepSignIn)
	c.logins++
	c.left = false
	notes = append(notes, x.contentType()...)
	switch {
	case x.status == http.StatusBadRequest:
		notes = append(notes, Note{Fails, `the body is no JSON with "username" and "password"`})
	case x.status == http.StatusUnauthorized:
		notes = append(notes, Note{Fails, "the user name or the password is wrong"})
	case c.logins > 3 && c.logins > c.submits:
		notes = append(notes, Note{Tolerated, "it signs in again and again: one session lasts the whole evening"})
	}
	return notes
}

// contentType says what the type of a body is said to be.
func (x *exchange) contentType() []Note {
	media, _, _ := strings.Cut(x.request.Header.Get("Content-Type"), ";")
	switch media = strings.ToLower(strings.TrimSpace(media)); media {
	case "application/json":
		return nil
	case "":
		return []Note{{Tolerated, "the body has no Content-Type: application/json is meant"}}
	}
	return []Note{{Tolerated, fmt.Sprintf("the body is said to be %.60q: application/json is meant", media)}}
}

// submission looks at a submission.
func (c *Coach) submission(x *exchange, version string) (notes []Note) {
	c.submits++
	if x.status != http.StatusUnauthorized {
		c.steps[stepSubmit] = true
	}
	add := func(grade Grade, text string) { notes = append(notes, Note{grade, text}) }
	if version == "v1" {
		add(Tolerated, "it submits by the interface of DRES 1: newer servers have POST /api/v2/submit/{evaluationId}")
	} else {
		notes = append(notes, x.contentType()...)
		notes = append(notes, c.answers2(x)...)
	}
	switch verdict := x.verdict(); {
	case verdict != "":
		add(Right, "an answer that can be read")
		if c.answers[c.task] != "CORRECT" {
			c.answers[c.task] = verdict
		}
	case x.status == http.StatusBadRequest:
		add(Fails, x.description())
	case x.status == http.StatusPreconditionFailed && strings.Contains(x.description(), "cannot be read"):
		add(Fails, x.description())
	case x.status == http.StatusPreconditionFailed:
		add(Right, "refused by the rules: "+x.description())
	}
	return notes
}

// unit says which unit a number was meant to be in, if that is not the one it is
// taken in: then it meets an event of a question, and as it stands it does not.
func (c *Coach) unit(q *retrieval.Question, value float64, candidates ...meant) string {
	meets := func(v float64) bool {
		return slices.ContainsFunc(q.Events, func(e retrieval.Event) bool { return v >= float64(e.Start)-1 && v <= float64(e.End)+1 })
	}
	if q.WholeVideo() || meets(value) {
		return ""
	}
	for _, candidate := range candidates {
		if meets(candidate.value) {
			return candidate.unit
		}
	}
	return ""
}

// meant is what a number would be if it was in a unit.
type meant struct {
	unit  string
	value float64
}
