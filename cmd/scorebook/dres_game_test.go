package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A game is a whole contest for one client of DRES: a question of every kind, each
// of which ends when the team has answered it.
type game struct {
	server *process
	db     string
	done   chan error // of the organiser
	seen   map[string]bool
}

const (
	gameTeam      = "Đội Một"
	gamePassword  = "chợ nổi 2026"
	gameQuestions = `id,type,scene_id,video_id,points,answer
kis,KIS,L01,V001,33000-34000,
item,KIS,L01,V002,*,
qa,QA,L02,V002,30000-40000,Mộc Châu
trake,TR,L03,V003,100-110-200-210,
`
)

// gameAnswers are a wrong and a right body for each question.
var gameAnswers = map[string][2]string{
	"kis":   {`{"answerSets": [{"answers": [{"mediaItemName": "L01_V001", "start": 1, "end": 2}]}]}`, `{"answerSets": [{"taskName": "kis", "answers": [{"mediaItemName": "L01_V001", "mediaItemCollectionName": null, "start": 33366.6, "end": 33366.6}]}]}`},
	"item":  {`{"answerSets": [{"answers": [{"mediaItemName": "L01_V009"}]}]}`, `{"answerSets": [{"answers": [{"text": null, "mediaItemName": "L01_V002.mp4", "start": null, "end": null}]}]}`},
	"qa":    {`{"answerSets": [{"answers": [{"text": "QA-Sơn La-L02_V002-35000"}]}]}`, `{"answerSets": [{"answers": [{"text": "QA-Mộc Châu-L02_V002-35000"}]}]}`},
	"trake": {`{"answerSets": [{"answers": [{"text": "TR-L03_V003-9000"}]}]}`, `{"answerSets": [{"answers": [{"text": "TR-L03_V003-105, 205"}]}]}`},
}

// newGame starts a server and its organiser.
func newGame(t *testing.T) *game {
	t.Helper()
	dir := t.TempDir()
	config := "name: A game\nground_truth: questions.csv\nteams: [{name: " + gameTeam + ", password: " + gamePassword + "}]\nrate_limit: {per_second: 1000, burst: 1000}\n"
	for name, text := range map[string]string{"questions.csv": gameQuestions, "contest.yaml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := &game{db: filepath.Join(dir, "contest.db"), done: make(chan error, 1), seen: map[string]bool{}}
	g.server = begin(t, "serve", "--config", filepath.Join(dir, "contest.yaml"), "--db", g.db, "--listen", "127.0.0.1:0")
	ctx := t.Context()
	go func() { g.done <- g.organise(ctx) }()
	return g
}

// organise plays the questions, one after the other.
func (g *game) organise(ctx context.Context) error {
	for _, question := range []string{"kis", "item", "qa", "trake"} {
		if status, reply, _, err := call(ctx, http.MethodPost, g.server.base+"/admin/start-question", testAdminToken, map[string]string{"question_id": question}); err != nil || status != http.StatusOK {
			return errors.Join(err, errors.New(asText(reply)))
		}
		for answered := false; !answered; {
			if err := ctx.Err(); err != nil {
				return err
			}
			_, reply, _, err := call(ctx, http.MethodGet, g.server.base+"/admin/submissions?question="+question, testAdminToken, nil)
			if err != nil {
				return err
			}
			answered = strings.Contains(asText(reply["submissions"]), `"correctness":"full"`)
			time.Sleep(20 * time.Millisecond)
		}
	}
	return nil
}

func asText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// account is the body with which the team signs in.
func (g *game) account() string {
	return asText(map[string]string{"username": gameTeam, "password": gamePassword})
}

// await returns the next task when it runs.
func (g *game) await(t *testing.T, current func() (task string, running bool)) string {
	t.Helper()
	for {
		if task, running := current(); running && !g.seen[task] {
			g.seen[task] = true
			return task
		}
		select {
		case err := <-g.done:
			t.Fatalf("the organiser has ended: %v", err)
		case <-t.Context().Done():
			t.Fatal("there is no further task")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// over checks that the team has answered every question, at the second try, and
// that the journal gives the scores that were announced.
func (g *game) over(t *testing.T) {
	t.Helper()
	select {
	case err := <-g.done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("a question was not answered")
	}
	row := must(t, http.MethodGet, g.server.base+"/api/leaderboard-data", "", nil)["teams"].([]any)[0].(map[string]any)
	total, _ := row["total_score"].(float64)
	if total < 4*85 || total > 4*90 { // four times 100 less the penalty, at once
		t.Errorf("found %v", row)
	}
	all := must(t, http.MethodGet, g.server.base+"/admin/submissions?limit=500", testAdminToken, nil)["submissions"].([]any)
	if len(all) != 8 {
		t.Errorf("found %d submissions", len(all))
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "verify", "--db", g.db)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "8 submissions judged as announced") {
		t.Errorf("%v\n%s", err, out)
	}
}
