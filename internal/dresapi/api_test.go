package dresapi_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/dresapi"
	"scorebook/internal/service"
	"scorebook/internal/service/servicetest"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

var questions = []retrieval.Question{
	{ID: "1", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 10000, End: 20000}}},
	{ID: "2", Type: retrieval.QA, Scene: "L02", Video: "V002", Events: []retrieval.Event{{Start: 30000, End: 40000}}, Answers: []string{"Mộc Châu"}},
	{ID: "3", Type: retrieval.TR, Scene: "L03", Video: "V003", Events: []retrieval.Event{{Start: 100, End: 110}, {Start: 200, End: 210}}},
}

// site is the dialect under test.
type site struct {
	t testing.TB
	*servicetest.Contest
	dialect *dresapi.API
	openAPI *document // that replies are held against
}

func newSite(t testing.TB, options dresapi.Options) *site {
	t.Helper()
	return newSiteOf(t, options, questions)
}

func newSiteOf(t testing.TB, options dresapi.Options, questions []retrieval.Question, change ...func(*retrieval.Ruleset)) *site {
	t.Helper()
	rules, _ := retrieval.Preset(retrieval.DefaultPreset)
	for _, f := range change {
		f(&rules)
	}
	open := contest.Open{Contest: "c0ffee", Settings: contest.DefaultSettings(), Rules: rules, Questions: questions}
	open.Settings.Name = "The Contest"
	s := &site{t: t, Contest: servicetest.Start(t, open, epoch)}
	options.Admin, options.Logger = auth.NewAdmin(service.HashToken("admin"), false), slog.New(slog.DiscardHandler)
	s.dialect = dresapi.New(s.Service, options)
	for _, id := range []contest.TeamID{"one", "two"} {
		s.Must(t, contest.Register{ID: id, Name: "Đội " + string(id), TokenHash: service.HashToken("token of " + string(id)), Organiser: true})
	}
	return s
}

// reply is a reply with its JSON.
type reply struct {
	*httptest.ResponseRecorder
	t     testing.TB
	value any
}

func (s *site) call(method, path, body string, header ...string) *reply {
	s.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	r := &reply{httptest.NewRecorder(), s.t, nil}
	if s.dialect.ServeDialect(r, request, s.Now()) == "" {
		http.NotFound(r, request)
	}
	if r.Code != http.StatusNoContent {
		if err := json.Unmarshal(r.Body.Bytes(), &r.value); err != nil {
			s.t.Fatalf("%s %s: %v in %q", method, path, err, r.Body)
		}
	}
	if r.Code >= 500 {
		s.t.Errorf("%s %s: status %d: %s", method, path, r.Code, r.Body)
	}
	if r.Code != http.StatusNoContent && !strings.HasSuffix(path, "openapi.json") {
		if s.openAPI == nil {
			s.openAPI = s.document()
		}
		s.openAPI.check(s.t, method, path, r.Code, r.value)
	}
	return r
}

// want checks status and keys; a refusal has those of every refusal.
func (r *reply) want(status int, keys ...string) map[string]any {
	r.t.Helper()
	object, ok := r.value.(map[string]any)
	if status != http.StatusOK {
		keys = []string{"description", "status"}
		if object["status"] != false || object["description"] == "" {
			r.t.Errorf("found %s", r.Body)
		}
	}
	if got := slices.Sorted(maps.Keys(object)); r.Code != status || !ok || !slices.Equal(got, slices.Sorted(slices.Values(keys))) {
		r.t.Errorf("found %d with %q, expected %d with %q: %s", r.Code, got, status, keys, r.Body)
	}
	return object
}

func (s *site) login(team string) string {
	s.t.Helper()
	r := s.call(http.MethodPost, "/api/v2/login", fmt.Sprintf(`{"username": "Đội %s", "password": "token of %s"}`, team, team))
	return r.want(200, "id", "username", "role", "sessionId")["sessionId"].(string)
}

func TestSessions(t *testing.T) {
	s := newSite(t, dresapi.Options{})
	for _, wrong := range []string{`{"username": "Đội one", "password": "token of two"}`, `{"username": "Nobody", "password": "x"}`, `{}`} {
		s.call(http.MethodPost, "/api/v2/login", wrong).want(401)
	}
	for _, broken := range []string{``, `{`, `[1]`, `{"username": 1}`} {
		s.call(http.MethodPost, "/api/v2/login", broken).want(400)
	}
	r := s.call(http.MethodPost, "/api/v2/login", `{"username": "ĐỘI ONE", "password": "token of one"}`, "Content-Type", "text/plain;charset=UTF-8")
	first := r.want(200, "id", "username", "role", "sessionId")["sessionId"].(string)
	if got := r.Header().Get("Set-Cookie"); got != "SESSIONID="+first+"; Path=/; HttpOnly" {
		t.Errorf("found the cookie %q", got)
	}
	second := s.login("one")
	if first == second {
		t.Error("two sessions are the same")
	}
	for what, with := range map[string][]string{
		"a cookie":                       {"/api/v2/user", "Cookie", "SESSIONID=" + first},
		"what came with Set-Cookie":      {"/api/v2/user", "Cookie", "SESSIONID=" + first + "; Path=/; HttpOnly"},
		"the query":                      {"/api/v2/user?session=" + first},
		"the query over a cookie":        {"/api/v2/user?session=" + first, "Cookie", "SESSIONID=" + "x"},
		"the query in another spelling":  {"/api/v2/user?sessionId=" + first},
		"a header":                       {"/api/v2/user", "Authorization", "Bearer " + first},
		"a header without a word":        {"/api/v2/user", "Authorization", first},
		"quotes":                         {"/api/v2/user?session=%22" + first + "%22"},
		"the session after it":           {"/api/v2/user?session=" + second},
		"the team's token":               {"/api/v2/user?session=token%20of%20one"},
		"doubled slashes and one behind": {"//api//v2/user/?session=" + first},
	} {
		user := s.call(http.MethodGet, with[0], "", with[1:]...).want(200, "id", "username", "role", "sessionId")
		if user["id"] != "one" || user["username"] != "Đội one" || user["role"] != "PARTICIPANT" {
			t.Errorf("%s: found %v", what, user)
		}
	}
	if r := s.call(http.MethodGet, "/api/v2/user/session?session="+first, ""); r.value != first {
		t.Errorf("found %s", r.Body)
	}
	for _, forged := range []string{"", "x", first[:len(first)-1], "A" + first[1:], strings.Repeat("A", 60)} {
		s.call(http.MethodGet, "/api/v2/user?session="+forged, "").want(401)
	}
	s.call(http.MethodGet, "/api/v2/logout?session="+first, "").want(200, "status", "description")
	s.call(http.MethodGet, "/api/v2/user?session="+first, "").want(401)
	s.call(http.MethodGet, "/api/v2/user?session="+second, "").want(200, "id", "username", "role", "sessionId")
	// Another process with the same admin token knows the session, one with
	// another does not, and nobody does once the team has another token.
	again := &site{t, s.Contest, dresapi.New(s.Service, dresapi.Options{Admin: auth.NewAdmin(service.HashToken("admin"), false)}), s.openAPI}
	again.call(http.MethodGet, "/api/v2/user?session="+second, "").want(200, "id", "username", "role", "sessionId")
	other := &site{t, s.Contest, dresapi.New(s.Service, dresapi.Options{Admin: auth.NewAdmin(service.HashToken("other"), false)}), s.openAPI}
	other.call(http.MethodGet, "/api/v2/user?session="+second, "").want(401)
	s.Must(t, contest.RotateToken{Team: "one", TokenHash: service.HashToken("new")})
	s.call(http.MethodGet, "/api/v2/user?session="+second, "").want(401)
}

func TestEvaluations(t *testing.T) {
	s := newSite(t, dresapi.Options{})
	with := "?session=" + s.login("one")
	for _, path := range []string{
		"/api/v2/client/evaluation/list", "/api/v2/client/evaluation/currentTask/c0ffee", "/api/v2/evaluation/info/list", "/api/v2/evaluation/c0ffee/info",
		"/api/v2/evaluation/c0ffee/state", "/api/v2/user", "/api/v2/user/session", "/api/v2/logout",
	} {
		s.call(http.MethodGet, path, "").want(401)
	}
	for _, path := range []string{"/api/v2/client/evaluation/currentTask/x", "/api/v2/evaluation/x/info", "/api/v2/evaluation/x/state", "/api/v2/nothing"} {
		s.call(http.MethodGet, path+with, "").want(404)
	}
	s.call(http.MethodDelete, "/api/v2/user"+with, "").want(405)
	list := s.call(http.MethodGet, "/api/v2/client/evaluation/list"+with, "").value.([]any)
	want := `[{"id":"c0ffee","name":"The Contest","status":"ACTIVE","taskTemplates":[` +
		`{"duration":300,"name":"1","taskGroup":"KIS","taskType":"KIS"},{"duration":300,"name":"2","taskGroup":"QA","taskType":"QA"},{"duration":300,"name":"3","taskGroup":"TR","taskType":"TRAKE"}],` +
		`"teams":["Đội one","Đội two"],"templateDescription":"The Contest","templateId":"c0ffee","type":"SYNCHRONOUS"}]`
	if got, _ := json.Marshal(list); string(got) != want {
		t.Errorf("found %s\nexpected %s", got, want)
	}
	info := s.call(http.MethodGet, "/api/v2/evaluation/c0ffee/info"+with, "").
		want(200, "id", "name", "type", "status", "properties", "templateId", "templateDescription", "teams", "taskTemplates")
	if got, _ := json.Marshal(info["properties"]); string(got) != `{"allowRepeatedTasks":false,"limitSubmissionPreviews":-1,"participantCanView":true,"shuffleTasks":false}` {
		t.Errorf("found %s", got)
	}
	task := func() any {
		return s.call(http.MethodGet, "/api/v2/client/evaluation/currentTask/c0ffee"+with, "").want(200, "name", "taskGroup", "taskType", "duration")["name"]
	}
	state := func() string {
		s := s.call(http.MethodGet, "/api/v2/evaluation/state/list", "").value.([]any)[0].(map[string]any)
		return fmt.Sprint(s["taskId"], s["taskStatus"], s["timeLeft"], s["timeElapsed"])
	}
	if got := state(); got != "<nil>NO_TASK0 0" || task() != "1" {
		t.Errorf("before the start: %s, the task %v", got, task())
	}
	s.Must(t, contest.Start{Question: "2"})
	s.Clock.Advance(12500 * time.Millisecond)
	if got := state(); got != "2RUNNING287 12" || task() != "2" {
		t.Errorf("running: %s, the task %v", got, task())
	}
	s.Must(t, contest.Stop{})
	if got := state(); got != "2ENDED0 12" || task() != "2" {
		t.Errorf("afterwards: %s, the task %v", got, task())
	}
	s.call(http.MethodGet, "/api/v2/evaluation/c0ffee/state"+with, "").
		want(200, "evaluationId", "evaluationStatus", "taskId", "taskStatus", "taskTemplateId", "timeLeft", "timeElapsed")
	s.call(http.MethodGet, "/api/v2/status/time", "").want(200, "timeStamp")
	s.call(http.MethodGet, "/api/v2/status/info", "").want(200, "version", "startTime", "uptime")
}

func TestSubmissions(t *testing.T) {
	s := newSite(t, dresapi.Options{Prefix: "dres"})
	one, two := s.login("one"), s.login("two")
	submit := func(session, body string) *reply {
		r := s.call(http.MethodPost, "/api/v2/submit/c0ffee?session="+session, body, "Content-Type", "application/x-www-form-urlencoded")
		if strings.Contains(r.Body.String(), "WRONG") && strings.Contains(strings.ToLower(r.Body.String()), "correct") {
			t.Errorf("a wrong reply has the word: %s", r.Body)
		}
		return r
	}
	verdict := func(r *reply, want, description string) {
		t.Helper()
		v := r.want(200, "status", "submission", "description")
		if v["submission"] != want || !strings.Contains(v["description"].(string), description) || r.Header().Get("Scorebook-Receipt") == "" {
			t.Errorf("found %s, expected %s", r.Body, want)
		}
	}
	kis := func(start string) string {
		return `{"answerSets": [{"taskId": "c0ffee", "taskName": null, "answers": [{"mediaItemName": "L01_V001.mp4", "mediaItemCollectionName": "", "start": ` + start + `, "other": 1}]}]}`
	}
	submit(one, kis("15000")).want(412) // nothing runs
	s.Must(t, contest.Start{Question: "1"})
	s.Clock.Advance(time.Second)
	verdict(submit(one, kis(`"90000.5"`)), "WRONG", "wrong")
	verdict(submit(one, kis("15000")), "CORRECT", "correct")
	submit(one, kis("15000")).want(412) // completed
	submit(two, `{"answerSets"`).want(400)
	submit(two, `{"answerSets": 1}`).want(412)
	submit(two, `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001"}]}]}`).want(412)
	submit("nobody", kis("15000")).want(401)
	s.call(http.MethodPost, "/api/v2/submit/other?session="+two, kis("15000")).want(404)
	s.call(http.MethodPost, "/dres/api/v2/submit/c0ffee/?session="+two, strings.Repeat(" ", 70000)).want(413)
	verdict(s.call(http.MethodPost, "/dres/api/v2/submit/c0ffee/", strings.Replace(kis("15000"), "{", `{"session": "`+two+`",`, 1)), "CORRECT", "")

	s.Must(t, contest.Start{Question: "2"})
	verdict(submit(one, `{"answerSets": [{"answers": [{"text": "QA-Mộc Châu-L02_V002-35000"}]}]}`), "CORRECT", "")
	s.Must(t, contest.Start{Question: "3"})
	verdict(submit(one, `{"answerSets": [{"answers": [{"text": "TR-L03_V003-105, 9000"}]}]}`), "CORRECT", "partial: 1 of 2")
	moments := `{"answerSets": [{"answers": [{"mediaItemName": "L03_V003", "start": 4200, "end": 4200}]}, {"answers": [{"mediaItemName": "L03_V003", "start": 8000, "end": 8400}]}]}`
	verdict(submit(two, moments), "CORRECT", "correct") // frames 105 and 205
	s.Read(func(state *contest.State) {
		attempts := state.Attempts()
		if body := attempts[2].Body; strings.Contains(body, two) {
			t.Errorf("the session is recorded: %s", body)
		}
	})
	s.Verify(t)
}

func TestOldSubmissions(t *testing.T) {
	s := newSite(t, dresapi.Options{})
	session := s.call(http.MethodPost, "/api/v1/login", `{"username": "Đội one", "password": "token of one"}`).want(200, "id", "username", "role", "sessionId")["sessionId"].(string)
	path := "/api/v1/submit?item=L01_V001&session=" + session
	s.call(http.MethodGet, path+"&frame=375", "").want(404)
	s.Must(t, contest.Start{Question: "1"})
	s.call(http.MethodGet, path+"&frame=x", "").want(400)
	s.call(http.MethodGet, path+"&timecode=1:2", "").want(400)
	s.call(http.MethodGet, path, "").want(412)
	s.call(http.MethodGet, "/api/v1/submit?item=L01_V001&frame=375", "", "Cookie", "SESSIONID="+session).want(401)
	if v := s.call(http.MethodGet, path+"&timecode=00:01:15:00", "").want(200, "status", "submission", "description"); v["submission"] != "WRONG" {
		t.Errorf("found %v", v)
	}
	if v := s.call(http.MethodGet, path+"&frame=375", "").want(200, "status", "submission", "description"); v["submission"] != "CORRECT" { // 15 s
		t.Errorf("found %v", v)
	}
	s.Read(func(state *contest.State) {
		if body := state.Attempts()[0].Body; strings.Contains(body, session) || !strings.Contains(body, "timecode=00%3A01%3A15%3A00") {
			t.Errorf("recorded: %s", body)
		}
	})
}

// A page of another site does not submit with the cookie that a browser has.
func TestPagesOfOtherSites(t *testing.T) {
	s := newSite(t, dresapi.Options{Origins: []string{"https://ui.example"}})
	s.Must(t, contest.Start{Question: "1"})
	cookie := "SESSIONID=" + s.login("one")
	for _, test := range []struct {
		header []string
		status int
	}{
		{nil, 200},
		{[]string{"Origin", "http://example.com"}, 200}, // the host of the request
		{[]string{"Origin", "https://ui.example"}, 200},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Origin", "https://evil.example"}, 401},
		{[]string{"Origin", "null"}, 401},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 401},
	} {
		r := s.call(http.MethodPost, "/api/v2/submit/c0ffee", `{"answerSets": [{"answers": [{"mediaItemName": "L09_V009", "start": 1}]}]}`, append([]string{"Cookie", cookie}, test.header...)...)
		if r.Code != test.status {
			t.Errorf("%q: found %d %s", test.header, r.Code, r.Body)
		}
	}
	for _, path := range []string{"/api/v2/logout", "/api/v1/submit"} {
		if r := s.call(http.MethodHead, path+"?item=V&frame=1&session="+s.login("two"), ""); r.Code != http.StatusMethodNotAllowed {
			t.Errorf("HEAD %s: %d", path, r.Code)
		}
	}
}

func TestOriginsOfPages(t *testing.T) {
	s := newSite(t, dresapi.Options{Origins: []string{"https://ui.example"}})
	for origin, want := range map[string][2]string{"https://ui.example": {"https://ui.example", "true"}, "https://other.example": {"*", ""}, "": {"*", ""}} {
		r := s.call(http.MethodOptions, "/api/v2/submit/c0ffee", "", "Origin", origin, "Access-Control-Request-Method", "POST")
		h := r.Header()
		if r.Code != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != want[0] || h.Get("Access-Control-Allow-Credentials") != want[1] || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "ngrok-skip-browser-warning") {
			t.Errorf("%q: %d %v", origin, r.Code, h)
		}
	}
}
