package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const listed = `name: Rehearsal
ground_truth: questions.csv
registration: always
teams:
  - {name: Đội Một, password: chợ nổi 2026}
  - Two
`

// Passwords of the contest file and of a registration hold through a restart; one
// that is replaced in the file is worth nothing.
func TestPasswordsOfTeams(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("questions.csv", "id,type,scene_id,video_id,points\n1,KIS,K14,V026,*\n")
	write("contest.yaml", listed)
	db := filepath.Join(dir, "contest.db")
	start := func() *process {
		t.Helper()
		return begin(t, "serve", "--config", filepath.Join(dir, "contest.yaml"), "--db", db, "--listen", "127.0.0.1:0")
	}
	signIn := func(p *process, name, password string) (status int, session string) {
		t.Helper()
		status, reply, _, err := call(t.Context(), http.MethodPost, p.base+"/api/v2/login", "", map[string]string{"username": name, "password": password})
		if err != nil {
			t.Fatal(err)
		}
		session, _ = reply["sessionId"].(string)
		return status, session
	}
	p := start()
	status, session := signIn(p, "đội một", "chợ nổi 2026")
	if status != http.StatusOK {
		t.Fatalf("found %d", status)
	}
	if status, _ := signIn(p, "Two", "chợ nổi 2026"); status != http.StatusUnauthorized {
		t.Errorf("found %d for a team without a password", status)
	}
	must(t, http.MethodPost, p.base+"/teams/register", "", map[string]string{"team_name": "Three", "password": "correct horse"})
	if status, reply, _, _ := call(t.Context(), http.MethodPost, p.base+"/teams/register", "", map[string]string{"team_name": "Four", "password": "1234567"}); status != http.StatusBadRequest || !strings.Contains(reply["detail"].(string), "password: found 7 characters, expected 8 to 128") {
		t.Errorf("a short password: %d %v", status, reply)
	}
	must(t, http.MethodPost, p.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1"})
	evaluation := must(t, http.MethodGet, p.base+"/config", "", nil)["contest_id"].(string)
	for range 20 {
		must(t, http.MethodPost, p.base+"/api/v2/log/query/"+evaluation+"?session="+session, "", map[string]any{"timestamp": 1, "events": []any{map[string]any{"value": "chợ nổi"}}})
	}
	if reply := must(t, http.MethodPost, p.base+"/api/v2/submit/"+evaluation+"?session="+session, "", map[string]any{"answerSets": []any{map[string]any{"answers": []any{map[string]any{"mediaItemName": "K14_V026.mp4"}}}}}); reply["submission"] != "CORRECT" {
		t.Errorf("a video alone: %v", reply)
	}
	if code := p.stop(t); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
	if text := p.stdout.String() + p.stderr.String(); strings.Contains(text, "chợ nổi 2026") || strings.Contains(text, "horse") {
		t.Errorf("a password is shown: %s", text)
	}

	// What clients logged can be written out; no dump of the journal holds a password.
	for _, args := range [][]string{{"--interactions", "--output", "logs.jsonl"}, {"--output", "contest.zip"}} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"export", "--db", db}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	logs, err := os.ReadFile(filepath.Join(dir, "logs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(string(logs)), "\n"); len(lines) != 20 ||
		!strings.Contains(lines[0], `"team_name":"Đội Một","kind":"query","log":{"events":[{"value":"chợ nổi"}],"timestamp":1}}`) {
		t.Errorf("found %d lines: %.500s", len(lines), logs)
	}

	write("contest.yaml", strings.Replace(listed, "chợ nổi 2026", "another one", 1))
	p = start()
	for _, with := range []struct {
		name, password string
		status         int
	}{{"Đội Một", "chợ nổi 2026", 401}, {"Đội Một", "another one", 200}, {"Three", "correct horse", 200}} {
		if status, _ := signIn(p, with.name, with.password); status != with.status {
			t.Errorf("%s: found %d, expected %d", with.name, status, with.status)
		}
	}
	if status, _, _, _ := call(t.Context(), http.MethodGet, p.base+"/api/v2/user?session="+session, "", nil); status != http.StatusUnauthorized {
		t.Errorf("a session of the old password: %d", status)
	}
}
