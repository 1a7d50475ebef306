package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
)

func TestLifecycle(t *testing.T) {
	s := newSite(t)
	post := func(path string, body any) *reply { t.Helper(); return s.admin(http.MethodPost, "/admin/"+path, body) }
	s.get("/question/1/status").want(200).has("pending", "status").has(0, "round").has(300, "time_limit").has(10, "buffer_time").has(false, "is_active")
	s.get("/config").want(200).has(nil, "active_question_id").has(nil, "active_question").has("c0ffee", "contest_id").
		has("exact", "scoring", "mode").has("open", "registration").has("TR", "questions", "1", "type").has(300, "questions", "1", "default_time_limit")
	post("stop-question", nil).refused(409, "no_active_question")
	post("extend", map[string]any{"seconds": 5}).refused(409, "no_active_question")
	post("void", map[string]any{"question_id": "1"}).refused(409, "not_started")
	post("reveal", map[string]any{"question_id": "1"}).refused(409, "not_started")
	post("start-question", map[string]any{"question_id": "9"}).refused(404, "unknown_question")

	post("start-question", map[string]any{"question_id": 1, "time_limit": 60.5, "buffer_time": 0}).want(200).
		has(true, "success").has("running", "question", "status").has(60.5, "question", "time_limit").has(0, "question", "buffer_time")
	s.Clock.Advance(20 * time.Second)
	s.get("/question/1/status").has(20, "elapsed_time").has(40.5, "remaining_time").has("2026-01-17T12:00:20Z", "server_time").
		has("2026-01-17T12:00:00Z", "started_at").has(true, "is_active").has(1, "round")
	s.get("/config").has("1", "active_question_id").has(60.5, "active_question", "time_limit").has(true, "active_question", "is_active")
	s.get("/questions").has("running", "questions", 0, "status").has("pending", "questions", 1, "status")
	post("extend", map[string]any{"question_id": "2", "seconds": 5}).refused(409, "no_active_question")
	post("extend", map[string]any{"seconds": -30}).want(200).has(30.5, "question", "time_limit")
	post("extend", map[string]any{"seconds": -30}).refused(400, "invalid_value")
	post("extend", map[string]any{"seconds": 10}).want(200).has(20.5, "question", "remaining_time")

	// Starting another question ends the first; stopping it does not reopen it.
	post("start-question", map[string]any{"question_id": "2"}).want(200)
	s.get("/question/1/status").has("ended", "status").has(0, "remaining_time").has("2026-01-17T12:00:20Z", "ended_at")
	post("stop-question", map[string]any{"question_id": "1"}).refused(409, "no_active_question")
	post("stop-question", map[string]any{"question_id": "2"}).want(200).has("ended", "question", "status")
	s.get("/config").has(nil, "active_question_id")
	s.get("/question/1/status").has("ended", "status").has(false, "is_active")
	post("start-question", map[string]any{"question_id": "1"}).refused(409, "already_played")
	post("start-question", map[string]any{"question_id": "1", "restart": true}).want(200).has(2, "question", "round")
	s.Clock.Advance(305 * time.Second)
	s.get("/question/1/status").has("buffer", "status").has(true, "is_active").has(0, "remaining_time")
	s.Clock.Advance(6 * time.Second)
	s.get("/question/1/status").has("ended", "status").has(false, "is_active")
	s.admin(http.MethodGet, "/admin/sessions", nil).want(200).has("1", "sessions", 0, "status", "question_id").has(2, "sessions", 0, "status", "round").
		has("2", "sessions", 1, "status", "question_id")
	s.Verify(t)
}

func TestJury(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	s.submit(one, "TR-SCENEMARK1_VIDEOMARK1-1").want(200)
	receipt := s.submit(one, right).want(200).Header.Get("Scorebook-Receipt")
	wrong := s.submit(two, "TR-SCENEMARK1_VIDEOMARK1-71304890").want(200).Header.Get("Scorebook-Seq")

	s.admin(http.MethodGet, "/admin/sessions", nil).want(200).has(3, "sessions", 0, "attempts").has(2, "sessions", 0, "teams").has(1, "sessions", 0, "solved")
	page := s.admin(http.MethodGet, "/admin/submissions?question=1&limit=2", nil).want(200)
	page.has("one", "submissions", 0, "team_name").has("incorrect", "submissions", 0, "current", "correctness").has(87.5, "submissions", 1, "announced", "score")
	next := page.at("next").(float64)
	s.admin(http.MethodGet, "/admin/submissions?limit=2&after="+number(next), nil).want(200).has("two", "submissions", 0, "team_name").has(nil, "next")
	team := page.text("submissions", 0, "team_id")
	if got := len(s.admin(http.MethodGet, "/admin/submissions?team="+team, nil).at("submissions").([]any)); got != 2 {
		t.Errorf("%d submissions of one team", got)
	}
	for _, query := range []string{"limit=x", "limit=501", "limit=-1", "limit=0", "after=1.5", "after=99999999999999999999"} {
		s.admin(http.MethodGet, "/admin/submissions?"+query, nil).refused(400, "invalid_value")
	}
	s.admin(http.MethodGet, "/admin/submissions/"+wrong, nil).want(200).has("two", "submission", "team_name").
		has(1, "explanation", "matched_events").has("VIDEOMARK1", "explanation", "question", "video_id")
	s.admin(http.MethodGet, "/admin/submissions/9999", nil).refused(404, "unknown_submission")
	s.admin(http.MethodGet, "/admin/submissions/x", nil).refused(404, "unknown_submission")
	s.admin(http.MethodGet, "/admin/questions", nil).want(200).has("ANSWERMARK", "questions", 2, "ground_truth", "answers", 0)

	override := func(body map[string]any) *reply { return s.admin(http.MethodPost, "/admin/override", body) }
	override(map[string]any{"submission": 9999, "verdict": "full", "reason": "r"}).refused(404, "unknown_submission")
	override(map[string]any{"submission": "x", "verdict": "full", "reason": "r"}).refused(400, "invalid_value")
	override(map[string]any{"submission": wrong, "verdict": "perfect", "reason": "r"}).refused(400, "invalid_value")
	override(map[string]any{"submission": wrong, "verdict": "full"}).refused(400, "invalid_value")
	override(map[string]any{"submission": receipt[:len(receipt)-4] + "0000", "verdict": "void", "reason": "r"}).refused(404, "unknown_submission")
	override(map[string]any{"submission": json.Number(wrong), "verdict": "full", "reason": "the video was cut differently"}).want(200)
	s.get("/leaderboard").has("two", "leaderboard", 0, "team_name").has(97.5, "leaderboard", 0, "total_score")
	s.get("/teams/me", bearer(two)).has("incorrect", "questions", 0, "attempts", 0, "announced", "correctness").
		has("full", "questions", 0, "result", "correctness").has(nil, "questions", 0, "attempts", 0, "now").has(nil, "questions", 0, "attempts", 0, "verdict")
	override(map[string]any{"submission": receipt, "verdict": "void", "reason": "r"}).want(200)
	s.get("/teams/me", bearer(one)).has(0, "total_score").has(false, "questions", 0, "attempts", 1, "counts")
	s.admin(http.MethodGet, "/admin/series", nil).want(200).has(97.5, "changes", 0, "total_score").has(1, "changes", 0, "rank")

	s.admin(http.MethodPost, "/admin/void", map[string]any{"question_id": "1", "reason": "ambiguous"}).want(200).has(true, "question", "voided")
	s.get("/leaderboard").has(0, "leaderboard", 0, "total_score").has(0, "leaderboard", 0, "solved")
	s.admin(http.MethodPost, "/admin/void", map[string]any{"question_id": "1"}).want(200).has("nothing had to be changed", "message")
	s.admin(http.MethodPost, "/admin/void", map[string]any{"question_id": "1", "voided": false}).want(200).has(false, "question", "voided")
	s.get("/leaderboard").has(97.5, "leaderboard", 0, "total_score")

	s.admin(http.MethodPost, "/admin/reset", map[string]any{}).want(200)
	s.get("/leaderboard").has(0, "leaderboard", 0, "total_score").has("one", "leaderboard", 0, "team_name")
	s.get("/question/1/status").has("pending", "status")
	s.get("/submissions/"+receipt, bearer(one)).want(200).has(false, "counts").has(87.5, "announced", "score")
	s.admin(http.MethodPost, "/admin/reset-all", nil).want(200)
	s.get("/leaderboard").has([]any{}, "leaderboard")
	s.get("/teams/me", bearer(one)).refused(401, "unknown_team")
	s.Verify(t)
}

func number(f float64) string {
	text, _ := json.Marshal(f)
	return string(text)
}

func TestTeams(t *testing.T) {
	s := newSite(t)
	register := func(body any) *reply { return s.call(http.MethodPost, "/teams/register", body) }
	first := register(map[string]any{"teamName": "Đội Một"}).want(200).has("Đội Một", "team_name")
	token, id := first.text("team_session_id"), first.text("team_id")
	if len(token) != 32 || first.text("teamSessionId") != token {
		t.Errorf("tokens: %s", first.Body)
	}
	register(map[string]any{"team_name": "ĐỘI  một"}).refused(409, "name_taken")
	register(map[string]any{"team_name": "a", "teamName": "b"}).refused(400, "malformed")
	register(map[string]any{"team_name": "a", "teamName": "a", "member": []string{"ignored"}}).want(200)
	s.start("1", time.Second)
	register(map[string]any{"team_name": "late"}).refused(403, "registration_closed")

	mode := func(body any) *reply { return s.admin(http.MethodPost, "/admin/registration", body) }
	mode(map[string]any{"mode": "sometimes"}).refused(400, "invalid_value")
	mode(map[string]any{"mode": "code"}).refused(400, "invalid_value")
	mode(map[string]any{"mode": "code", "code": "sesame"}).want(200)
	register(map[string]any{"team_name": "c"}).refused(403, "wrong_code")
	register(map[string]any{"team_name": "c", "code": "open"}).refused(403, "wrong_code")
	register(map[string]any{"team_name": "c", "code": "sesame"}).want(200)
	mode(map[string]any{"mode": "closed"}).want(200)
	register(map[string]any{"team_name": "d", "code": "sesame"}).refused(403, "registration_closed")
	mode(map[string]any{"mode": "always"}).want(200)
	register(map[string]any{"team_name": "d"}).want(200)

	rival := s.admin(http.MethodPost, "/admin/teams", map[string]any{"team_name": "rival", "simulated": true}).want(200).text("team_session_id")
	s.get("/teams/me", bearer(rival)).has(true, "simulated")
	s.admin(http.MethodGet, "/admin/teams", nil).want(200).has("Đội Một", "teams", 0, "team_name").has(true, "teams", 4, "simulated")

	team := "/admin/teams/" + id
	s.admin(http.MethodPost, team+"/rename", map[string]any{"team_name": "rival"}).refused(409, "name_taken")
	s.admin(http.MethodPost, team+"/rename", map[string]any{"team_name": "One"}).want(200)
	s.admin(http.MethodPost, "/admin/teams/nobody/rename", map[string]any{"team_name": "x"}).refused(404, "unknown_team")
	renewed := s.admin(http.MethodPost, team+"/rotate-token", nil).want(200).has("One", "team_name").text("team_session_id")
	s.get("/teams/me", bearer(token)).refused(401, "unknown_team")
	s.get("/teams/me", bearer(renewed)).want(200).has("One", "team_name").has("1", "active_question", "question_id")
	s.admin(http.MethodPost, team+"/ban", nil).want(200)
	s.get("/teams/me", bearer(renewed)).want(200).has(true, "banned").has(0, "rank")
	if strings.Contains(s.get("/leaderboard").Body, id) || !strings.Contains(s.admin(http.MethodGet, "/admin/leaderboard", nil).want(200).Body, id) {
		t.Error("a banned team is the jury's to see, and nobody else's")
	}
	s.admin(http.MethodPost, team+"/ban", map[string]any{"banned": false}).want(200)
	if !strings.Contains(s.get("/leaderboard").Body, id) {
		t.Error("the team is still gone")
	}
	for _, secret := range []string{token, renewed, rival, "sesame"} {
		if strings.Contains(s.log.text(), secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
	if !strings.Contains(s.log.text(), `"event":"`+contest.TeamBanned{}.Kind()+`"`) {
		t.Error("what an admin does is not logged")
	}
}

func TestTooManyTeams(t *testing.T) {
	s := newSite(t, func(o *contest.Open) { o.Settings.MaxTeams = 1 })
	s.call(http.MethodPost, "/teams/register", `{"team_name": "a"}`).want(200)
	s.call(http.MethodPost, "/teams/register", `{"team_name": "b"}`).refused(403, "too_many_teams")
	s.team("b")
}

func TestExport(t *testing.T) {
	s := newSite(t)
	for _, query := range []string{"", "?simulated=true", "?simulated=false"} {
		r := s.admin(http.MethodGet, "/admin/export"+query, nil).want(200)
		if r.Header.Get("Content-Type") != "application/zip" || !strings.HasPrefix(r.Body, "PK") {
			t.Errorf("%v %.20q", r.Header, r.Body)
		}
	}
	s.admin(http.MethodGet, "/admin/export?simulated=perhaps", nil).refused(400, "invalid_value")
}
