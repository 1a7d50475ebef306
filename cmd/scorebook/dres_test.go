package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"scorebook/contest"
	"scorebook/internal/testkit"
)

// A client of DRES that is a page of another origin signs in, finds the running
// task and submits, with fetch and without a Content-Type.
func TestDRESFromAPageElsewhere(t *testing.T) {
	p := playEvening(t, 10, 3, 10*time.Second)
	server := p.serve(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>a client</title><link rel="icon" href="data:,">`))
	}))
	defer elsewhere.Close()
	v := newVisitor(t)
	v.Do(chromedp.Navigate(elsewhere.URL))
	team := p.lateTeam(t, server, 0)
	account, err := json.Marshal(map[string]string{"username": nameOf(t, server, team), "password": "token of " + string(team)})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(rightAnswer(&p.questions[p.running]))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Eval[bool](v.Browser, fmt.Sprintf(`(async () => {
		const base = %q + "/api/v2";
		const json = async (path, body) => (await fetch(base + path, body && { method: "POST", body })).json();
		const { sessionId } = await json("/login", %q);
		const [evaluation] = await json("/client/evaluation/list?session=" + sessionId);
		const task = await json("/client/evaluation/currentTask/" + evaluation.id + "?session=" + sessionId);
		const verdict = await json("/submit/" + evaluation.id + "?session=" + sessionId, %q);
		window.came = task.name + " " + verdict.submission;
	})().catch((error) => { window.came = String(error); }) && true`, server.base, account, answer))
	v.Until(`window.came`)
	if came := testkit.Eval[string](v.Browser, "window.came"); came != string(p.questions[p.running].ID)+" CORRECT" {
		t.Errorf("found %q", came)
	}
}

// The same answer through both interfaces is the same attempt: score, verdict and
// what is recorded of it.
func TestDRESJudgesAsTheNativeInterface(t *testing.T) {
	p := playEvening(t, 10, 3, 10*time.Second)
	server := p.serve(t)
	one, two := p.lateTeam(t, server, 0), contest.TeamID("")
	for i, id := range p.teams {
		if id == one {
			two = p.lateTeam(t, server, i+1)
		}
	}
	evaluation := must(t, http.MethodGet, server.base+"/config", "", nil)["contest_id"]
	body := rightAnswer(&p.questions[p.running])
	native := must(t, http.MethodPost, server.base+"/submit", "token of "+string(one), body)
	dres := must(t, http.MethodPost, fmt.Sprintf("%s/api/v2/submit/%s", server.base, evaluation), "token of "+string(two), body)
	if native["correctness"] != "full" || dres["submission"] != "CORRECT" {
		t.Errorf("found %v and %v", native, dres)
	}
	all := must(t, http.MethodGet, server.base+"/admin/submissions?limit=500&question="+string(p.questions[p.running].ID), testAdminToken, nil)["submissions"].([]any)
	first, second := all[len(all)-2].(map[string]any), all[len(all)-1].(map[string]any)
	for _, same := range []string{"answer", "body"} {
		if fmt.Sprint(first[same]) != fmt.Sprint(second[same]) {
			t.Errorf("%s: %v and %v", same, first[same], second[same])
		}
	}
}

func nameOf(t *testing.T, server *process, team contest.TeamID) string {
	t.Helper()
	for _, row := range must(t, http.MethodGet, server.base+"/api/leaderboard-data", "", nil)["teams"].([]any) {
		if row := row.(map[string]any); row["team_id"] == string(team) {
			return row["team_name"].(string)
		}
	}
	t.Fatalf("there is no team %s", team)
	return ""
}

// A client in Python with the library requests plays, with nothing but the cookie
// that it got, and with nothing but the session in the query.
func TestDRESFromPython(t *testing.T) {
	if err := exec.CommandContext(t.Context(), "python3", "-c", "import requests").Run(); err != nil {
		if testkit.Require("python") {
			t.Fatalf("python3 with requests was not found, and SCOREBOOK_REQUIRE names it: %v", err)
		}
		t.Skip("SKIPPED: install python3-requests to run this test")
	}
	p := playEvening(t, 10, 3, 10*time.Second)
	server := p.serve(t)
	wrong := `{"answerSets": [{"answers": [{"mediaItemName": "L99_V999", "start": 1, "end": 2}]}]}`
	right, err := json.Marshal(rightAnswer(&p.questions[p.running]))
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, how := range []string{"cookie", "query"} {
		team := p.lateTeam(t, server, from)
		from = slices.Index(p.teams, team) + 1
		out, err := exec.CommandContext(t.Context(), "python3", "testdata/dres/client.py", server.base, nameOf(t, server, team), "token of "+string(team), wrong, string(right), how).CombinedOutput()
		if want := "KIS RUNNING\n200 WRONG\n200 CORRECT\n412 False\nTrue\n401\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v, found\n%s\nexpected\n%s", how, err, out, want)
		}
	}
}
