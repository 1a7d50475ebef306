package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/internal/intake"
	"scorebook/retrieval"
)

const right = "TR-SCENEMARK1_VIDEOMARK1-71304890,71305000,71305001,71305020"

// The worked examples of the specification's table, with the numbers of this
// ground truth.
func TestWorkedExamples(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	s.submit(one, right).want(200).
		has(true, "success").has("full", "correctness").has(97.5, "score").has(4, "detail", "matched_events").has(4, "detail", "total_events").
		has(0, "detail", "wrong_attempts").has(15, "detail", "elapsed_time").has(0.95, "detail", "time_factor").has(285, "detail", "remaining_time")
	s.Clock.Advance(5 * time.Second)
	s.submit(two, "TR-SCENEMARK1_VIDEOMARK1-71304890,71305000,71305001").want(200).
		has(true, "success").has("partial", "correctness").has(48.33, "score").has(3, "detail", "matched_events").
		has(75, "detail", "percentage").has(0.9333, "detail", "time_factor")

	s.start("2", 40*time.Second)
	kis := func(values ...string) *reply {
		var answers []any
		for _, v := range values {
			answers = append(answers, map[string]any{"mediaItemName": "VIDEOMARK2", "start": v, "end": v})
		}
		return s.call(http.MethodPost, "/submit", map[string]any{"answerSets": []any{map[string]any{"answers": answers}}}, bearer(one))
	}
	kis("1000", "2000").want(200).
		has(false, "success").has("incorrect", "correctness").has(0, "score").has(0, "detail", "matched_events").has(4, "detail", "total_events").
		has(1, "detail", "wrong_attempts").has(10, "detail", "penalty").has("Wrong answer. Try again with penalty.", "message")
	s.Clock.Advance(5 * time.Second)
	kis("71304890", "71305000", "71305001", "71305020").want(200).
		has(82.5, "score").has("full", "correctness").has(1, "detail", "wrong_attempts").has(0.85, "detail", "time_factor").has(10, "detail", "penalty")

	s.get("/leaderboard").want(200).
		has("one", "leaderboard", 0, "team_name").has(180, "leaderboard", 0, "total_score").has(60, "leaderboard", 0, "time").has(2, "leaderboard", 0, "solved").
		has(48.33, "leaderboard", 1, "total_score")
	s.get("/leaderboard?question=2").want(200).has(82.5, "leaderboard", 0, "total_score").has(0, "leaderboard", 1, "rank")
	s.get("/leaderboard?question=9").refused(404, "unknown_question")
	s.get("/api/leaderboard-data").want(200).
		has("2", "active_question_id").has("1", "questions", 0).has(1, "teams", 0, "rank").has(true, "teams", 0, "is_real").
		has(82.5, "teams", 0, "questions", "2", "score").has(1, "teams", 0, "questions", "2", "wrong_count").
		has(1, "teams", 0, "questions", "2", "correct_count").has(true, "teams", 0, "questions", "2", "completed").
		has(0, "teams", 1, "questions", "3", "attempts")
	s.Verify(t)
}

func TestDecay(t *testing.T) {
	s := newSite(t, preset("aic-decay"), func(o *contest.Open) {
		o.Questions = []retrieval.Question{{ID: "1", Type: retrieval.TR, Video: "V017", Events: []retrieval.Event{{Start: 4945, End: 5010}, {Start: 5001, End: 5020}}}}
	})
	one := s.team("one")
	s.start("1", time.Second)
	s.submit(one, "TR-V017-4999,5001,5050").want(200).has(84.5, "score")
	s.call(http.MethodPost, "/submit", `{"text": "TR-V017-4999"}`, bearer(one)).want(200).has(39.25, "score")
	s.get("/teams/me", bearer(one)).want(200).has(84.5, "total_score").has(1, "rank").
		has(2, "questions", 0, "result", "attempts").has(39.25, "questions", 0, "attempts", 1, "announced", "score")
}

func TestWrongPartsLookAlike(t *testing.T) {
	s := newSite(t)
	var replies []string
	s.start("3", 10*time.Second)
	for i, text := range []string{
		"QA-WRONG-SCENEMARK3_VIDEOMARK3-71305000", "QA-ANSWERMARK-SCENEMARK3_VIDEOMARK1-71305000",
		"QA-ANSWERMARK-SCENEMARK1_VIDEOMARK3-71305000", "QA-ANSWERMARK-OTHER_UNKNOWN-71305000",
	} {
		replies = append(replies, s.submit(s.team(name("team", i)), text).want(200).has("incorrect", "correctness").Body)
	}
	for _, other := range replies[1:] {
		if other != replies[0] {
			t.Errorf("%s\n%s", replies[0], other)
		}
	}
}

func TestVerdictFeedback(t *testing.T) {
	s := newSite(t, func(o *contest.Open) { o.Rules.Feedback = retrieval.FeedbackVerdict })
	one := s.team("one")
	s.start("1", time.Second)
	wrong := s.submit(one, "TR-SCENEMARK1_VIDEOMARK1-1,2").want(200)
	wrong.has(nil, "detail", "matched_events").has(nil, "detail", "total_events").has(nil, "detail", "percentage")
	s.submit(one, right).want(200).has(4, "detail", "total_events")
}

func TestRefusals(t *testing.T) {
	s := newSite(t)
	one := s.team("one")
	s.submit(one, right).refused(409, "no_active_question")
	s.start("1", 310*time.Second)
	s.submit(one, right).want(200).has(50, "score").has(0, "detail", "remaining_time")
	s.submit(one, right).refused(409, "already_completed").has(50, "score").has("2026-01-17T12:05:10Z", "completed_at")
	s.Clock.Advance(time.Millisecond)
	two := s.team("two")
	s.submit(two, right).refused(409, "time_limit_exceeded").has(310.001, "elapsed_time").has(300, "time_limit").has(10, "buffer_time")
	s.submit("nobody's", right).refused(401, "unknown_team")
	s.call(http.MethodPost, "/submit", map[string]any{"text": right}).refused(401, "unknown_team")
	if got := s.submit(one, right, bearer(two)).refused(400, "malformed").Body; strings.Contains(got, two) {
		t.Error("the refusal shows a token")
	}
	s.call(http.MethodPost, "/submit", map[string]any{"session": two, "text": right}, bearer(two)).refused(409, "time_limit_exceeded")

	id := s.get("/teams/me", bearer(two)).text("team_id")
	s.admin(http.MethodPost, "/admin/teams/"+id+"/ban", map[string]any{"reason": "two accounts"}).want(200)
	s.submit(two, right).refused(403, "banned")
}

func TestConcurrentSubmissions(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for range 2 {
		all.Go(func() {
			r := s.submit(one, right)
			mu.Lock()
			defer mu.Unlock()
			codes[r.Status]++
		})
	}
	for range 200 {
		all.Go(func() {
			if r := s.submit(two, "TR-SCENEMARK1_VIDEOMARK1-1"); r.Status != 200 {
				t.Error(r.Body)
			}
		})
	}
	all.Wait()
	if codes[200] != 1 || codes[409] != 1 {
		t.Errorf("two right ones: %v", codes)
	}
	s.get("/teams/me", bearer(one)).has(97.5, "total_score").has(1, "questions", 0, "result", "attempts")
	s.get("/teams/me", bearer(two)).has(200, "questions", 0, "result", "wrong_count")
	s.Verify(t)
}

func TestIdempotencyKey(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	key := header{"Idempotency-Key", "a-key"}
	first := s.submit(one, right, key).want(200)
	s.admin(http.MethodPost, "/admin/stop-question", nil).want(200)
	s.Clock.Advance(time.Hour)
	again := s.submit(one, right, key).want(200)
	if first.Body != again.Body || first.Header.Get("Scorebook-Receipt") != again.Header.Get("Scorebook-Receipt") || again.Header.Get("Scorebook-Repeated") != "true" {
		t.Errorf("%s %v\n%s %v", first.Body, first.Header, again.Body, again.Header)
	}
	s.submit(one, "TR-SCENEMARK1_VIDEOMARK1-1", key).refused(409, "idempotency_key_used")
	s.submit(two, right, key).refused(409, "no_active_question") // another team's key is another key
	for _, bad := range []string{strings.Repeat("k", 201), "with blank", "tab\there", "é"} {
		s.submit(one, right, header{"Idempotency-Key", bad}).refused(400, "malformed")
	}
	s.get("/teams/me", bearer(one)).has(1, "questions", 0, "result", "attempts")
}

func TestReceipts(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	posted := s.submit(one, right).want(200)
	receipt := posted.Header.Get("Scorebook-Receipt")
	if seq := posted.Header.Get("Scorebook-Seq"); seq == "" || !strings.HasPrefix(receipt, seq+"-") {
		t.Errorf("receipt %q, seq %q", receipt, seq)
	}
	path := "/submissions/" + receipt
	mine := s.get(path, bearer(one)).want(200).has(97.5, "announced", "score").has(nil, "explanation").has(nil, "now").has(false, "revealed")
	if leaked(mine.Body) != "" {
		t.Errorf("it shows ground truth: %s", mine.Body)
	}
	s.get(path).refused(401, "unknown_team")
	s.get(path, bearer(two)).refused(404, "unknown_submission")
	s.get(path, bearer(adminToken)).want(200).has(97.5, "announced", "score")
	for _, other := range []string{receipt[:len(receipt)-1] + "x", receipt[:3], "0-00", "1-" + strings.Repeat("0", 64), "x", "99999999999999999999-0"} {
		s.get("/submissions/"+other, bearer(one)).refused(404, "unknown_submission")
	}
	s.admin(http.MethodPost, "/admin/reveal", map[string]any{"question_id": "1"}).refused(409, "question_running")
	s.admin(http.MethodPost, "/admin/stop-question", nil).want(200)
	s.get(path, bearer(one)).want(200).has(nil, "explanation")
	s.admin(http.MethodPost, "/admin/reveal", map[string]any{"question_id": 1}).want(200).has("revealed", "question", "status")
	s.get(path, bearer(one)).want(200).has(97.5, "explanation", "score").has("VIDEOMARK1", "explanation", "question", "video_id").has(97.5, "now", "score")
	s.get("/question/1/status").want(200).has("SCENEMARK1", "ground_truth", "scene_id")
}

// A token is not recorded, wherever it stands in the body.
func TestTokensAreNotRecorded(t *testing.T) {
	s := newSite(t)
	token := s.team("one")
	s.start("2", time.Second)
	escaped := fmt.Sprintf(`\u%04x`, token[0]) + token[1:]
	for _, body := range []string{
		`{"teamSessionId": "` + token + `", "answerSets": [{"answers": [{"mediaItemName": "X", "start": 1}]}]}`,
		`{"answerSets": [{"answers": [{"mediaItemName": "X", "start": 1}]}], "team_session_id" :"` + token + `"}`,
		`{"session":"` + escaped + `","answerSets": [{"answers": [{"mediaItemName": "X", "start": 1}]}]}`,
	} {
		s.call(http.MethodPost, "/submit", body).want(200)
	}
	page := s.admin(http.MethodGet, "/admin/submissions", nil).want(200)
	if strings.Contains(page.Body, token) || strings.Contains(page.Body, token[1:]) || strings.Contains(s.log.text(), token[1:]) {
		t.Errorf("the token is recorded: %s", page.Body)
	}
	page.has(`{"teamSessionId": "-", "answerSets": [{"answers": [{"mediaItemName": "X", "start": 1}]}]}`, "submissions", 0, "body")
}

func TestJournalFailure(t *testing.T) {
	s := newSite(t)
	one := s.team("one")
	s.start("1", 15*time.Second)
	s.get("/readyz").want(200)
	s.Failing.Store(true)
	if r := s.submit(one, right, header{"Idempotency-Key", "k"}).refused(503, "unavailable"); r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.get("/readyz").refused(503, "unavailable")
	s.get("/healthz").want(200)
	s.get("/leaderboard").want(200)
	s.Failing.Store(false)
	s.submit(one, right, header{"Idempotency-Key", "k"}).want(200).has(97.5, "score")
	s.get("/readyz").want(200)
	s.Close()
	s.get("/readyz").refused(503, "unavailable")
	s.submit(one, right).refused(503, "unavailable")
}

func TestRateLimits(t *testing.T) {
	s := newSite(t, registration(contest.AlwaysRegistration), func(o *contest.Open) { o.Settings.RateBurst = 3 })
	one, two := s.team("one"), s.team("two")
	s.start("1", 15*time.Second)
	for range 3 {
		s.submit(one, "TR-X-1").want(200)
	}
	if r := s.submit(one, right).refused(429, "rate_limited"); r.Header.Get("Retry-After") != "1" {
		t.Error("no Retry-After")
	}
	s.submit(two, right).want(200)
	s.Clock.Advance(time.Second)
	s.submit(one, right).want(200)

	limited := 0
	for i := range 250 {
		if s.call(http.MethodPost, "/teams/register", map[string]any{"team_name": name("many", i)}).Status == 429 {
			limited++
		}
	}
	if limited != 50 {
		t.Errorf("%d registrations were held back", limited)
	}
	s.team("the organiser's")
}

// What is recorded of a body is read as the body was, but for the token.
func TestWithoutToken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := map[string]any{
			"answerSets": []any{map[string]any{"answers": []any{map[string]any{"text": rapid.String().Draw(t, "text")}}}},
			rapid.StringMatching(`x[a-z"\\\\ ]*`).Draw(t, "name"): rapid.String().Draw(t, "more"),
		}
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"teamSessionId", "team_session_id", "session"}), rapid.ID[string]).Draw(t, "names") {
			members[name] = "the token"
		}
		indent := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "indent")
		raw, err := json.MarshalIndent(members, "", indent)
		if err != nil {
			t.Fatal(err)
		}
		kept := intake.WithoutToken(raw)
		before, err := retrieval.ParseBody(raw)
		if err != nil {
			t.Fatal(err)
		}
		after, err := retrieval.ParseBody([]byte(kept))
		if err != nil {
			t.Fatalf("%v: %s", err, kept)
		}
		if before.Token != "" {
			before.Token = "-"
		}
		if !reflect.DeepEqual(before, after) || strings.Contains(kept, "the token") {
			t.Fatalf("%s became %s", raw, kept)
		}
		if again := intake.WithoutToken([]byte(kept)); again != kept {
			t.Fatalf("%s became %s", kept, again)
		}
	})
}
