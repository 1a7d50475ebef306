package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/httpapi"
)

var parameters = regexp.MustCompile(`\{\w+\}`)

func TestEveryCodeHasAStatus(t *testing.T) {
	for _, code := range contest.Codes() {
		if status, ok := httpapi.StatusOf(code); !ok || status < 400 || status > 499 {
			t.Errorf("%s: status %d", code, status)
		}
	}
}

// Every route below /admin is the admin's, whoever forgot to say so.
func TestAdminRoutesNeedTheToken(t *testing.T) {
	s := newSite(t)
	team := s.team("one")
	before := s.Durable()
	n := 0
	for _, route := range httpapi.Routes() {
		if strings.HasPrefix(route.Path, "/admin") != route.Admin {
			t.Errorf("%s %s: admin is %t", route.Method, route.Path, route.Admin)
		}
		if !route.Admin {
			continue
		}
		n++
		path := parameters.ReplaceAllString(route.Path, "1")
		for _, headers := range [][]header{
			nil,
			{bearer(team)},
			{bearer("")},
			{bearer(adminToken + "x")},
			{{"Authorization", adminToken}},
			{{"X-Admin-Token", team}},
			{{"Authorization", "Basic " + adminToken}},
		} {
			r := s.call(route.Method, path, `{"question_id": 1}`, headers...).refused(401, "unauthorized")
			if r.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no challenge", r.what)
			}
		}
		if route.Method == http.MethodGet {
			s.call(http.MethodHead, path, nil).want(401)
		}
		if route.Method == http.MethodPost {
			s.call(route.Method, path, `{"question_id": 1}`, bearer(adminToken), header{"Sec-Fetch-Site", "cross-site"}).refused(403, "cross_origin")
		}
	}
	if n < 20 || s.Durable() != before {
		t.Errorf("%d admin routes, %d events", n, s.Durable()-before)
	}
	s.call(http.MethodGet, "/admin/teams", nil, header{"X-Admin-Token", adminToken}).want(200)
	if strings.Contains(s.log.text(), adminToken) || strings.Contains(s.log.text(), team) {
		t.Error("a token is in the log")
	}
}

func TestOpenAdmin(t *testing.T) {
	s := newSiteWith(t, httpapi.Options{Admin: auth.NewAdmin("", true)})
	s.call(http.MethodPost, "/admin/start-question", `{"question_id": 1}`).refused(401, "unauthorized")
	here := header{"Host", "localhost:8000"}
	s.call(http.MethodPost, "/admin/start-question", `{"question_id": 1}`, here).want(200)
	s.call(http.MethodPost, "/admin/reset", nil, here, header{"Sec-Fetch-Site", "cross-site"}).refused(403, "cross_origin")
	s.get("/submissions/5-00").refused(401, "unknown_team")
}

func TestNoAdminWithoutAToken(t *testing.T) {
	s := newSite(t)
	handler := httpapi.New(s.Service, httpapi.Options{Logger: slog.New(slog.DiscardHandler)})
	s.handler = handler
	s.call(http.MethodGet, "/admin/teams", nil, bearer("")).refused(401, "unauthorized")
	s.call(http.MethodGet, "/admin/teams", nil, bearer(adminToken)).refused(401, "unauthorized")
}

func TestElsewhere(t *testing.T) {
	s := newSite(t)
	s.get("/nothing").refused(404, "not_found")
	s.get("/questions/").refused(404, "not_found")
	s.get("/question/1%2f2/status").refused(404, "unknown_question")
	s.get("/question/9/status").refused(404, "unknown_question")
	if r := s.get("/submit").refused(405, "method_not_allowed"); r.Header.Get("Allow") != "POST" {
		t.Errorf("Allow: %q", r.Header.Get("Allow"))
	}
	if r := s.call(http.MethodDelete, "/questions", nil).refused(405, "method_not_allowed"); r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("Allow: %q", r.Header.Get("Allow"))
	}
	s.call("INVENTED", "/questions", nil).want(405)
	if r := s.call(http.MethodHead, "/questions", nil).want(200); r.Header.Get("Content-Length") == "" {
		t.Error("HEAD tells no length")
	}
}

func TestEveryReplyIsGuarded(t *testing.T) {
	s := newSite(t)
	for _, route := range httpapi.Routes() {
		if route.Media == "text/event-stream" {
			continue // see TestEvents
		}
		r := s.call(route.Method, parameters.ReplaceAllString(route.Path, "1"), `{`)
		for header, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Security-Policy": "frame-ancestors 'none'",
		} {
			if got := r.Header.Get(header); !strings.Contains(got, want) {
				t.Errorf("%s: %s: %q", r.what, header, got)
			}
		}
		if policy := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", r.what, policy)
		}
		if r.Header.Get("X-Request-Id") == "" || r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", r.what, r.Header)
		}
	}
}

func TestProblems(t *testing.T) {
	s := newSite(t)
	r := s.get("/question/9/status").want(404).
		has("about:blank", "type").has("Not Found", "title").has(404, "status").has(false, "success").has("unknown_question", "error")
	if r.text("request_id") != r.Header.Get("X-Request-Id") || r.text("detail") == "" {
		t.Errorf("%s %v", r.Body, r.Header)
	}
}

func TestPanicsAreProblems(t *testing.T) {
	page := http.NewServeMux()
	page.HandleFunc("/{$}", func(http.ResponseWriter, *http.Request) { panic("the page broke") })
	s := newSiteWith(t, httpapi.Options{Pages: page})
	r := s.get("/", header{"Accept", "text/html"}).refused(500, "internal")
	if strings.Contains(r.Body, "broke") || !strings.Contains(s.log.text(), "the page broke") || !strings.Contains(s.log.text(), r.text("request_id")) {
		t.Errorf("reply %s, log %s", r.Body, s.log.text())
	}
	s.get("/").want(200)
}

func TestGreeting(t *testing.T) {
	page := http.NewServeMux()
	page.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>page</title>"))
	})
	s := newSiteWith(t, httpapi.Options{Pages: page, Version: "1.2.3"})
	for accept, wantPage := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "application/json, text/html": true, "text/html;q=0": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true, "application/json,text/html;q=0.5": false,
	} {
		r := s.get("/", header{"Accept", accept}).want(200)
		if strings.Contains(r.Body, "<title>") != wantPage {
			t.Errorf("Accept %q: %s", accept, r.Body)
		}
	}
	s.get("/").has("ok", "status").has("1.2.3", "version").has(3, "total_questions")
	newSite(t).get("/", header{"Accept", "text/html"}).want(200).has("ok", "status")
}

// Browsers that go where nothing is are told so by a page, programs as ever.
func TestNoPage(t *testing.T) {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /page", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("POST /form", func(http.ResponseWriter, *http.Request) {})
	s := newSiteWith(t, httpapi.Options{Pages: pages, NoPage: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<title>nothing</title>"))
	})})
	html := header{"Accept", "text/html"}
	request := httptest.NewRequest(http.MethodGet, "/nowhere", http.NoBody)
	request.Header.Set(html.name, html.value)
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusNotFound || !strings.Contains(recorder.Body.String(), "<title>") {
		t.Errorf("found %d %s", recorder.Code, recorder.Body)
	}
	s.get("/nowhere").refused(404, "not_found")
	s.call(http.MethodPost, "/nowhere", nil, html).refused(404, "not_found")
	if r := s.call(http.MethodPost, "/page", nil).refused(405, "method_not_allowed"); r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("Allow: %q", r.Header.Get("Allow"))
	}
	s.get("/form").refused(404, "not_found")
}

func TestDocument(t *testing.T) {
	s := newSite(t)
	document := s.get("/openapi.json").want(200)
	document.has("3.1.0", "openapi")
	var parsed struct {
		Paths map[string]map[string]struct {
			OperationID string         `json:"operationId"`
			Responses   map[string]any `json:"responses"`
		} `json:"paths"`
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal([]byte(document.Body), &parsed); err != nil {
		t.Fatal(err)
	}
	manual := s.get("/docs").want(200)
	for _, route := range httpapi.Routes() {
		operation, ok := parsed.Paths[route.Path][strings.ToLower(route.Method)]
		if !ok || operation.Responses["200"] == nil {
			t.Errorf("%s %s is not in the document", route.Method, route.Path)
		}
		if !strings.Contains(manual.Body, `id="`+operation.OperationID+`"`) {
			t.Errorf("%s is not in the manual", operation.OperationID)
		}
	}
	for _, match := range regexp.MustCompile(`#/components/schemas/(\w+)`).FindAllStringSubmatch(document.Body, -1) {
		if parsed.Components.Schemas[match[1]] == nil {
			t.Errorf("the schema %s is missing", match[1])
		}
	}
	for _, match := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(manual.Body, -1) {
		if !strings.Contains(manual.Body, `id="`+match[1]+`"`) {
			t.Errorf("the manual has no %s", match[1])
		}
	}
	if regexp.MustCompile(`<script|<style| style=| on\w+=|https?:`).MatchString(manual.Body) {
		t.Error("the manual loads or runs something")
	}
	if css := s.get("/docs/style.css").want(200); css.Header.Get("Content-Type") != "text/css; charset=utf-8" || css.Body == "" {
		t.Errorf("%v", css.Header)
	}
}

func TestMetrics(t *testing.T) {
	s := newSite(t)
	one := s.team("hidden name")
	s.start("1", seconds(15))
	s.submit(one, "TR-X-1").want(200)
	s.submit(one, right).want(200)
	s.submit(one, right).want(409)
	s.call("INVENTED", "/nowhere", nil)
	metrics := s.get("/metrics").want(200).Body
	for _, line := range []string{
		`scorebook_submissions_total 2`,
		`scorebook_refusals_total{error="already_completed"} 1`, `scorebook_http_requests_total{code="200",method="POST",route="/submit"} 2`,
		`scorebook_http_requests_total{code="405",method="other",route="unmatched"} 1`, `scorebook_event_streams 0`,
		`scorebook_seq 5`, `scorebook_journal_failures_total 0`, `scorebook_journal_events_total 4`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if strings.Contains(metrics, "hidden") || strings.Contains(metrics, one) {
		t.Error("the metrics know a team")
	}
}

func TestNotModified(t *testing.T) {
	s := newSite(t)
	first := s.get("/api/leaderboard-data").want(200)
	tag := first.Header.Get("ETag")
	if tag != `"1"` || first.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%v", first.Header)
	}
	for _, known := range []string{tag, "W/" + tag, `"x", ` + tag} {
		if r := s.get("/api/leaderboard-data", header{"If-None-Match", known}).want(304); r.Body != "" {
			t.Errorf("a body: %s", r.Body)
		}
	}
	s.team("one")
	s.get("/api/leaderboard-data", header{"If-None-Match", tag}).want(200).has("one", "teams", 0, "team_name").has(nil, "active_question_id")
}

// The manual of the interface names every route and every error.
func TestManualIsComplete(t *testing.T) {
	manual, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range httpapi.Routes() {
		if !strings.Contains(string(manual), "`"+route.Method+" "+route.Path+"`") {
			t.Errorf("docs/api.md: %s %s is missing", route.Method, route.Path)
		}
	}
	for _, code := range contest.Codes() {
		if !strings.Contains(string(manual), "`"+string(code)+"`") {
			t.Errorf("docs/api.md: %s is missing", code)
		}
	}
}
