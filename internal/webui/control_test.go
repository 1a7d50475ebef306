package webui_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

func (s *site) round(id retrieval.QuestionID) (r contest.Round) {
	s.Read(func(state *contest.State) { r = state.Round(id) })
	return r
}

// orders are sent one after the other; each is held against what it makes
// happen.
func TestOrders(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	v := s.organiser()
	const confirm = "The   Contest " // blanks do not count
	done := func(fields ...string) {
		t.Helper()
		before := s.Durable()
		if p := v.order(fields...); p.Code != http.StatusSeeOther || s.Durable() == before {
			t.Fatalf("%q: %d %s", fields, p.Code, alert(p.text))
		}
	}
	refused := func(status int, want string, fields ...string) {
		t.Helper()
		before := s.Durable()
		p := v.order(fields...)
		if p.Code != status || s.Durable() != before || !strings.Contains(alert(p.text), want) {
			t.Errorf("%q: found %d %q, expected %d and %q", fields, p.Code, alert(p.text), status, want)
		}
	}
	refused(http.StatusBadRequest, "number of seconds", "do", "start", "question", "1", "time_limit", "soon")
	refused(http.StatusConflict, "no such question", "do", "start", "question", "9")
	done("do", "start", "question", "1", "time_limit", "120", "buffer", "3.5")
	if r := s.round("1"); r.Limit != 120*time.Second || r.Buffer != 3500*time.Millisecond {
		t.Errorf("found %+v", r)
	}
	done("do", "extend", "question", "1", "seconds", "30")
	refused(http.StatusBadRequest, "number of seconds", "do", "extend", "question", "1", "seconds", "NaN")
	refused(http.StatusConflict, "stop it first", "do", "reveal", "question", "1")
	s.Clock.Advance(time.Second)
	s.answer("one", "elsewhere", "", 1)
	done("do", "stop", "question", "1")
	if r := s.round("1"); r.Limit != 150*time.Second || r.Ended.IsZero() {
		t.Errorf("found %+v", r)
	}
	refused(http.StatusConflict, "started before", "do", "start", "question", "1")
	refused(http.StatusBadRequest, "The Contest", "do", "start", "question", "1", "restart", "1", "confirm", "the contest")
	refused(http.StatusBadRequest, "The Contest", "do", "void", "question", "1")
	done("do", "void", "question", "1", "reason", "a broken clip", "confirm", confirm)
	done("do", "unvoid", "question", "1")
	done("do", "freeze")
	done("do", "unveil")
	done("do", "freeze")
	done("do", "thaw")
	refused(http.StatusConflict, "not frozen", "do", "unveil")
	done("do", "reveal", "question", "1")

	var seq contest.Seq
	s.Read(func(state *contest.State) { seq = state.Attempts()[0].Seq })
	attempt := number(seq)
	refused(http.StatusConflict, "reason", "do", "override", "submission", attempt, "verdict", "full")
	refused(http.StatusBadRequest, "no submission", "do", "override", "submission", "x", "verdict", "full", "reason", "r")
	refused(http.StatusBadRequest, "too long", "do", "override", "submission", attempt, "verdict", "full", "reason", strings.Repeat("ộ", 501))
	done("do", "override", "submission", attempt, "verdict", "full", "reason", "the clip shows it too")

	done("do", "registration", "mode", "code", "code", "owl")
	s.Read(func(state *contest.State) {
		if set := state.Settings(); set.Registration != contest.CodeRegistration || set.CodeHash != service.HashToken("owl") {
			t.Errorf("found %+v", set)
		}
	})
	refused(http.StatusConflict, "found no code", "do", "registration", "mode", "code")
	refused(http.StatusBadRequest, "dance", "do", "dance")
	refused(http.StatusBadRequest, "The Contest", "do", "reset")
	done("do", "start", "question", "1", "restart", "1", "confirm", confirm)
	done("do", "reset", "teams", "1", "confirm", confirm)
	s.Read(func(state *contest.State) {
		if len(state.Teams()) > 0 || state.ActiveQuestion() != "" {
			t.Error("the reset left something")
		}
	})
	s.Verify(t)
	if text := v.get("/admin-dashboard/activity").text; !strings.Contains(text, "a broken clip") || !strings.Contains(text, "Q1 was started (round 2") || strings.Contains(text, "activity.") {
		t.Errorf("the activity is %s", text)
	}
}

func number(seq contest.Seq) string { return strconv.FormatUint(uint64(seq), 10) }

var alerts = regexp.MustCompile(`(?s)role="alert">(.*?)</`)

// alert returns what a page says that went wrong.
func alert(text string) string {
	if m := alerts.FindStringSubmatch(text); m != nil {
		return strings.ReplaceAll(strings.ReplaceAll(m[1], "&#34;", `"`), "&#39;", "'")
	}
	return ""
}

func TestWhatIfShowsAndAppliesOnlyWhenTold(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	s.Must(t, contest.Start{Question: "1"})
	s.Clock.Advance(time.Second)
	s.answer("one", "VIDEOMARK1", "", 1)
	s.answer("one", "VIDEOMARK1", "", 71304945)
	s.answer("two", "VIDEOMARK1", "", 71304945)
	v := s.organiser()
	before := s.Durable()
	if p := v.get("/admin-dashboard"); strings.Contains(p.text, "would change") {
		t.Error("the rules in force are shown as a change")
	}
	p := v.get("/admin-dashboard?if_penalty=0")
	if !strings.Contains(p.text, "2 of 2 ranks and 1 totals would change") && !strings.Contains(p.text, "1 of 2 ranks and 1 totals would change") || !strings.Contains(p.text, "&#43;10.0") {
		t.Errorf("found %s", p.text)
	}
	for _, wrong := range []string{"if_penalty=x", "if_penalty=-1", "if_penalty=NaN", "if_penalty=1e300", "if_base=150&if_max=100", "if_over=none"} {
		if p := v.get("/admin-dashboard?" + wrong); p.Code != http.StatusOK || alert(p.text) == "" {
			t.Errorf("%s: found %d and %q", wrong, p.Code, alert(p.text))
		}
	}
	v.order("do", "rules", "if_penalty", "0", "confirm", "The Contest")
	v.order("do", "rules", "if_penalty", "0", "reason", "agreed")
	v.order("do", "rules", "if_penalty", "10", "reason", "agreed", "confirm", "The Contest")
	if s.Durable() != before {
		t.Fatal("something was applied without a reason, a confirmation or a change")
	}
	if p := v.order("do", "rules", "if_penalty", "0", "reason", "agreed", "confirm", "The Contest"); p.Code != http.StatusSeeOther {
		t.Fatalf("found %d %s", p.Code, alert(p.text))
	}
	s.Read(func(state *contest.State) {
		if rules := state.Rules(); rules.PPenalty != 0 || rules.Tolerance.KIS != 2500 {
			t.Errorf("found %+v", rules)
		}
	})
}

func TestWhyShowsPictureAndArithmetic(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	for i, q := range questions {
		s.Must(t, contest.Start{Question: q.ID})
		s.Clock.Advance(time.Second)
		s.answer("one", q.Video, "ANSWERMARK", 71304945, 71305015, 5)
		var last *contest.Attempt
		s.Read(func(state *contest.State) { last = state.Attempts()[len(state.Attempts())-1] })
		text := s.organiser().get("/admin-dashboard?why=" + number(last.Seq)).text
		if n := strings.Count(text, `<svg class="picture"`); n != len(q.Events) {
			t.Errorf("question %d: %d pictures", i+1, n)
		}
		for _, want := range []string{`<ol class="steps"><li>`, "sent&#34;: &#34;as it was", q.Video, `class="event met"`} {
			if !strings.Contains(text, want) {
				t.Errorf("question %d: %q is missing", i+1, want)
			}
		}
	}
	if p := s.organiser().get("/admin-dashboard?why=1"); !strings.Contains(p.text, "Choose an attempt") {
		t.Error("an event that is no attempt is explained")
	}
}

var token = regexp.MustCompile(`<code>([0-9a-f]{32})</code>`)

func TestTeamsAndTheirTokens(t *testing.T) {
	s := newSite(t)
	v := s.organiser()
	given := func(p page) []string {
		t.Helper()
		if p.Code != http.StatusOK || p.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("found %d, %q", p.Code, p.Header().Get("Cache-Control"))
		}
		var tokens []string
		for _, m := range token.FindAllStringSubmatch(p.text, -1) {
			tokens = append(tokens, m[1])
		}
		return tokens
	}
	first := given(v.post("/admin-dashboard/teams", "do", "add", "name", "Đội <Một>"))
	if team, ok := s.TeamByToken(first[0]); !ok || team.Name != "Đội <Một>" {
		t.Errorf("found %+v", team)
	}
	if p := v.post("/admin-dashboard/teams", "do", "add", "name", "ĐỘI <MỘT>"); p.Code != http.StatusConflict || !strings.Contains(alert(p.text), "has this name") {
		t.Errorf("found %d %q", p.Code, alert(p.text))
	}
	team, _ := s.TeamByToken(first[0])
	second := given(v.post("/admin-dashboard/teams", "do", "rotate", "team", string(team.ID)))
	if _, ok := s.TeamByToken(first[0]); ok {
		t.Error("the old token is still worth something")
	}
	v.post("/admin-dashboard/teams", "do", "rename", "team", string(team.ID), "name", "Renamed")
	v.post("/admin-dashboard/teams", "do", "ban", "team", string(team.ID), "reason", "r")
	if team, _ := s.TeamByToken(second[0]); team.Name != "Renamed" || !team.Banned {
		t.Errorf("found %+v", team)
	}
	s.team("two", "Two")
	if p := v.post("/admin-dashboard/teams", "do", "slips"); p.Code != http.StatusBadRequest {
		t.Errorf("slips without a confirmation: %d", p.Code)
	}
	slips := given(v.post("/admin-dashboard/teams", "do", "slips", "confirm", "The Contest"))
	if len(slips) != 1 {
		t.Fatalf("found %d slips, expected one: the other team is banned", len(slips))
	}
	if team, ok := s.TeamByToken(slips[0]); !ok || team.ID != "two" {
		t.Errorf("found %+v", team)
	}
	if p := v.get("/admin-dashboard/teams"); token.MatchString(p.text) {
		t.Error("a token is shown twice")
	}
	if p := v.get("/admin-dashboard/teams"); strings.Contains(p.text, "only this machine reaches") {
		t.Error("slips would say an address that others reach, and the page warns")
	}
	if p := v.get("http://localhost:8000/admin-dashboard/teams"); !strings.Contains(p.text, "http://localhost:8000, which only this machine reaches") {
		t.Error("slips would say an address that nobody else reaches, and the page does not warn")
	}
	// When the disk fills up on the way, the new tokens are shown nevertheless:
	// those teams have no other.
	s.team("three", "Three")
	s.Failing.Store(true)
	s.Spare.Store(1)
	p := v.post("/admin-dashboard/teams", "do", "slips", "confirm", "The Contest")
	some := token.FindAllStringSubmatch(p.text, -1)
	if p.Code != http.StatusServiceUnavailable || len(some) != 1 || !strings.Contains(alert(p.text), "old ones are void") {
		t.Fatalf("found %d, %d slips, %q", p.Code, len(some), alert(p.text))
	}
	if team, ok := s.TeamByToken(some[0][1]); !ok || team.ID != "two" {
		t.Errorf("found %+v", team)
	}
	s.Failing.Store(false)
	if p := v.post("/admin-dashboard/teams", "do", "ban", "team", "two", "reason", strings.Repeat("r", 501)); p.Code != http.StatusBadRequest || !strings.Contains(alert(p.text), "too long") {
		t.Errorf("found %d %q", p.Code, alert(p.text))
	}
	for _, secret := range []string{first[0], second[0], slips[0], adminToken} {
		if strings.Contains(s.log.String(), secret) {
			t.Error("a token is in the log")
		}
	}
}

func TestSigningInAndOut(t *testing.T) {
	s := newSite(t)
	v := s.visitor()
	for i := range 12 {
		p := v.post("/admin-dashboard/sign-in", "token", "wrong")
		want := http.StatusUnauthorized
		if i >= 10 {
			want = http.StatusTooManyRequests
		}
		if p.Code != want || len(p.Result().Cookies()) > 0 {
			t.Errorf("try %d: %d", i+1, p.Code)
		}
	}
	// A hall behind one address does not keep the organiser out.
	for back, want := range map[string]string{
		"": "/admin-dashboard", "/admin-dashboard?q=2": "/admin-dashboard?q=2", "/admin-dashboard/teams": "/admin-dashboard/teams",
		"https://elsewhere.example": "/admin-dashboard", "//elsewhere.example": "/admin-dashboard", "/admin-dashboardx": "/admin-dashboard",
		"/desk": "/admin-dashboard", "/admin-dashboard/../desk": "/admin-dashboard", `/admin-dashboard/..\..`: "/admin-dashboard", "/admin-dashboard/%2e%2e/x": "/admin-dashboard",
	} {
		p := v.post("/admin-dashboard/sign-in", "token", adminToken, "back", back)
		if p.Code != http.StatusSeeOther || p.Header().Get("Location") != want {
			t.Errorf("back to %q: %d %q", back, p.Code, p.Header().Get("Location"))
		}
	}
	if p := v.get("/admin-dashboard"); !strings.Contains(p.text, `id="questions"`) {
		t.Error("signed in, and there is no control room")
	}
	v.post("/admin-dashboard/sign-out")
	if p := v.get("/admin-dashboard"); strings.Contains(p.text, `id="questions"`) {
		t.Error("signed out, and there is a control room")
	}
	if p := v.post("/admin-dashboard/sign-in", "token", strings.Repeat("x", 100_000)); p.Code != http.StatusBadRequest {
		t.Errorf("a form of 100,000 bytes: %d", p.Code)
	}
}
