package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/internal/store"
	"scorebook/internal/testkit"
	"scorebook/retrieval"
)

// visitor is somebody at a browser. When the test ends, it fails if there was an
// error in the console or a violation of the content security policy.
type visitor struct{ *testkit.Browser }

func newVisitor(t *testing.T) visitor { return visitor{testkit.NewBrowser(t)} }

// signIn signs in as the organiser.
func (v visitor) signIn(server *process) {
	v.Do(chromedp.Navigate(server.base+"/admin-dashboard"), chromedp.WaitVisible("[name=token]"))
	v.press(testAdminToken + kb.Enter)
	v.Until(`document.querySelector("#questions")`)
}

// press presses keys, wherever the focus is.
func (v visitor) press(keys string, options ...chromedp.KeyOption) {
	v.Do(chromedp.KeyEvent(keys, options...))
}

// tabTo presses the tab key until an element has the focus, as somebody without
// a mouse does.
func (v visitor) tabTo(t *testing.T, selector string) {
	t.Helper()
	const most = 120
	for range most {
		if testkit.Eval[bool](v.Browser, fmt.Sprintf("document.activeElement?.matches(%q) ?? false", selector)) {
			return
		}
		v.press(kb.Tab)
	}
	t.Fatalf("the tab key does not lead to %s", selector)
}

// open opens the leaderboard, and returns when it is live.
func (v visitor) open(server *process) {
	v.Do(chromedp.Navigate(server.base + "/leaderboard-ui"))
	v.Until(`document.querySelector("#connection.on")`)
	testkit.Eval[int](v.Browser, "window.loadedOnce = 1") // a reload would lose it
}

// cell is an expression for what the board shows of a team.
func cell(team contest.TeamID, selector string) string {
	return fmt.Sprintf("document.getElementById(%q).querySelector(%q).textContent", team, selector)
}

// scored is a condition: the board shows what a reply announced, with one
// decimal less.
func scored(team contest.TeamID, reply map[string]any) string {
	return fmt.Sprintf("Math.abs(Number(%s) - %v) < 0.06", cell(team, ".cell.live b"), reply["score"])
}

// submitTo sends a right answer of a team to a question.
func submitTo(t *testing.T, server *process, team contest.TeamID, q *retrieval.Question) map[string]any {
	t.Helper()
	return must(t, http.MethodPost, server.base+"/submit", "token of "+string(team), rightAnswer(q))
}

// rightAnswer is the body of a right answer.
func rightAnswer(q *retrieval.Question) map[string]any {
	var values []string
	for _, e := range q.Events {
		values = append(values, fmt.Sprint((e.Start+e.End)/2))
	}
	video := q.Video
	if q.Scene != "" {
		video = q.Scene + "_" + q.Video
	}
	answer := map[string]any{"mediaItemName": video, "start": values[0]}
	switch q.Type {
	case retrieval.QA:
		answer = map[string]any{"text": "QA-" + q.Answers[0] + "-" + video + "-" + strings.Join(values, ",")}
	case retrieval.TR:
		answer = map[string]any{"text": "TR-" + video + "-" + strings.Join(values, ",")}
	}
	return map[string]any{"answerSets": []any{map[string]any{"answers": []any{answer}}}}
}

// lateTeam returns a team that has not completed the running question.
func (p played) lateTeam(t *testing.T, server *process, from int) contest.TeamID {
	t.Helper()
	question := p.questions[p.running].ID
	for i := from; i < len(p.teams); i++ {
		me := must(t, http.MethodGet, server.base+"/teams/me", "token of "+string(p.teams[i]), nil)
		done := false
		for _, q := range me["questions"].([]any) {
			q := q.(map[string]any)
			done = done || q["question_id"] == string(question) && q["result"].(map[string]any)["completed"] == true
		}
		if !done {
			return p.teams[i]
		}
	}
	t.Fatal("every team has completed the running question")
	return ""
}

func TestBoardFollowsASubmission(t *testing.T) {
	p := playEvening(t, 10, 3, 30*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.Size(1280, 720)
	v.open(server)
	team := p.lateTeam(t, server, 0)
	before := testkit.Eval[string](v.Browser, cell(team, ".total"))
	reply := submitTo(t, server, team, &p.questions[p.running])
	took := v.Until(scored(team, reply))
	t.Logf("the board showed it %v after the reply", took)
	if after := testkit.Eval[string](v.Browser, cell(team, ".total")); after == before {
		t.Errorf("the total is still %s", after)
	}
	v.Until(`document.querySelector("#aside .news").innerText.includes("+" + ` + cell(team, ".cell.live b") + `)`)
	// The rows stand as the server's table has them, and nothing was loaded anew.
	board := must(t, http.MethodGet, server.base+"/api/leaderboard-data", "", nil)
	for i, row := range board["teams"].([]any) {
		row := row.(map[string]any)
		v.Until(fmt.Sprintf(`document.querySelectorAll("#rows tr")[%d].id === %q`, i, row["team_id"]))
		if got := testkit.Eval[string](v.Browser, cell(contest.TeamID(row["team_id"].(string)), ".rank b")); got != fmt.Sprint(row["rank"]) {
			t.Errorf("%s: found rank %s, expected %v", row["team_id"], got, row["rank"])
		}
	}
	if testkit.Eval[int](v.Browser, "window.loadedOnce ?? 0") != 1 {
		t.Error("the page was loaded anew")
	}
	v.Until(`!document.querySelector("[data-clock]").textContent.startsWith("0:00")`)
}

func TestBoardFollowsTheQuestions(t *testing.T) {
	p := playEvening(t, 5, 2, 30*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.open(server)
	must(t, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": string(p.questions[2].ID), "time_limit": 77})
	v.Until(`document.querySelector(".question").innerText.startsWith("Question 3 of") && document.querySelectorAll("thead .cell").length === 3`)
	v.Until(`["1:17", "1:16", "1:15", "1:14", "1:13"].includes(document.querySelector("[data-clock]").textContent)`)
	must(t, http.MethodPost, server.base+"/admin/stop-question", testAdminToken, map[string]any{})
	v.Until(`document.querySelector("#clock-label").textContent === "time is over"`)
	if testkit.Eval[int](v.Browser, "window.loadedOnce ?? 0") != 1 {
		t.Error("the page was loaded anew")
	}
}

// A page that saw the server go comes back by itself, and shows what happened in
// between.
func TestBoardReconnects(t *testing.T) {
	p := playEvening(t, 10, 3, 30*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.Allow("net::ERR_") // while there is no server
	v.open(server)
	address := strings.TrimPrefix(server.base, "http://")
	server.kill()
	v.Until(`!document.querySelector("#connection.on")`)
	// Meanwhile a team is registered and another one renamed.
	ctx := context.Background()
	log, err := store.OpenSQLite(ctx, p.db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	svc, err := service.New(ctx, log, contest.Open{}, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []contest.Command{
		contest.Register{ID: "newcomer", Name: "Newcomer", TokenHash: service.HashToken("n"), Organiser: true},
		contest.Rename{Team: p.teams[0], Name: "Renamed"},
	} {
		if _, err := svc.Do(ctx, command, svc.Now()); err != nil {
			t.Fatal(err)
		}
	}
	svc.Close()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	again := begin(t, "serve", "--db", p.db, "--listen", address)
	v.Until(`document.querySelector("#connection.on") && document.getElementById("newcomer")`)
	v.Until(cell(p.teams[0], ".name") + ` === "Renamed"`)
	team := p.lateTeam(t, again, 1)
	reply := submitTo(t, again, team, &p.questions[p.running])
	v.Until(scored(team, reply))
	if testkit.Eval[int](v.Browser, "window.loadedOnce ?? 0") != 1 {
		t.Error("the page was loaded anew")
	}
}

// An operator without a mouse signs in, starts a question, gives more time,
// looks at why an answer earned what it did, stops, and reveals.
func TestOperatorPlaysAQuestionByKeyboard(t *testing.T) {
	p := playEvening(t, 5, 2, 20*time.Second)
	server := p.serve(t)
	must(t, http.MethodPost, server.base+"/admin/stop-question", testAdminToken, map[string]any{})
	v := newVisitor(t)
	v.signIn(server)
	v.tabTo(t, "[name=time_limit]")
	v.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)) // select all
	v.press("123")
	v.tabTo(t, "#do-start")
	v.press(kb.Enter)
	v.Until(`document.querySelector("#now .running h2")?.innerText.startsWith("Q3")`)
	v.Until(`["2:03", "2:02", "2:01", "2:00", "1:59"].includes(document.querySelector("#now .clock").textContent)`)
	if focused := testkit.Eval[string](v.Browser, "document.activeElement.id"); focused != "do-stop" {
		t.Errorf("after the start the focus is on %q, expected the button to stop", focused)
	}
	v.tabTo(t, "#do-extend-60")
	v.press(" ")
	v.Until(`document.querySelector("#now .clock").textContent.startsWith("3:0") || document.querySelector("#now .clock").textContent.startsWith("2:5")`)
	submitTo(t, server, p.teams[0], &p.questions[2])
	v.Until(`document.querySelector("#attempts tbody tr .good")`)
	v.tabTo(t, "#attempts a[id^=why-]")
	v.press(kb.Enter)
	v.Until(`document.querySelector("#why svg.picture") && document.querySelector("#why ol.steps li")`)
	v.tabTo(t, "#do-stop")
	v.press(kb.Enter)
	v.Until(`!document.querySelector("#now .running")`)
	v.Do(chromedp.Navigate(server.base + "/admin-dashboard?q=" + string(p.questions[2].ID)))
	v.tabTo(t, "#do-reveal")
	v.press(kb.Enter)
	v.Until(`document.querySelector("#chosen h2")?.innerText.includes("revealed")`)
	status := must(t, http.MethodGet, server.base+"/question/"+string(p.questions[2].ID)+"/status", "", nil)
	if status["status"] != "revealed" || status["time_limit"] != 183.0 {
		t.Errorf("found %v", status)
	}
}

func TestFreezeHidesAndThawReveals(t *testing.T) {
	p := playEvening(t, 8, 2, 20*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.open(server)
	order := func(what string) {
		must(t, http.MethodPost, server.base+"/admin/"+what, testAdminToken, map[string]any{})
	}
	order("freeze")
	v.Until(`document.querySelector(".ice") && document.querySelector("main.frozen")`)
	shown := `[...document.querySelectorAll("#rows tr")].map((r) => r.id + r.innerText).join()`
	before := testkit.Eval[string](v.Browser, shown)
	var solved []contest.TeamID
	for i := range p.teams {
		team := p.teams[i]
		status, _, _, err := call(t.Context(), http.MethodPost, server.base+"/submit", "token of "+string(team), rightAnswer(&p.questions[p.running]))
		if err != nil {
			t.Fatal(err)
		}
		if status == http.StatusOK {
			solved = append(solved, team)
		}
	}
	if len(solved) < 2 {
		t.Fatalf("%d teams solved the question, too few to see anything", len(solved))
	}
	// The jury's board shows them; when it does, the public's had the time to.
	jury := newVisitor(t)
	jury.signIn(server)
	jury.Do(chromedp.Navigate(server.base + "/admin-dashboard/leaderboard"))
	jury.Until(fmt.Sprintf("%s !== '–'", cell(solved[len(solved)-1], ".cell.live")))
	v.Do(chromedp.Reload())
	v.Until(`document.querySelector("#connection.on")`)
	if after := testkit.Eval[string](v.Browser, shown); after != before {
		t.Errorf("the frozen board shows\n%s\nand showed\n%s", after, before)
	}
	// The ceremony: with each step one more team shows what it won.
	revealed := `[...document.querySelectorAll("#rows tr")].filter((r) => ` + quoted(solved) + `.includes(r.id) && r.querySelector(".cell.live b")).length`
	jury.Do(chromedp.Navigate(server.base+"/admin-dashboard"), chromedp.ScrollIntoView("#do-unveil"))
	at := testkit.Eval[[]float64](jury.Browser, `(({x, y}) => [x + 9, y + 9])(document.querySelector("#do-unveil").getBoundingClientRect())`)
	jury.Do(chromedp.MouseClickXY(at[0], at[1]), chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(2)))
	v.Until(revealed + " === 1")
	order("unveil") // had the double click been two, this would be the third
	v.Until(revealed + " === 2")
	// An operator who is signed out meanwhile is asked to sign in.
	jury.Forget()
	jury.Allow("401")
	jury.Do(chromedp.Click("#do-unveil"), chromedp.WaitVisible("[name=token]"))
	order("thaw")
	v.Until(revealed + fmt.Sprintf(" === %d", len(solved)) + ` && !document.querySelector(".ice")`)
}

func quoted(teams []contest.TeamID) string {
	var parts []string
	for _, team := range teams {
		parts = append(parts, fmt.Sprintf("%q", team))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// Whatever a name holds, it is text. Registration would refuse some of these
// names; a journal may hold them all the same.
func TestHostileNamesAreText(t *testing.T) {
	p := playEvening(t, 2, 2, 20*time.Second)
	names := []string{
		`<script>window.hacked = 1</script>`, `"><img src=x onerror="window.hacked=1">`, "\u202egnal\u202c \u2066x\u2069", strings.Repeat("W", 300),
		`{{template "top"}} ${1} </tr></table>`, "𝕬" + strings.Repeat("\u0301", 40), "عربى و\u200eEnglish",
	}
	ctx := context.Background()
	log, err := store.OpenSQLite(ctx, p.db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	head, _, err := log.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var events []contest.Recorded
	for i, name := range names {
		events = append(events, contest.Recorded{Seq: head + contest.Seq(i) + 1, At: time.Now(), Event: contest.TeamRegistered{
			Team: contest.TeamID(fmt.Sprintf("hostile-%d", i)), Name: name, TokenHash: service.HashToken(fmt.Sprintf("token of hostile-%d", i)),
		}})
	}
	if _, err := log.Append(ctx, head, events); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	server := p.serve(t)
	v := newVisitor(t)
	v.Size(1280, 720)
	v.signIn(server)
	v.Do(chromedp.Navigate(server.base+"/desk"), chromedp.SendKeys("[name=token]", "token of hostile-3"+kb.Enter), chromedp.WaitVisible("#state .clock"))
	for _, path := range []string{"/", "/leaderboard-ui", "/admin-dashboard", "/admin-dashboard/teams", "/admin-dashboard/activity", "/admin-dashboard/leaderboard", "/desk", "/benchmarks"} {
		v.Do(chromedp.Navigate(server.base + path))
		if path == "/leaderboard-ui" {
			v.Until(`document.querySelector("#connection.on")`)
			for i, name := range names {
				submitTo(t, server, contest.TeamID(fmt.Sprintf("hostile-%d", i)), &p.questions[p.running])
				v.Until(cell(contest.TeamID(fmt.Sprintf("hostile-%d", i)), ".cell.live b") + ` !== ""`)
				if got := testkit.Eval[string](v.Browser, cell(contest.TeamID(fmt.Sprintf("hostile-%d", i)), ".name")); got != name {
					t.Errorf("found %q, expected %q", got, name)
				}
			}
		}
		if testkit.Eval[bool](v.Browser, "window.hacked === 1") {
			t.Errorf("%s: a name was run as a script", path)
		}
		if wide := testkit.Eval[int](v.Browser, "document.documentElement.scrollWidth"); wide > 1280 {
			t.Errorf("%s is %d pixels wide, expected at most the window's 1280", path, wide)
		}
	}
}

// Without a script a page is complete, and there is little to load.
func TestBoardWithoutScriptsAndItsWeight(t *testing.T) {
	p := playEvening(t, 300, 22, 30*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.WithoutScripts()
	v.Do(chromedp.Navigate(server.base + "/leaderboard-ui"))
	if text := v.OuterHTML("body"); strings.Count(text, "<tr id=") != 300 || !strings.Contains(text, "Question 22 of 22") || !strings.Contains(text, "Q1–Q13") {
		t.Errorf("the page lacks something: %.600s", text)
	}
	v = newVisitor(t)
	v.Size(1280, 720)
	v.open(server)
	v.Until(`document.querySelector("#paging").textContent.startsWith("page 1 of")`)
	const most = 100_000
	if got := v.Received(); got < 10_000 || got > most {
		t.Errorf("300 teams and 22 questions: the board loads %d bytes, expected at most %d", got, most)
	} else {
		t.Logf("300 teams and 22 questions: the board loads %d bytes", got)
	}
}

// On a phone no page is wider than the screen.
func TestPagesFitAPhone(t *testing.T) {
	p := playEvening(t, 12, 4, 60*time.Second)
	server := p.serve(t, "--results", sampleFolder(t))
	v := newVisitor(t)
	v.Size(390, 844)
	v.signIn(server)
	v.Do(chromedp.Navigate(server.base+"/desk"), chromedp.SendKeys("[name=token]", "token of team-002"+kb.Enter), chromedp.WaitVisible("#state .clock"))
	for _, path := range []string{
		"/", "/leaderboard-ui", "/admin-dashboard", "/admin-dashboard/teams", "/admin-dashboard/activity", "/admin-dashboard/leaderboard", "/desk", "/benchmarks", "/docs",
	} {
		v.Do(chromedp.Navigate(server.base + path))
		if wide := testkit.Eval[int](v.Browser, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("%s is %d pixels wide, expected at most 390; the widest: %s", path, wide, testkit.Eval[string](v.Browser,
				`[...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > 391).slice(0, 3).map((e) => e.outerHTML.slice(0, 150)).join("\n")`))
		}
	}
}

// A team that signs out in one tab does not leave its attempts in another.
func TestSignedOutElsewhere(t *testing.T) {
	p := playEvening(t, 5, 2, 20*time.Second)
	server := p.serve(t)
	v := newVisitor(t)
	v.Allow("401")
	v.Do(chromedp.Navigate(server.base+"/desk"), chromedp.SendKeys("[name=token]", "token of team-002"+kb.Enter), chromedp.WaitVisible("#state .clock"))
	v.Until(`document.querySelector("#connection.on")`)
	v.Forget()
	must(t, http.MethodPost, server.base+"/admin/stop-question", testAdminToken, map[string]any{})
	v.Until(`document.querySelector("[name=token]")`)
}
