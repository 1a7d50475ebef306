package dresapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/dresapi"
	"scorebook/internal/httpapi"
	"scorebook/retrieval"
)

// The questions of a contest with the ids that teams meet.
var variety = []retrieval.Question{
	{ID: "kis", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 33000, End: 34000}}},
	{ID: "first", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 0, End: 1000}}},
	{ID: "hyphen", Type: retrieval.KIS, Scene: "N001", Video: "V001", Events: []retrieval.Event{{Start: 1000, End: 1000}}},
	{ID: "digits", Type: retrieval.KIS, Video: "00043", Events: []retrieval.Event{{Start: 1000, End: 1000}}},
	{ID: "pairs", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 10000, End: 11000}, {Start: 90000, End: 91000}}},
	{ID: "item", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{retrieval.WholeVideo}},
	{ID: "qa", Type: retrieval.QA, Scene: "L02", Video: "V002", Events: []retrieval.Event{{Start: 30000, End: 40000}}, Answers: []string{"Mộc Châu, Sơn-La"}},
	{ID: "trake", Type: retrieval.TR, Scene: "L03", Video: "V003", Events: []retrieval.Event{{Start: 100, End: 110}, {Start: 200, End: 210}}},
	{ID: "fast", Type: retrieval.TR, Scene: "L04", Video: "V004", FPS: 50, Events: []retrieval.Event{{Start: 100, End: 100}, {Start: 250, End: 250}}},
}

// answerOf puts an answer into the smallest body.
func answerOf(answers ...string) string {
	return `{"answerSets": [{"answers": [` + strings.Join(answers, ",") + `]}]}`
}

// Every form of a right answer that clients were seen to send is right, whatever
// its Content-Type.
func TestBodies(t *testing.T) {
	const decomposed = `Mo\u0323\u0302c Cha\u0302u, So\u031bn-La`
	for _, test := range []struct{ name, question, body string }{
		{"integers", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33366, "end": 33366}`)},
		{"floats", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33366.666666666664, "end": 33366.666666666664}`)},
		{"quoted integers", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": "33366", "end": "33366"}`)},
		{"quoted floats", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": "33366.666666666664", "end": "33366.666666666664"}`)},
		{"no end", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33366}`)},
		{"end null", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33366, "end": null}`)},
		{"end empty", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33366, "end": ""}`)},
		{"start null for 0", "first", answerOf(`{"mediaItemName": "L01_V001", "start": null, "end": 0}`)},
		{"start null, end later", "first", answerOf(`{"mediaItemName": "L01_V001", "start": null, "end": 1000}`)},
		{"start empty", "first", answerOf(`{"mediaItemName": "L01_V001", "start": "", "end": "500"}`)},
		{"start missing", "first", answerOf(`{"mediaItemName": "L01_V001", "end": 500}`)},
		{"a stretch", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 33000, "end": 34000}`)},
		{"everything null", "kis", `{"answerSets": [{"taskId": null, "taskName": null, "answers": [{"text": null, "mediaItemName": "L01_V001", "mediaItemCollectionName": null, "start": 33366, "end": null}]}]}`},
		{"everything empty", "kis", `{"answerSets": [{"taskId": "", "taskName": "", "answers": [{"text": "", "mediaItemName": "L01_V001", "mediaItemCollectionName": "", "start": 33366, "end": ""}]}]}`},
		{"the evaluation as task, a wrong name, a wrong collection", "kis", `{"answerSets": [{"taskId": "c0ffee", "taskName": "KIS-1", "answers": [{"mediaItemName": "L01_V001", "mediaItemCollectionName": "IVADL", "start": 33366}]}]}`},
		{"unknown keys at every level", "kis", `{"a": {}, "answerSets": [{"b": [], "answers": [{"c": 1, "mediaItemName": "L01_V001", "start": 33366}]}], "d": null}`},
		{"text, item and times", "kis", answerOf(`{"text": "a note", "mediaItemName": "L01_V001", "start": 33366, "end": 33366}`)},
		{"extension", "kis", answerOf(`{"mediaItemName": "L01_V001.mp4", "start": 33366}`)},
		{"folder", "kis", answerOf(`{"mediaItemName": "videos/L01/L01_V001.mp4", "start": 33366}`)},
		{"other case", "kis", answerOf(`{"mediaItemName": "l01_v001", "start": 33366}`)},
		{"the other separator", "kis", answerOf(`{"mediaItemName": "L01-V001", "start": 33366}`)},
		{"hyphenated id", "hyphen", answerOf(`{"mediaItemName": "N001-V001", "start": 1000}`)},
		{"id of digits", "digits", answerOf(`{"mediaItemName": "00043", "start": 1000}`)},
		{"id of digits with an extension", "digits", answerOf(`{"mediaItemName": "00043.mp4", "start": 1000}`)},
		{"an answer for each event", "pairs", answerOf(`{"mediaItemName": "L01_V001", "start": 10000, "end": 11000}`, `{"mediaItemName": "L01_V001", "start": 90000, "end": 91000}`)},
		{"a set for each event", "pairs", `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001", "start": 10500}]}, {"answers": [{"mediaItemName": "L01_V001", "start": 90500}]}]}`},
		{"item only", "item", answerOf(`{"mediaItemName": "L01_V001"}`)},
		{"item only, null", "item", answerOf(`{"mediaItemName": "L01_V001", "start": null, "end": null}`)},
		{"item with a moment where none is asked for", "item", answerOf(`{"mediaItemName": "L01_V001", "start": 5, "end": 5}`)},

		{"QA", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-L02_V002-35000"}`)},
		{"QA, escapes", "qa", answerOf(`{"text": "QA-M\u1ed9c Ch\u00e2u, S\u01a1n-La-L02_V002-35000"}`)},
		{"QA, decomposed", "qa", answerOf(`{"text": "QA-` + decomposed + `-L02_V002-35000"}`)},
		{"QA of 2024", "qa", answerOf(`{"text": "Mộc Châu, Sơn-La-L02_V002-35000"}`)},
		{"QA, a float", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-L02_V002-35000.5"}`)},
		{"QA, several moments", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-L02_V002-31000, 39000"}`)},
		{"QA, hyphen in the id", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-L02-V002-35000"}`)},
		{"QA, the video alone", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-V002-35000"}`)},
		{"QA beside its video", "qa", answerOf(`{"text": "Mộc Châu, Sơn-La", "mediaItemName": "L02_V002", "start": 35000, "end": 35000}`)},
		{"QA whole beside its video", "qa", answerOf(`{"text": "QA-Mộc Châu, Sơn-La-L02_V002-35000", "mediaItemName": "L02_V002", "start": 35000, "end": 35000}`)},
		{"QA in upper case", "qa", answerOf(`{"text": "QA-MỘC CHÂU, SƠN-LA-L02_V002-35000"}`)},
		{"QA without accents", "qa", answerOf(`{"text": "qa-moc chau son la-l02_v002-35000"}`)},

		{"TRAKE", "trake", answerOf(`{"text": "TR-L03_V003-105,205"}`)},
		{"TRAKE, blanks", "trake", answerOf(`{"text": "TR-L03_V003-105 , 205"}`)},
		{"TRAKE, in the order of clicks", "trake", answerOf(`{"text": "TR-L03_V003-205,105"}`)},
		{"TRAKE, lower case", "trake", answerOf(`{"text": "tr-l03_v003-105,205"}`)},
		{"TRAKE beside an empty item", "trake", answerOf(`{"text": "TR-L03_V003-105,205", "mediaItemName": "", "start": null, "end": null}`)},
		{"TRAKE beside its item", "trake", answerOf(`{"text": "TR-L03_V003-105,205", "mediaItemName": "L03_V003", "start": 0, "end": 0}`)},
		{"TRAKE as moments", "trake", answerOf(`{"mediaItemName": "L03_V003", "start": 4200, "end": 4200}`, `{"mediaItemName": "L03_V003", "start": 8200, "end": 8200}`)},
		{"TRAKE as moments at another rate", "fast", answerOf(`{"mediaItemName": "L04_V004", "start": 2000}`, `{"mediaItemName": "L04_V004", "start": 5000}`)},
	} {
		for _, media := range []string{"application/json", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", ""} {
			t.Run(test.name+" as "+media, func(t *testing.T) {
				s := newVariety(t)
				s.Must(t, contest.Start{Question: retrieval.QuestionID(test.question)})
				header := []string{"Cookie", "SESSIONID=" + s.login("one")}
				if media != "" {
					header = append(header, "Content-Type", media)
				}
				r := s.call(http.MethodPost, "/api/v2/submit/c0ffee", test.body, header...)
				if v := r.want(200, "status", "submission", "description"); v["status"] != true || v["submission"] != "CORRECT" || !strings.Contains(v["description"].(string), "correct") {
					t.Errorf("found %s", r.Body)
				}
				if r.Header().Get("Set-Cookie") != "" || r.Header().Get("Content-Type") != "application/json" {
					t.Errorf("found %v", r.Header())
				}
				s.sameNatively(test.body)
				s.Verify(t)
			})
		}
	}
}

// sameNatively sends a body that team one has sent to the native interface as team
// two, and holds what came of it against the other: the event but for the team, the
// explanation, and the score.
func (s *site) sameNatively(body string) {
	s.t.Helper()
	native := httpapi.New(s.Service, httpapi.Options{Admin: auth.NewAdmin("", false)})
	request := httptest.NewRequest(http.MethodPost, "/submit", strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer token of two")
	reply := httptest.NewRecorder()
	native.ServeHTTP(reply, request)
	if reply.Code != http.StatusOK {
		s.t.Fatalf("natively: %d %s", reply.Code, reply.Body)
	}
	s.Read(func(state *contest.State) {
		attempts := state.Attempts()
		events, explanations := make([]contest.SubmissionJudged, 2), make([]retrieval.Explanation, 2)
		for i, a := range attempts[len(attempts)-2:] {
			record, err := s.Record(s.t.Context(), a.Seq)
			if err != nil || json.Unmarshal(record.Data, &events[i]) != nil {
				s.t.Fatal(err)
			}
			events[i].Team = ""
			explanations[i], _ = state.Explain(a.Seq)
		}
		if !reflect.DeepEqual(events[0], events[1]) || !reflect.DeepEqual(explanations[0], explanations[1]) || events[0].Announced.Score <= 0 {
			s.t.Errorf("found\n%+v\n%+v\n%s\n%s", events[0], events[1], explanations[0].Text(), explanations[1].Text())
		}
	})
}

// What is no right answer: its status, and that a client's mistake costs nothing.
func TestBodiesThatAreNotRight(t *testing.T) {
	kis := `{"mediaItemName": "L01_V001", "start": 33366}`
	for _, test := range []struct {
		name, question, body string
		status               int
		told                 string
	}{
		{"another moment", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 90000}`), 200, "wrong"},
		{"another video", "kis", answerOf(`{"mediaItemName": "L01_V009", "start": 33366}`), 200, "wrong"},
		{"an unknown video", "kis", answerOf(`{"mediaItemName": "nothing like it", "start": 33366}`), 200, "wrong"},
		{"another video, item only", "item", answerOf(`{"mediaItemName": "L09_V009"}`), 200, "wrong"},
		{"half of TRAKE", "trake", answerOf(`{"text": "TR-L03_V003-105,9000"}`), 200, "partial: 1 of 2"},
		{"less than half of TRAKE", "trake", answerOf(`{"text": "TR-L03_V003-9000"}`), 200, "wrong"},
		{"item only where a moment is asked for", "kis", answerOf(`{"mediaItemName": "L01_V001"}`), 412, "this question asks for a moment"},
		{"no answer", "kis", `{"answerSets": []}`, 412, "found no answer"},
		{"no answer sets", "kis", `{}`, 412, "found no answer"},
		{"an empty answer", "kis", answerOf(`{}`), 412, "mediaItemName: found none"},
		{"backwards", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": 2, "end": 1}`), 412, "after the end"},
		{"a word for a time", "kis", answerOf(`{"mediaItemName": "L01_V001", "start": "now"}`), 412, `start: found`},
		{"QA without numbers", "qa", answerOf(`{"text": "QA-Mộc Châu"}`), 412, "does not end with a hyphen and numbers"},
		{"a text of another type", "qa", answerOf(`{"text": "TR-L03_V003-105"}`), 412, "begins with TR-"},
		{"answer sets an object", "kis", `{"answerSets": {}}`, 412, "expected an array"},
		{"an array", "kis", `[` + answerOf(kis) + `]`, 412, "found no JSON object"},
		{"cut off", "kis", `{"answerSets": [`, 400, "no JSON"},
		{"nothing", "kis", ``, 400, "no JSON"},
		{"a form that holds no JSON", "kis", `answerSets=1`, 400, "no JSON"},
		{"not UTF-8", "qa", answerOf("{\"text\": \"QA-\xff-L02_V002-1\"}"), 400, "no JSON"},
		{"too large", "kis", strings.Repeat(" ", 70000), 413, "larger than 64 KiB"},
		{"nothing runs", "", answerOf(kis), 412, "no question is running"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newVariety(t)
			if test.question != "" {
				s.Must(t, contest.Start{Question: retrieval.QuestionID(test.question)})
			}
			r := s.call(http.MethodPost, "/api/v2/submit/c0ffee?session="+s.login("one"), test.body)
			keys := []string{"status", "submission", "description"}
			told, _ := r.want(test.status, keys...)["description"].(string)
			if !strings.Contains(told, test.told) {
				t.Errorf("found %q, expected %q", told, test.told)
			}
			if strings.Contains(r.Body.String(), "WRONG") && strings.Contains(strings.ToLower(r.Body.String()), "correct") {
				t.Errorf("a wrong reply has the word: %s", r.Body)
			}
			attempts := 0
			s.Read(func(state *contest.State) { attempts = len(state.Attempts()) })
			if (attempts == 1) != (test.status == http.StatusOK) {
				t.Errorf("status %d is %d attempts", test.status, attempts)
			}
		})
	}
}

// What the rules refuse, in the order in which it can happen to a team.
func TestRefusals(t *testing.T) {
	s := newVariety(t)
	one := "/api/v2/submit/c0ffee?session=" + s.login("one")
	right, wrong := answerOf(`{"mediaItemName": "L01_V001", "start": 33366}`), answerOf(`{"mediaItemName": "L01_V001", "start": 1}`)
	s.call(http.MethodPost, one, right).want(412)
	s.Must(t, contest.Start{Question: "kis"})
	s.call(http.MethodPost, strings.Replace(one, "c0ffee", "other", 1), right).want(404)
	s.call(http.MethodPost, "/api/v2/submit/c0ffee", right).want(401)
	s.call(http.MethodPost, one, wrong).want(200, "status", "submission", "description")
	s.call(http.MethodPost, one, right).want(200, "status", "submission", "description")
	if told := s.call(http.MethodPost, one, right).want(412)["description"].(string); !strings.Contains(told, "completed") {
		t.Errorf("found %q", told)
	}
	s.Must(t, contest.Stop{})
	s.Clock.Advance(contest.Grace * 2)
	two := "/api/v2/submit/c0ffee?session=" + s.login("two")
	s.call(http.MethodPost, two, right).want(412)
	s.Must(t, contest.Start{Question: "first"})
	s.Clock.Advance(311e9)
	if told := s.call(http.MethodPost, two, right).want(412)["description"].(string); !strings.Contains(told, "311.00 s after the start") {
		t.Errorf("found %q", told)
	}
	s.Must(t, contest.Ban{Team: "two", Banned: true})
	s.call(http.MethodPost, two, right).want(412)
}

// newVariety starts a contest with these questions, whose rules fold the texts of
// answers: clients change their case.
func newVariety(t testing.TB) *site {
	t.Helper()
	return newSiteOf(t, dresapi.Options{}, variety, func(r *retrieval.Ruleset) { r.AnswerMatch = retrieval.MatchFolded })
}
