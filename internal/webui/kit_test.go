package webui_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/service"
	"scorebook/internal/service/servicetest"
	"scorebook/internal/webui"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

const adminToken = "the admin's token"

// Ground truth with marks that no participant may see before the reveal.
var questions = []retrieval.Question{
	{ID: "1", Type: retrieval.KIS, Scene: "SCENEMARK1", Video: "VIDEOMARK1", Events: []retrieval.Event{{Start: 71304890, End: 71305000}}},
	{ID: "2", Type: retrieval.QA, Scene: "SCENEMARK2", Video: "VIDEOMARK2", Events: []retrieval.Event{{Start: 71304890, End: 71305000}}, Answers: []string{"ANSWERMARK"}},
	{ID: "3", Type: retrieval.TR, Scene: "SCENEMARK3", Video: "VIDEOMARK3", Events: []retrieval.Event{{Start: 71304890, End: 71305000}, {Start: 71305010, End: 71305020}}},
}

// leaked returns what a text shows of the ground truth, or "".
func leaked(text string) string {
	text = strings.ToUpper(text)
	for _, mark := range []string{"SCENEMARK", "VIDEOMARK", "ANSWERMARK", "7130489", "713050", "71304.89", "71305"} {
		if strings.Contains(text, mark) {
			return mark
		}
	}
	return ""
}

// site is the pages under test.
type site struct {
	t testing.TB
	*servicetest.Contest
	handler http.Handler
	log     *logged
}

// logged collects log lines.
type logged struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func newSite(t testing.TB, change ...func(*webui.Options)) *site {
	t.Helper()
	rules, _ := retrieval.Preset(retrieval.DefaultPreset)
	open := contest.Open{Contest: "c0ffee", Settings: contest.DefaultSettings(), Rules: rules, Questions: questions}
	open.Settings.Name = "The Contest"
	s := &site{t: t, Contest: servicetest.Start(t, open, epoch), log: &logged{}}
	options := webui.Options{
		Admin: auth.NewAdmin(service.HashToken(adminToken), false), Version: "1.2.3",
		Logger: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&options)
	}
	s.handler = webui.New(s.Service, options)
	return s
}

func withResults(folder fs.FS) func(*webui.Options) {
	return func(o *webui.Options) { o.Results = folder }
}

// team registers a team, whose token is "token of " and its id.
func (s *site) team(id contest.TeamID, name string) {
	s.t.Helper()
	s.Must(s.t, contest.Register{ID: id, Name: name, TokenHash: service.HashToken("token of " + string(id)), Organiser: true})
}

// answer submits a text as an answer to the running question.
func (s *site) answer(id contest.TeamID, video, text string, values ...float64) {
	s.t.Helper()
	var question retrieval.QuestionID
	s.Read(func(state *contest.State) { question = state.ActiveQuestion() })
	s.Must(s.t, contest.Submit{
		Team: id, Question: question, Arrived: s.Now(), Body: `{"sent": "as it was"}`,
		Answer: retrieval.Answer{Video: video, Text: text, Values: values},
	})
}

// page is a reply with what tests look at.
type page struct {
	*httptest.ResponseRecorder
	text string
}

// visitor is a browser: it keeps cookies.
type visitor struct {
	*site
	cookies map[string]*http.Cookie
	headers map[string]string
}

func (s *site) visitor() *visitor {
	return &visitor{s, map[string]*http.Cookie{}, map[string]string{}}
}

func (s *site) organiser() *visitor {
	s.t.Helper()
	v := s.visitor()
	if p := v.post("/admin-dashboard/sign-in", "token", adminToken); p.Code != http.StatusSeeOther {
		s.t.Fatalf("signing in: %d %s", p.Code, p.text)
	}
	return v
}

func (s *site) member(id contest.TeamID) *visitor {
	s.t.Helper()
	v := s.visitor()
	if p := v.post("/desk/sign-in", "token", "token of "+string(id)); p.Code != http.StatusSeeOther {
		s.t.Fatalf("signing in: %d %s", p.Code, p.text)
	}
	return v
}

func (v *visitor) do(r *http.Request) page {
	v.t.Helper()
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	for name, value := range v.headers {
		r.Header.Set(name, value)
	}
	p := page{ResponseRecorder: httptest.NewRecorder()}
	v.handler.ServeHTTP(p, r)
	for _, c := range p.Result().Cookies() {
		v.cookies[c.Name] = c
		if c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		}
	}
	body := io.Reader(p.Body)
	if p.Header().Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(p.Body)
		if err != nil {
			v.t.Fatal(err)
		}
		body = unzipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		v.t.Fatal(err)
	}
	p.text = string(text)
	return p
}

func (v *visitor) get(path string) page {
	v.t.Helper()
	return v.do(httptest.NewRequest(http.MethodGet, path, http.NoBody))
}

// post sends a form of names and values.
func (v *visitor) post(path string, fields ...string) page {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.do(r)
}

// order sends an order to the control room.
func (v *visitor) order(fields ...string) page {
	v.t.Helper()
	return v.post("/admin-dashboard/order", fields...)
}
