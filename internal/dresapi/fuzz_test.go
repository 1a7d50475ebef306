package dresapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/dresapi"
)

// Whatever a client sends, the reply is JSON of the form that clients know, and
// never says that the server failed.
func FuzzSubmit(f *testing.F) {
	for _, body := range []string{
		`{"answerSets": [{"taskName": "1", "answers": [{"mediaItemName": "L01_V001", "start": 15000, "end": 15000}]}]}`,
		`{"answerSets": [{"answers": [{"text": "QA-Mộc Châu-L02_V002-35000"}]}]}`, `{"answerSets": [{"answers": [{"text": "TR-L03_V003-105, 205"}]}]}`,
		`{"session": "x", "answerSets": null}`, `{"answerSets": [{}]}`, `[]`, `{`, "", "\xff", `{"answerSets": [{"answers": [{"start": "1e400"}]}]}`,
	} {
		for _, question := range []uint8{0, 1, 2, 3} {
			f.Add(question, "c0ffee", body)
		}
	}
	f.Fuzz(func(t *testing.T, question uint8, evaluation, body string) {
		if strings.ContainsAny(evaluation, "/ ?#%\\\x00") || evaluation == "" || strings.ContainsFunc(evaluation, func(r rune) bool { return r < ' ' || r > '~' }) {
			evaluation = "c0ffee"
		}
		s := newSite(t, dresapi.Options{})
		if n := int(question) % 4; n > 0 {
			s.Must(t, contest.Start{Question: questions[n-1].ID})
		}
		request := httptest.NewRequest(http.MethodPost, "/api/v2/submit/"+evaluation+"?session=token%20of%20one", strings.NewReader(body))
		recorder := httptest.NewRecorder()
		s.dialect.ServeDialect(recorder, request, s.Now())
		var reply struct {
			Status      *bool
			Submission  string
			Description string
		}
		decoder := json.NewDecoder(recorder.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&reply); err != nil || recorder.Code >= 500 || reply.Status == nil || reply.Description == "" {
			t.Fatalf("status %d, %v, %+v", recorder.Code, err, reply)
		}
		if *reply.Status != (recorder.Code == http.StatusOK) || (reply.Submission != "") != *reply.Status {
			t.Errorf("status %d with %+v", recorder.Code, reply)
		}
		if reply.Submission == "WRONG" && strings.Contains(strings.ToLower(reply.Description), "correct") {
			t.Errorf("found %+v", reply)
		}
		s.Verify(t)
	})
}

// Whatever is asked for, however it is written, the reply is JSON with DRES's keys
// and no failure of the server.
func FuzzDialect(f *testing.F) {
	paths := []string{
		"/api/v2/login", "/api/v2/logout", "/api/v2/user", "/api/v2/user/session", "/api/v2/client/evaluation/list", "/api/v2/client/evaluation/currentTask/c0ffee",
		"/api/v2/evaluation/c0ffee/state", "/api/v2/log/query/c0ffee", "/api/v2/log/result/c0ffee", "/api/v1/login", "/api/v1/submit", "/api/v2/status/info", "/api/v2/openapi.json",
	}
	for i, path := range paths {
		f.Add(uint8(i), path, "session=token%20of%20one&item=L01_V001&frame=375", `{"username": "Đội one", "password": "token of one"}`, "SESSIONID=x")
		f.Add(uint8(i), path, "session=%zz&timecode=0:0:1:2", `{"timestamp": 1, "events": []}`, "SESSIONID=\"x\"; Path=/; HttpOnly")
	}
	f.Fuzz(func(t *testing.T, method uint8, path, query, body, cookie string) {
		s := newSite(t, dresapi.Options{})
		if method%2 == 0 {
			s.Must(t, contest.Start{Question: questions[int(method)%len(questions)].ID})
		}
		request := httptest.NewRequest([]string{http.MethodGet, http.MethodPost, http.MethodPut}[method%3], "/", strings.NewReader(body))
		request.URL.Path, request.URL.RawQuery = path, query
		request.Header.Set("Cookie", cookie)
		recorder := httptest.NewRecorder()
		if name := s.dialect.ServeDialect(recorder, request, s.Now()); name == "" {
			return
		}
		var reply any
		if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil || recorder.Code >= 500 {
			t.Fatalf("status %d, %v: %s", recorder.Code, err, recorder.Body)
		}
		if recorder.Code >= 400 {
			refused, _ := reply.(map[string]any)
			if len(refused) != 2 || refused["status"] != false || refused["description"] == "" {
				t.Errorf("status %d: %s", recorder.Code, recorder.Body)
			}
		}
		s.Verify(t)
	})
}
