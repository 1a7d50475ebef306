package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"scorebook/contest"
	"scorebook/internal/testkit"
)

// A client of DRES that is a page of another origin plays a whole contest, with
// fetch and without a Content-Type.
func TestDRESFromAPageElsewhere(t *testing.T) {
	v := newVisitor(t)
	g := newGame(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>a client</title><link rel="icon" href="data:,">`))
	}))
	defer elsewhere.Close()
	v.Do(chromedp.Navigate(elsewhere.URL))
	testkit.Eval[bool](v.Browser, fmt.Sprintf(`(async () => {
		const base = %q + "/api/v2", answers = JSON.parse(%q);
		const json = async (path, body) => (await fetch(base + path, body && { method: "POST", body })).json();
		const { sessionId } = await json("/login", %q);
		const [evaluation] = await json("/client/evaluation/list?session=" + sessionId);
		const came = [];
		while (came.length < Object.keys(answers).length) {
			const task = await json("/client/evaluation/currentTask/" + evaluation.id + "?session=" + sessionId);
			const [state] = await json("/evaluation/state/list");
			if (state.taskStatus !== "RUNNING" || came.some((c) => c.startsWith(task.name + " "))) {
				await new Promise((done) => setTimeout(done, 20));
				continue;
			}
			const verdicts = [];
			for (const body of answers[task.name]) verdicts.push((await json("/submit/" + evaluation.id + "?session=" + sessionId, body)).submission);
			came.push(task.name + " " + verdicts.join(" "));
		}
		window.came = came.sort().join("\n");
	})().catch((error) => { window.came = String(error); }) && true`, g.server.base, asText(gameAnswers), g.account()))
	v.Until(`window.came`)
	if came := testkit.Eval[string](v.Browser, "window.came"); came != "item WRONG CORRECT\nkis WRONG CORRECT\nqa WRONG CORRECT\ntrake WRONG CORRECT" {
		t.Errorf("found %q", came)
	}
	g.over(t)
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

// A client in Python with the library requests plays a whole contest, with nothing
// but the cookie that it got, and with nothing but the session in the query.
func TestDRESFromPython(t *testing.T) {
	if err := exec.CommandContext(t.Context(), "python3", "-c", "import requests").Run(); err != nil {
		if testkit.Require("python") {
			t.Fatalf("python3 with requests was not found, and SCOREBOOK_REQUIRE names it: %v", err)
		}
		t.Skip("SKIPPED: install python3-requests to run this test")
	}
	for _, how := range []string{"cookie", "query"} {
		g := newGame(t)
		out, err := exec.CommandContext(t.Context(), "python3", "testdata/dres/client.py", g.server.base, gameTeam, gamePassword, asText(gameAnswers), how).CombinedOutput()
		const each = " 200 200 WRONG 200 CORRECT 412 -\n"
		if want := "kis KIS" + each + "item KIS" + each + "qa QA" + each + "trake TRAKE" + each + "True 401\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v, found\n%s\nexpected\n%s", how, err, out, want)
		}
		g.over(t)
	}
}
