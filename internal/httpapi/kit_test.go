package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/httpapi"
	"scorebook/internal/service"
	"scorebook/internal/service/servicetest"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

const adminToken = "the admin's token"

// Ground truth with marks that no participant may see before the reveal.
var questions = []retrieval.Question{
	{ID: "1", Type: retrieval.TR, Scene: "SCENEMARK1", Video: "VIDEOMARK1", Events: []retrieval.Event{{Start: 71304890, End: 71305000}, {Start: 71305001, End: 71305020}}},
	{ID: "2", Type: retrieval.KIS, Scene: "SCENEMARK2", Video: "VIDEOMARK2", Events: []retrieval.Event{{Start: 71304890, End: 71305000}, {Start: 71305001, End: 71305020}}},
	{ID: "3", Type: retrieval.QA, Scene: "SCENEMARK3", Video: "VIDEOMARK3", Events: []retrieval.Event{{Start: 71300000, End: 71310000}}, Answers: []string{"ANSWERMARK"}},
}

// leaked returns what a text shows of the ground truth, or "".
func leaked(text string) string {
	text = strings.ToUpper(text)
	for _, mark := range []string{
		"SCENEMARK", "VIDEOMARK", "ANSWERMARK", "71304890", "71305000", "71305001", "71305020", "71300000", "71310000",
	} {
		if strings.Contains(text, mark) {
			return mark
		}
	}
	return ""
}

// site is an interface under test.
type site struct {
	t testing.TB
	*servicetest.Contest
	handler http.Handler
	log     *journal
}

// journal collects log lines.
type journal struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.Buffer.Write(p)
}

func (j *journal) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.String()
}

func opening(change ...func(*contest.Open)) contest.Open {
	rules, ok := retrieval.Preset("aic2025-exact")
	if !ok {
		panic("no such preset")
	}
	open := contest.Open{Contest: "c0ffee", Settings: contest.DefaultSettings(), Rules: rules, Questions: questions}
	for _, f := range change {
		f(&open)
	}
	return open
}

func preset(name string) func(*contest.Open) {
	return func(o *contest.Open) {
		o.Rules, _ = retrieval.Preset(name)
	}
}

func registration(mode contest.RegistrationMode) func(*contest.Open) {
	return func(o *contest.Open) { o.Settings.Registration = mode }
}

func newSite(t testing.TB, change ...func(*contest.Open)) *site {
	return newSiteWith(t, httpapi.Options{}, change...)
}

func newSiteWith(t testing.TB, options httpapi.Options, change ...func(*contest.Open)) *site {
	t.Helper()
	s := &site{t: t, Contest: servicetest.Start(t, opening(change...), epoch), log: &journal{}}
	if options.Admin == nil {
		options.Admin = auth.NewAdmin(service.HashToken(adminToken), false)
	}
	options.Logger = slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.handler = httpapi.New(s.Service, options)
	return s
}

// reply is a reply with what tests look at.
type reply struct {
	t      testing.TB
	what   string
	Status int
	Header http.Header
	Body   string
}

// header is a header of a request.
type header struct{ name, value string }

func bearer(token string) header { return header{"Authorization", "Bearer " + token} }

// call sends a request. A body that is no text is sent as JSON.
func (s *site) call(method, path string, body any, headers ...header) *reply {
	s.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(encoded)
	}
	request := httptest.NewRequestWithContext(s.t.Context(), method, path, reader)
	for _, h := range headers {
		request.Header.Set(h.name, h.value)
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	r := &reply{s.t, method + " " + path, recorder.Code, recorder.Result().Header, recorder.Body.String()}
	r.conforms(request.Method, request.URL.Path)
	return r
}

func (s *site) get(path string, headers ...header) *reply {
	s.t.Helper()
	return s.call(http.MethodGet, path, nil, headers...)
}

// admin sends a request with the admin's token.
func (s *site) admin(method, path string, body any) *reply {
	s.t.Helper()
	return s.call(method, path, body, bearer(adminToken))
}

// team registers a team and returns its token.
func (s *site) team(name string) string {
	s.t.Helper()
	return s.admin(http.MethodPost, "/admin/teams", map[string]any{"team_name": name}).want(http.StatusOK).text("team_session_id")
}

// start starts a question and lets some of its time pass.
func (s *site) start(id string, passed time.Duration) {
	s.t.Helper()
	s.admin(http.MethodPost, "/admin/start-question", map[string]any{"question_id": id}).want(http.StatusOK)
	s.Clock.Advance(passed)
}

// submit sends an answer of a team.
func (s *site) submit(token, text string, headers ...header) *reply {
	s.t.Helper()
	body := map[string]any{"teamSessionId": token, "answerSets": []any{map[string]any{"answers": []any{map[string]any{"text": text}}}}}
	return s.call(http.MethodPost, "/submit", body, headers...)
}

// want fails the test if the status is another one.
func (r *reply) want(status int) *reply {
	r.t.Helper()
	if r.Status != status {
		r.t.Fatalf("%s: status %d, want %d: %s", r.what, r.Status, status, r.Body)
	}
	return r
}

// refused fails the test if the reply is not this problem.
func (r *reply) refused(status int, code string) *reply {
	r.t.Helper()
	if got := r.want(status).text("error"); got != code {
		r.t.Fatalf("%s: error %q, want %q: %s", r.what, got, code, r.Body)
	}
	return r
}

// at finds a value in the body, by names and numbers.
func (r *reply) at(path ...any) any {
	r.t.Helper()
	var value any
	if err := json.Unmarshal([]byte(r.Body), &value); err != nil {
		r.t.Fatalf("%s: %v: %s", r.what, err, r.Body)
	}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok {
				r.t.Fatalf("%s: no %v in %s", r.what, path, r.Body)
			}
			value = object[step]
		case int:
			list, ok := value.([]any)
			if !ok || step >= len(list) {
				r.t.Fatalf("%s: no %v in %s", r.what, path, r.Body)
			}
			value = list[step]
		}
	}
	return value
}

func (r *reply) text(path ...any) string {
	r.t.Helper()
	text, ok := r.at(path...).(string)
	if !ok {
		r.t.Fatalf("%s: no text at %v in %s", r.what, path, r.Body)
	}
	return text
}

// has fails the test if a value in the body is another one.
func (r *reply) has(want any, path ...any) *reply {
	r.t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if got := r.at(path...); !reflect.DeepEqual(got, want) {
		r.t.Errorf("%s: %v is %v, want %v: %s", r.what, path, got, want, r.Body)
	}
	return r
}

// registry has the schemas of the routes' replies, as the document has them.
var (
	registry   = huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registered sync.Mutex

	allRoutes = httpapi.Routes()
	patterns  = func() (all []*regexp.Regexp) {
		for _, route := range allRoutes {
			pattern := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(route.Path), "[^/]+")
			all = append(all, regexp.MustCompile("^"+pattern+"$"))
		}
		return all
	}()
)

// conforms fails the test if a reply is not what the document promises.
func (r *reply) conforms(method, path string) {
	r.t.Helper()
	mediaType := r.Header.Get("Content-Type")
	var zero any
	switch {
	case r.Status >= 400:
		if method != http.MethodHead && mediaType != "application/problem+json" {
			r.t.Errorf("%s: status %d with %q: %s", r.what, r.Status, mediaType, r.Body)
		}
		return
	case mediaType != "application/json" || r.Body == "":
		return
	}
	for i, route := range allRoutes {
		if route.Method == method && zero == nil && patterns[i].MatchString(path) {
			zero = route.Reply
		}
	}
	if zero == nil {
		return
	}
	registered.Lock()
	defer registered.Unlock()
	result := &huma.ValidateResult{}
	schema := registry.Schema(reflect.TypeOf(zero), true, "")
	huma.Validate(registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, r.at(), result)
	for _, err := range result.Errors {
		r.t.Errorf("%s: not as documented: %v: %s", r.what, err, r.Body)
	}
}

// frames splits a stream into its parts.
func frames(stream string) (all []string) {
	for _, part := range strings.Split(stream, "\n\n") {
		if part != "" {
			all = append(all, part)
		}
	}
	return all
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

func name(prefix string, i int) string { return fmt.Sprintf("%s %d", prefix, i) }
