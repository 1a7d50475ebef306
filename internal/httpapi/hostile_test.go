package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// What broke an earlier scoring server, each with what it must not do here.
func TestWhatBrokeTheOriginal(t *testing.T) {
	refusedName := func(code, body string) func(*testing.T, *site) {
		return func(t *testing.T, s *site) {
			before := s.Durable()
			r := s.call(http.MethodPost, "/teams/register", body)
			r.refused(r.Status, code)
			if r.Status < 400 || r.Status > 499 || s.Durable() != before {
				t.Errorf("status %d", r.Status)
			}
		}
	}
	refusedLimit := func(limit string) func(*testing.T, *site) {
		return func(t *testing.T, s *site) {
			for _, field := range []string{"time_limit", "buffer_time"} {
				if field == "buffer_time" && limit == "0" {
					continue // means that there is none
				}
				r := s.admin(http.MethodPost, "/admin/start-question", `{"question_id": "1", "`+field+`": `+limit+`}`)
				if r.Status != 400 {
					t.Errorf("%s %s: status %d: %s", field, limit, r.Status, r.Body)
				}
			}
			s.get("/question/1/status").has("pending", "status")
		}
	}
	tests := map[string]func(*testing.T, *site){
		"a name with a lone surrogate":      refusedName("malformed", `{"team_name": "a\ud800b"}`),
		"a name that is not UTF-8":          refusedName("malformed", "{\"team_name\": \"a\xffb\"}"),
		"a name with a control character":   refusedName("invalid_name", `{"team_name": "a\u0007b"}`),
		"a name with a line break":          refusedName("invalid_name", `{"team_name": "a\nlevel=ERROR b"}`),
		"a name with a bidi override":       refusedName("invalid_name", `{"team_name": "a\u202eb"}`),
		"a name of 1 MB":                    refusedName("too_large", `{"team_name": "`+strings.Repeat("a", 1<<20)+`"}`),
		"a name of 10 KB":                   refusedName("invalid_name", `{"team_name": "`+strings.Repeat("a", 10<<10)+`"}`),
		"a name of blanks":                  refusedName("invalid_name", `{"team_name": " \u00a0\u3000 "}`),
		"a name of what shows nothing":      refusedName("invalid_name", `{"team_name": "\u200b\u2800"}`),
		"no name":                           refusedName("invalid_name", `{}`),
		"a name that is a list":             refusedName("malformed", `{"team_name": ["a"]}`),
		"a name that is a number":           refusedName("malformed", `{"team_name": 1}`),
		"a name given twice":                refusedName("malformed", `{"team_name": "a", "team_name": "b"}`),
		"a name that is another's, folded":  refusedName("name_taken", `{"team_name": "ＴＡＫＥＮ"}`),
		"a name that is another's, decomp.": refusedName("name_taken", `{"team_name": "taken\u200b"}`),
		"a time limit of 1e308":             refusedLimit("1e308"),
		"a time limit of 1e400":             refusedLimit("1e400"),
		"a time limit of NaN":               refusedLimit("NaN"),
		"a time limit that is negative":     refusedLimit("-1"),
		"a time limit of 0":                 refusedLimit("0"),
		"a time limit that is a text":       refusedLimit(`"300"`),
		"a time limit that is a list":       refusedLimit(`[300]`),
		"a time limit of 10 days":           refusedLimit(`864000`),
		"a token that is a list": func(_ *testing.T, s *site) {
			s.call(http.MethodPost, "/submit", `{"teamSessionId": ["a"], "answerSets": []}`).refused(400, "malformed")
			s.call(http.MethodPost, "/submit", `{"teamSessionId": {"$ne": null}, "answerSets": []}`).refused(400, "malformed")
		},
		"bad UTF-8 in a submission": func(_ *testing.T, s *site) {
			s.call(http.MethodPost, "/submit", "{\"teamSessionId\": \"x\", \"text\": \"TR-V\xff-1\"}").refused(400, "malformed")
		},
		"a newline in an answer forges no log line": func(t *testing.T, s *site) {
			one := s.team("one")
			s.start("3", time.Second)
			s.submit(one, "QA-a\nlevel=ERROR msg=forged-SCENEMARK3_VIDEOMARK3-71305000", header{"User-Agent", "x\ny"}).want(200)
			s.get("/question/%0alevel=ERROR%20forged/status").want(404)
			for _, line := range strings.Split(strings.TrimSpace(s.log.text()), "\n") {
				if strings.Contains(line, "forged") || !json.Valid([]byte(line)) {
					t.Errorf("log line %q", line)
				}
			}
		},
		"starting a question while another runs, then stopping": func(_ *testing.T, s *site) {
			one := s.team("one")
			s.start("1", time.Second)
			s.start("2", time.Second)
			s.admin(http.MethodPost, "/admin/stop-question", nil).want(200)
			s.Clock.Advance(time.Millisecond)
			s.submit(one, right).refused(409, "no_active_question")
		},
		"401 times in one submission": func(_ *testing.T, s *site) {
			one := s.team("one")
			s.start("2", time.Second)
			var values []string
			for i := range 401 {
				values = append(values, fmt.Sprint(71304000+i*50))
			}
			answers := []any{}
			for _, v := range values {
				answers = append(answers, map[string]any{"mediaItemName": "VIDEOMARK2", "start": v})
			}
			s.call(http.MethodPost, "/submit", map[string]any{"answerSets": []any{map[string]any{"answers": answers}}}, bearer(one)).
				want(200).has("incorrect", "correctness").has(0, "score")
		},
		"restarting a question keeps the old attempts": func(t *testing.T, s *site) {
			one := s.team("one")
			s.start("1", 15*time.Second)
			s.submit(one, right).want(200)
			s.admin(http.MethodPost, "/admin/start-question", `{"question_id": "1"}`).refused(409, "already_played")
			s.get("/teams/me", bearer(one)).has(97.5, "total_score")
			s.admin(http.MethodPost, "/admin/start-question", `{"question_id": "1", "restart": true}`).want(200)
			s.get("/teams/me", bearer(one)).has(0, "total_score")
			s.admin(http.MethodGet, "/admin/submissions", nil).want(200).has(97.5, "submissions", 0, "announced", "score").has(true, "submissions", 0, "void")
			s.Verify(t)
		},
		"registrations without bound": func(t *testing.T, s *site) {
			n := 0
			for i := range 300 {
				if s.call(http.MethodPost, "/teams/register", map[string]any{"team_name": name("t", i)}).Status == 200 {
					n++
				}
			}
			if n > 200 {
				t.Errorf("%d teams at once", n)
			}
		},
		"a second name while a question runs": func(_ *testing.T, s *site) {
			s.start("1", time.Second)
			s.call(http.MethodPost, "/teams/register", `{"team_name": "second"}`).refused(403, "registration_closed")
		},
	}
	for what, test := range tests {
		t.Run(what, func(t *testing.T) {
			s := newSite(t)
			s.team("taken")
			test(t, s)
		})
	}
}

// The clock that counts never runs backwards: the score of an answer is at most
// that of one that came at once, whatever anybody sets.
func TestClockSetBack(t *testing.T) {
	s := newSite(t)
	one := s.team("one")
	s.start("1", -time.Minute)
	r := s.submit(one, right)
	if r.Status == 200 && r.at("score").(float64) > 100 {
		t.Errorf("%s", r.Body)
	}
}

// Bodies that no client should send: each is a 4xx, and no attempt.
func TestHostileBodies(t *testing.T) {
	deep := strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000)
	bodies := []string{
		"", " ", "x", "null", "true", "1", `"text"`, "[]", "{", "}", "{}{}", `{"a": 1,}`, `{"question_id": }`, "\x00", "\xff\xfe", "\ufeff{}x",
		`{"question_id": NaN}`, `{"question_id": Infinity}`, `{"question_id": 1e999}`, `{"question_id": [1]}`, `{"question_id": {"a": 1}}`,
		`{"question_id": true}`, `{"question_id": 1.5}`, `{"question_id": -1}`, `{"question_id": 123456789012345678901234567890}`,
		`{"question_id": "\ud800"}`, `{"question_id": "1", "question_id": "2"}`, `{"question_id": null}`, `{"QUESTION_ID": "1"}`,
		`{"teamSessionId": null}`, `{"teamSessionId": 1}`, `{"answerSets": 1}`, `{"answerSets": [1]}`, `{"answerSets": [{"answers": 1}]}`,
		`{"answerSets": [{"answers": [{"start": 1e999}]}]}`, `{"answerSets": ` + deep + `}`, deep, `{"x": ` + deep + `}`,
		strings.Repeat(" ", 70<<10), `{"text": "` + strings.Repeat("a", 10<<20) + `"}`, `{"seconds": "5"}`, `{"verdict": 1}`, `{"mode": ["open"]}`,
		"team_name=x&code=y", "--boundary\r\nContent-Disposition: form-data\r\n",
	}
	s := newSite(t)
	one := s.team("one")
	s.start("2", time.Second)
	before := s.Durable()
	for _, path := range []string{
		"/submit", "/teams/register", "/admin/start-question", "/admin/extend", "/admin/void", "/admin/reveal", "/admin/override", "/admin/registration",
		"/admin/teams", "/admin/teams/x/rename",
	} {
		for _, body := range bodies {
			token := adminToken
			if path == "/submit" {
				token = one
			}
			r := s.call(http.MethodPost, path, body, bearer(token))
			if r.Status < 400 || r.Status > 499 {
				t.Errorf("%s %.60q: status %d: %s", path, body, r.Status, r.Body)
			}
		}
	}
	if s.Durable() != before {
		t.Errorf("%d events", s.Durable()-before)
	}
}

// Whoever mistypes is told what was found and what was expected.
func TestDetails(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct{ path, body, want string }{
		{"start-question", `[1]`, "found a body that begins with [, expected a JSON object"},
		{"start-question", `{"question": "1"}`, "found the unknown name question, expected question_id, time_limit, buffer_time, restart, perhaps question_id"},
		{"start-question", `{}`, "question_id: found nothing, expected one"},
		{"start-question", `{"question_id": "1", "time_limit": "60"}`, "time_limit: found a text, expected a number"},
		{"start-question", `{"question_id": "1", "restart": 1}`, "restart: found a number, expected true or false"},
		{"start-question", `{"question_id": [1]}`, "question_id: found a list, expected a text or a whole number"},
		{"start-question", `{"question_id": "1", "time_limit": 1e308}`, "time_limit: found 1e+308 seconds, expected at most 1e+08"},
		{"reset", `{"teams": true}`, "found the unknown name teams, expected an empty object"},
		{"start-question", `{"question_id": "1", "time_limit": 1e400}`, "time_limit: found 1e400, expected a number that is not so large"},
		{"extend", `{}`, "seconds: found nothing, expected a number of seconds"},
		{"override", `{"submission": 1, "verdict": "full", "reason": "` + strings.Repeat("r", 1001) + `"}`, "reason: found 1001 bytes, expected at most 1000"},
	} {
		if got := s.admin(http.MethodPost, "/admin/"+test.path, test.body).want(400).text("detail"); got != test.want {
			t.Errorf("%s %.40s: %q, want %q", test.path, test.body, got, test.want)
		}
	}
}

// Whatever the Content-Type says, a submission is read.
func TestContentTypes(t *testing.T) {
	s := newSite(t, preset("aic2025"))
	s.start("1", time.Second)
	for i, contentType := range []string{"", "application/json", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"} {
		token := s.team(name("team", i))
		s.submit(token, right, header{"Content-Type", contentType}).want(200)
	}
	for _, path := range []string{"/config", "/questions", "/question/1/status", "/leaderboard", "/teams/me"} {
		s.call(http.MethodGet, path, `{"ignored": true}`, bearer(s.team("reads "+path))).want(200)
	}
}

func TestGroundTruthMayBeReplaced(t *testing.T) {
	s := newSite(t)
	one := s.team("one")
	s.start("1", 15*time.Second)
	s.submit(one, "TR-NEW_VIDEO-5,6").want(200).has("incorrect", "correctness")
	changed := append([]retrieval.Question{}, questions...)
	changed[0].Scene, changed[0].Video, changed[0].Events = "NEW", "VIDEO", []retrieval.Event{{Start: 5, End: 6}}
	s.Must(t, contest.ReplaceGroundTruth{Questions: changed, Reason: "cut differently"})
	s.get("/teams/me", bearer(one)).has(97.5, "total_score")
	two := s.team("two")
	s.submit(two, "TR-NEW-VIDEO-5,6").want(200).has(97.5, "score")
}
