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
