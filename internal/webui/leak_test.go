package webui_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// patterns returns every route of the pages, as webui.go registers them.
func patterns(t *testing.T, method string) (all []string) {
	t.Helper()
	source, err := os.ReadFile("webui.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"(GET|POST) (/[^"]*)"`).FindAllStringSubmatch(string(source), -1) {
		if m[1] == method && !strings.HasSuffix(m[2], "/events") && !strings.Contains(m[2], "static") {
			all = append(all, strings.TrimSuffix(m[2], "{$}"))
		}
	}
	if len(all) < 5 {
		t.Fatalf("found the routes %q", all)
	}
	return all
}

// Nothing that a participant can see holds ground truth before the reveal.
func TestPagesLeakNothing(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	look := func(when string) {
		t.Helper()
		for _, path := range patterns(t, http.MethodGet) {
			for name, v := range map[string]*visitor{"nobody": s.visitor(), "one": s.member("one"), "two": s.member("two")} {
				for _, query := range []string{"", "?q=1&why=8", "?lang=vi&theme=light"} {
					p := v.get(path + query)
					if found := leaked(p.text + p.Header().Get("Location")); found != "" {
						t.Errorf("%s: %s sees %s in %s%s", when, name, found, path, query)
					}
				}
			}
		}
	}
	look("before")
	for _, question := range []string{"1", "2", "3"} {
		s.Must(t, contest.Start{Question: questions[question[0]-'1'].ID})
		s.Clock.Advance(10 * time.Second)
		s.answer("one", "elsewhere", "x", 1, 2)
		s.answer("two", "SOMETHING", "y", 5)
		look("while " + question + " runs")
	}
	var last contest.Seq
	s.Read(func(state *contest.State) { last = state.Attempts()[0].Seq })
	s.Must(t, contest.Override{Submission: last, Verdict: contest.VerdictFull, Reason: "it was VIDEOMARK1 all the same"})
	look("after an override")
	s.Must(t, contest.Stop{})
	s.Clock.Advance(time.Minute)
	look("after the stop")
	s.Must(t, contest.Freeze{})
	look("frozen")
	if found := leaked(s.log.String()); found != "" {
		t.Errorf("the log holds %s", found)
	}

	s.Must(t, contest.Reveal{Question: "1"})
	if p := s.member("one").get("/desk"); !strings.Contains(p.text, "VIDEOMARK1") || strings.Contains(p.text, "VIDEOMARK2") {
		t.Error("a team does not see what was revealed, or more than that")
	}
	if p := s.organiser().get("/admin-dashboard?q=2"); !strings.Contains(p.text, "VIDEOMARK2") {
		t.Error("the organiser does not see the ground truth")
	}
}

// What the control room shows and does is the organiser's alone.
// While the board is frozen, nothing that everybody may see changes with what
// teams and jury do, but for the number of the contest's last event.
func TestFrozenPagesStandStill(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	s.Must(t, contest.Start{Question: "1"})
	s.answer("two", "elsewhere", "", 1)
	s.Must(t, contest.Start{Question: "3"})
	s.answer("two", "elsewhere", "", 1)
	s.Must(t, contest.Freeze{})
	number := regexp.MustCompile(`data-seq="\d+"`)
	look := func() map[string]string {
		seen := map[string]string{}
		for _, path := range patterns(t, http.MethodGet) {
			if !strings.Contains(path, "events") {
				seen[path] = number.ReplaceAllString(s.visitor().get(path).text, "")
			}
		}
		return seen
	}
	before := look()
	var first contest.Seq
	s.Read(func(state *contest.State) { first = state.Attempts()[0].Seq })
	s.answer("one", "VIDEOMARK3", "", 71304945, 71305015)
	s.answer("two", "VIDEOMARK3", "", 71304945)
	s.Must(t, contest.Override{Submission: first, Verdict: contest.VerdictFull, Reason: "r"})
	s.Must(t, contest.Override{Submission: first, Verdict: contest.VerdictVoid, Reason: "r"})
	rules, _ := retrieval.Preset("aic-decay")
	s.Must(t, contest.ReplaceRules{Rules: rules, Reason: "r"})
	s.Must(t, contest.ReplaceRules{Rules: mustPreset(retrieval.DefaultPreset), Reason: "r"})
	s.Must(t, contest.RotateToken{Team: "one", TokenHash: service.HashToken("other")})
	for path, text := range look() {
		if text != before[path] {
			t.Errorf("%s was\n%s\nand is\n%s", path, before[path], text)
		}
	}
}

func mustPreset(name string) retrieval.Ruleset {
	rules, _ := retrieval.Preset(name)
	return rules
}

func TestControlRoomIsTheOrganisers(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	before := s.Durable()
	ours := func(path string) bool {
		return strings.HasPrefix(path, "/admin-dashboard") && !slices.Contains([]string{"/admin-dashboard/sign-in", "/admin-dashboard/sign-out"}, path)
	}
	n := 0
	forged := s.visitor()
	forged.cookies["scorebook-admin"] = &http.Cookie{Name: "scorebook-admin", Value: "99999999999-00"}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, path := range patterns(t, method) {
			if !ours(path) {
				continue
			}
			n++
			for name, v := range map[string]*visitor{"nobody": s.visitor(), "a team": s.member("one"), "a forger": forged} {
				p := v.get(path)
				if method == http.MethodPost {
					p = v.post(path, "do", "start", "question", "1", "name", "x", "team", "one", "confirm", "The Contest")
					if p.Code != http.StatusUnauthorized {
						t.Errorf("POST %s for %s: %d", path, name, p.Code)
					}
				}
				if !strings.Contains(p.text, `action="/admin-dashboard/sign-in"`) || strings.Contains(p.text, "KIS") {
					t.Errorf("%s %s for %s: %s", method, path, name, p.text)
				}
			}
		}
	}
	if n < 7 || s.Durable() != before {
		t.Errorf("%d routes, %d events", n, s.Durable()-before)
	}
}

// A form that another site sends does nothing, whoever is signed in.
func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	before := s.Durable()
	for _, v := range []*visitor{s.organiser(), s.member("one"), s.visitor()} {
		v.headers["Sec-Fetch-Site"] = "cross-site"
		for _, path := range patterns(t, http.MethodPost) {
			if p := v.post(path, "do", "start", "question", "1", "token", adminToken); p.Code != http.StatusForbidden || len(p.Result().Cookies()) > 0 {
				t.Errorf("%s: %d %v", path, p.Code, p.Result().Cookies())
			}
		}
	}
	if s.Durable() != before {
		t.Error("something happened")
	}
}

// Every page forbids scripts and styles that stand in it, and has none.
func TestPagesHaveAStrictPolicy(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.Must(t, contest.Start{Question: "1"})
	s.answer("one", "x", "", 71304900)
	organiser := s.organiser()
	organiser.cookies["scorebook-team"] = s.member("one").cookies["scorebook-team"]
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>\s*[^<\s]|<style|\sstyle=|\son\w+=|javascript:`)
	for _, path := range append(patterns(t, http.MethodGet), "/admin-dashboard?why=4&if_penalty=3") {
		p := organiser.get(path)
		policy := p.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self';") || strings.Contains(policy, "unsafe") && path != "" {
			if path != "/favicon.svg" && path != "/favicon.ico" {
				t.Errorf("%s: found the policy %q", path, policy)
			}
		}
		if found := inline.FindString(p.text); found != "" {
			t.Errorf("%s holds %q", path, found)
		}
		if strings.Contains(p.text, "http://") && !strings.Contains(path, "desk") && path != "/" && !strings.Contains(path, "teams") && !strings.Contains(path, "favicon") {
			t.Errorf("%s refers to another place", path)
		}
	}
}
