package conform_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"scorebook/internal/conform"
	"scorebook/retrieval"
)

var questions = []retrieval.Question{
	{ID: "kis", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 33000, End: 34000}}},
	{ID: "item", Type: retrieval.KIS, Scene: "L01", Video: "V002", Events: []retrieval.Event{retrieval.WholeVideo}},
	{ID: "qa", Type: retrieval.QA, Scene: "L02", Video: "V003", Events: []retrieval.Event{{Start: 70000, End: 80000}}, Answers: []string{"Mộc Châu"}},
	{ID: "trake", Type: retrieval.TR, Scene: "L03", Video: "V004", Events: []retrieval.Event{{Start: 2000, End: 2010}, {Start: 2500, End: 2510}}},
}

// lesson is a coach who watches a server that replies as it is told.
type lesson struct {
	*conform.Coach
	t       *testing.T
	out     bytes.Buffer
	handler http.Handler
	status  int
	reply   string
	got     string // the body that the server got
}

func newLesson(t *testing.T) *lesson {
	t.Helper()
	l := &lesson{t: t}
	rules, _ := retrieval.Preset("aic2025")
	now := func() time.Time { return time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC) }
	l.Coach = conform.New(&l.out, now, &rules, questions)
	l.handler = l.Watch(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		l.got = string(body)
		w.WriteHeader(l.status)
		_, _ = io.WriteString(w, l.reply)
	}))
	return l
}

// ask sends a request, which is replied to with a status and a text, and returns
// what the coach says.
func (l *lesson) ask(status int, reply, method, path, body string, header ...string) string {
	l.t.Helper()
	l.out.Reset()
	l.status, l.reply = status, reply
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	l.handler.ServeHTTP(recorder, r)
	if recorder.Code != status || recorder.Body.String() != reply || l.got != body {
		l.t.Errorf("found %d %q to %q", recorder.Code, recorder.Body, l.got)
	}
	return l.out.String()
}

const (
	submit  = "/api/v2/submit/c0ffee?session=s"
	correct = `{"status":true,"submission":"CORRECT","description":"Submission correct."}`
	wrong   = `{"status":true,"submission":"WRONG","description":"Submission wrong, try again."}`
)

func body(answers ...string) string {
	return `{"answerSets": [{"answers": [` + strings.Join(answers, ",") + `]}]}`
}

func refusal(text string) string {
	return fmt.Sprintf(`{"status":false,"description":%q}`, text)
}

func TestNotes(t *testing.T) {
	type header []string
	asJSON := header{"Content-Type", "application/json"}
	for _, test := range []struct {
		name, task   string
		status       int
		reply        string
		method, path string
		body         string
		header       header
		want         string // a line of what is said; empty: nothing is tolerated and nothing fails
	}{
		{"a good login", "", 200, `{}`, "POST", "/api/v2/login", `{"username": "u", "password": "p"}`, asJSON, ""},
		{"another charset", "", 200, `{}`, "POST", "/api/v2/login", `{}`, header{"Content-Type", "application/json; charset=utf-8"}, ""},
		{"a wrong login", "", 401, refusal("no"), "POST", "/api/v2/login", `{}`, asJSON, "fails      the user name or the password is wrong"},
		{"no JSON at login", "", 400, refusal("no"), "POST", "/api/v2/login", `u=p`, asJSON, "fails      the body is no JSON"},
		{"no type", "", 200, `{}`, "POST", "/api/v2/login", `{}`, nil, "tolerated  the body has no Content-Type"},
		{"text", "", 200, `{}`, "POST", "/api/v2/login", `{}`, header{"Content-Type", "text/plain;charset=UTF-8"}, `tolerated  the body is said to be "text/plain"`},
		{"a doubled slash", "", 200, `[]`, "GET", "//api/v2/client/evaluation/list?session=s", "", nil, "tolerated  a path with a doubled slash"},
		{"a slash at the end", "", 200, `[]`, "GET", "/dres/api/v2/client/evaluation/list/?session=s", "", nil, "tolerated  a path with a doubled slash or one at its end"},
		{"the query", "", 200, `[]`, "GET", "/api/v2/client/evaluation/list?session=s", "", nil, ""},
		{"the cookie alone", "", 200, `[]`, "GET", "/api/v2/client/evaluation/list", "", header{"Cookie", "SESSIONID=s"}, "tolerated  the session is in the cookie alone"},
		{"the cookie with its attributes", "", 200, `[]`, "GET", "/api/v2/client/evaluation/list?session=s", "", header{"Cookie", "SESSIONID=s; Path=/; HttpOnly"}, "tolerated  the cookie is sent back with its attributes"},
		{"another name in the query", "", 200, `[]`, "GET", "/api/v2/client/evaluation/list?sessionId=s", "", nil, "tolerated  the session is in the query as sessionId"},
		{"a header", "", 200, `[]`, "GET", "/api/v2/client/evaluation/list", "", header{"Authorization", "Bearer s"}, "tolerated  the session is in the header Authorization"},
		{"no session", "", 401, refusal("no"), "GET", "/api/v2/client/evaluation/list", "", nil, "fails      there is no session"},
		{"states without a session", "", 200, `[]`, "GET", "/api/v2/evaluation/state/list", "", nil, ""},
		{"an unknown path", "", 404, refusal("There is nothing at this path."), "GET", "/api/v2/evaluations?session=s", "", nil, "fails      there is no such path"},
		{"an unknown method", "", 405, refusal("no"), "GET", "/api/v2/login", "", nil, "fails      this path takes another method"},
		{"an unknown evaluation", "", 404, refusal("There is no evaluation with this id: see"), "GET", "/api/v2/evaluation/x/state?session=s", "", nil, "fails      the id of the evaluation is not one"},
		{"too fast", "kis", 429, refusal("no"), "POST", submit, body(), asJSON, "fails      too many requests"},
		{"a log", "", 200, `{}`, "POST", "/api/v2/log/query/c0ffee?session=s", `{}`, asJSON, ""},
		{"a log that is none", "", 400, refusal("no"), "POST", "/api/v2/log/query/c0ffee?session=s", `[]`, asJSON, "fails      the log is no JSON object"},

		{"a good answer", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 33500, "end": 33500}`), asJSON, ""},
		{"a good wrong answer", "kis", 200, wrong, "POST", submit, body(`{"mediaItemName": "L01_V009", "start": 5, "end": 5}`), asJSON, ""},
		{"a good item", "item", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V002"}`), asJSON, ""},
		{"a good text", "qa", 200, correct, "POST", submit, body(`{"text": "QA-Mộc Châu-L02_V003-75000"}`), asJSON, ""},
		{"good frames", "trake", 200, correct, "POST", submit, body(`{"text": "TR-L03_V004-2005,2505"}`), asJSON, ""},
		{"the session in the body", "kis", 200, correct, "POST", "/api/v2/submit/c0ffee", strings.Replace(body(`{"mediaItemName": "L01_V001", "start": 33500}`), "{", `{"session": "s",`, 1), asJSON, "tolerated  the session is in the body"},
		{"quotes", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": "33500", "end": 33500}`), asJSON, "tolerated  start is in quotes"},
		{"a fraction", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 33500, "end": 33500.5}`), asJSON, "tolerated  end is a fraction"},
		{"an empty text", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 33500, "end": ""}`), asJSON, "tolerated  end is an empty text"},
		{"null for 0", "kis", 200, wrong, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": null, "end": 5}`), asJSON, "tolerated  start is missing beside an end"},
		{"frames", "kis", 200, wrong, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 837}`), asJSON, "tolerated  start looks like frames"},
		{"seconds", "kis", 200, wrong, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 33.5}`), asJSON, "tolerated  start looks like seconds"},
		{"an extension", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001.mp4", "start": 33500}`), asJSON, `tolerated  mediaItemName is "L01_V001.mp4" where the item is called L01_V001`},
		{"an unknown name", "kis", 200, correct, "POST", submit, body(`{"mediaItemName": "L01_V001", "start": 33500, "frame": 1}`), asJSON, `tolerated  the name "frame" is not known`},
		{"the evaluation as task", "kis", 200, correct, "POST", submit, `{"answerSets": [{"taskId": "c0ffee", "answers": []}]}`, asJSON, "tolerated  taskId holds the id of the evaluation"},
		{"another task", "kis", 200, correct, "POST", submit, `{"answerSets": [{"taskName": "KIS 1", "answers": []}]}`, asJSON, `tolerated  taskName is "KIS 1" while the task kis runs`},
		{"several sets", "kis", 200, correct, "POST", submit, `{"answerSets": [{"answers": []}, {"answers": []}]}`, asJSON, "tolerated  several answer sets"},
		{"no prefix", "qa", 200, correct, "POST", submit, body(`{"text": "Mộc Châu-L02_V003-75000"}`), asJSON, "tolerated  the text does not begin with QA-"},
		{"seconds in a text", "qa", 200, wrong, "POST", submit, body(`{"text": "QA-Mộc Châu-L02_V003-75"}`), asJSON, "tolerated  the numbers of the text look like seconds"},
		{"frames in a text", "qa", 200, wrong, "POST", submit, body(`{"text": "QA-Mộc Châu-L02_V003-1900"}`), asJSON, "tolerated  the numbers of the text look like frames"},
		{"milliseconds in a text", "trake", 200, wrong, "POST", submit, body(`{"text": "TR-L03_V004-80200,100200"}`), asJSON, "tolerated  the numbers of the text look like milliseconds"},
		{"no JSON", "kis", 400, refusal("The submission cannot be read: body: no"), "POST", submit, `{`, asJSON, "fails      The submission cannot be read"},
		{"no answer", "kis", 412, refusal("The submission cannot be read as an answer: no"), "POST", submit, `{}`, asJSON, "fails      The submission cannot be read as an answer"},
		{"an answer too many", "kis", 412, refusal("the team has completed this question"), "POST", submit, body(), asJSON, "right      refused by the rules: the team has completed"},
		{"the old interface", "kis", 200, correct, "GET", "/api/v1/submit?item=L01_V001&frame=837&session=s", "", nil, "tolerated  it submits by the interface of DRES 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLesson(t)
			l.Starts(retrieval.QuestionID(test.task))
			said := l.ask(test.status, test.reply, test.method, test.path, test.body, test.header...)
			if test.want != "" && !strings.Contains(said, test.want) || test.want == "" && (strings.Contains(said, "tolerated") || strings.Contains(said, "fails")) || !strings.HasPrefix(said, "12:00:00 ") {
				t.Errorf("found\n%s", said)
			}
		})
	}
}

// A client that does what it must passes; each thing that is missing, or fails,
// keeps it from passing.
func TestSummary(t *testing.T) {
	for _, without := range []string{"", "login", "list", "task", "an answer", "a mistake"} {
		l := newLesson(t)
		get := func(path string) {
			l.ask(200, `{}`, http.MethodGet, path+"?session=s", "")
		}
		if without != "login" {
			l.ask(200, `{}`, http.MethodPost, "/api/v2/login", `{}`, "Content-Type", "application/json")
		}
		if without != "list" {
			get("/api/v2/client/evaluation/list")
		}
		for _, q := range questions {
			l.Starts(q.ID)
			if without != "task" {
				get("/api/v2/client/evaluation/currentTask/c0ffee")
			}
			if without == "an answer" && q.ID == "qa" {
				continue
			}
			l.ask(200, wrong, http.MethodPost, submit, body(`{"mediaItemName": "L01_V001"}`))
			if l.Answered(q.ID) {
				t.Error("a wrong answer is right")
			}
			l.ask(200, correct, http.MethodPost, submit, body(`{"mediaItemName": "L01_V001"}`))
			l.ask(412, refusal("completed"), http.MethodPost, submit, body(`{"mediaItemName": "L01_V001"}`))
			if !l.Answered(q.ID) {
				t.Error("a right answer is none")
			}
		}
		if without == "a mistake" {
			l.ask(404, refusal("There is no evaluation with this id."), http.MethodGet, "/api/v2/evaluation/x/info?session=s", "")
		}
		get("/api/v2/logout")
		l.ask(401, refusal("no"), http.MethodGet, "/api/v2/user?session=s", "") // as it should be
		l.out.Reset()
		if passes := l.Summary(); passes != (without == "") {
			t.Errorf("without %s: passes is %t\n%s", without, passes, l.out.String())
		}
	}
}

// What is alike in a row is told once, and so is what is tolerated again and again.
func TestSaysThingsOnce(t *testing.T) {
	l := newLesson(t)
	path := "/api/v2/client/evaluation/currentTask/c0ffee"
	if said := l.ask(200, `{}`, http.MethodGet, path, "", "Cookie", "SESSIONID=s"); !strings.Contains(said, "cookie alone") {
		t.Errorf("found %s", said)
	}
	for range 5 {
		if said := l.ask(200, `{}`, http.MethodGet, path, "", "Cookie", "SESSIONID=s"); said != "" {
			t.Errorf("found %s", said)
		}
	}
	said := l.ask(200, `{}`, http.MethodGet, "/api/v2/evaluation/c0ffee/state", "", "Cookie", "SESSIONID=s")
	if !strings.Contains(said, "and 5 more like it") || !strings.Contains(said, "tolerated  as before (1)") || strings.Contains(said, "alone") {
		t.Errorf("found %s", said)
	}
	if said := l.ask(200, "a page", http.MethodGet, "/leaderboard-ui", ""); said != "" {
		t.Errorf("pages: found %s", said)
	}
	if said := l.ask(204, "", http.MethodOptions, path, ""); said != "" {
		t.Errorf("a preflight: found %s", said)
	}
}

// Whatever is sent, the client is served, and what is printed cannot steer a
// terminal.
func FuzzWatch(f *testing.F) {
	f.Add("/api/v2/submit/x", body(`{"mediaItemName": "L01_V001", "start": "5"}`), "text/plain")
	f.Add("/api/v1/submit", "", "")
	f.Add("/api/v2/submit/\x1b[2J", `{"answerSets": [[], {"answers": {"start": {}}}], "\u001b": 1}`, "\x1b")
	f.Fuzz(func(t *testing.T, path, text, media string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(text))
		r.URL.Path = path
		r.Header.Set("Content-Type", media)
		var out bytes.Buffer
		rules, _ := retrieval.Preset("aic2025")
		c := conform.New(&out, time.Now, &rules, questions)
		c.Starts("kis")
		served := ""
		c.Watch(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			all, _ := io.ReadAll(r.Body)
			served = string(all)
		})).ServeHTTP(httptest.NewRecorder(), r)
		c.Summary()
		if served != text || strings.ContainsAny(out.String(), "\x1b\r\a") {
			t.Fatalf("served %q, printed %q", served, out.String())
		}
	})
}
