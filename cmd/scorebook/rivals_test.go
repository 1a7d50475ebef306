package main

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"
)

// Rivals register and play through the API, marked as simulated.
func TestRivalsPlay(t *testing.T) {
	dir := t.TempDir()
	questions := filepath.Join(dir, "questions.csv")
	writeFile(t, questions, "id,type,scene_id,video_id,points\n1,KIS,K14,V026,370000-386000\n2,TR,K02,V005,9925-9975-10000-10050\n")
	args := []string{"serve", "--db", filepath.Join(dir, "contest.db"), "--ground-truth", questions, "--listen", "127.0.0.1:0", "--rivals", "6", "--seed", "3"}
	server := begin(t, args...)
	board := func(enough func(teams []any) bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			reply := must(t, http.MethodGet, server.base+"/api/leaderboard-data", "", nil)
			if teams, ok := reply["teams"].([]any); ok && enough(teams) {
				return
			} else if time.Now().After(deadline) {
				t.Fatalf("the leaderboard is %v\n%s", reply, server.stderr)
			}
		}
	}
	board(func(teams []any) bool { return len(teams) == 6 })
	server.kill()
	server = begin(t, args...) // in which they come back
	must(t, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1", "time_limit": 2})
	board(func(teams []any) bool {
		scored := 0
		for _, team := range teams {
			team := team.(map[string]any)
			if team["simulated"] != true || team["is_real"] != false {
				t.Errorf("not marked: %v", team)
			}
			if team["total_score"].(float64) > 0 {
				scored++
			}
		}
		return scored >= 3 && len(teams) == 6
	})
}

// The demo is as the README says.
func TestDemo(t *testing.T) {
	server := begin(t, "demo", "--rivals", "2")
	status := must(t, http.MethodGet, server.base+"/question/1/status", "", nil)
	if status["status"] != "running" {
		t.Errorf("question 1 is %v", status)
	}
	team := must(t, http.MethodPost, server.base+"/teams/register", "", map[string]any{"team_name": "My team"})
	reply := must(t, http.MethodPost, server.base+"/submit", team["team_session_id"].(string), map[string]any{
		"answerSets": []any{map[string]any{"answers": []any{map[string]any{"mediaItemName": "K14_V026", "start": 378000}}}},
	})
	if reply["correctness"] != "full" {
		t.Errorf("the answer of the README is judged %v", reply)
	}
}
