package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Teams and viewers use a server, every team once more at the end; what was
// acknowledged is in the journal. A contest that was played is left alone.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	questions := filepath.Join(dir, "questions.csv")
	writeFile(t, questions, "id,type,scene_id,video_id,points\n1,KIS,K14,V026,370000-386000\n")
	server := begin(t, "serve", "--db", filepath.Join(dir, "contest.db"), "--ground-truth", questions, "--listen", "127.0.0.1:0")
	run := func(args ...string) (out, errors string, code int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"load", server.base}, args...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1", adminVariable+"="+testAdminToken)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run() // the exit code tells
		return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	}
	out, errors, code := run("--teams", "40", "--rate", "100", "--duration", "2s", "--burst", "500ms", "--viewers", "5", "--json")
	var report struct {
		Sent, Acknowledged, Failed int
		Refused                    map[string]int
		Receipts                   struct{ Checked, Wrong, Others int }
		Viewers                    struct{ Open, Lost, Missed int }
		Latency                    struct{ P50, Max float64 } `json:"latency_ms"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, out, errors)
	}
	r := &report
	if r.Sent < 100 || r.Acknowledged != r.Sent || r.Failed != 0 || len(r.Refused) > 0 || r.Receipts.Checked != r.Sent || r.Receipts.Wrong != 0 || r.Receipts.Others != 0 {
		t.Errorf("found %+v", r)
	}
	if r.Viewers.Open != 5 || r.Viewers.Lost != 0 || r.Viewers.Missed != 0 || !(r.Latency.P50 > 0 && r.Latency.P50 <= r.Latency.Max) {
		t.Errorf("found %+v", r)
	}
	if out, errors, code := run(); code == 0 || !strings.Contains(errors, "1 questions were played: give a server with a new database") {
		t.Errorf("again: exit code %d\n%s%s", code, out, errors)
	}
	for _, args := range [][]string{{"--teams", "0"}, {"--rate", "-1"}, {"--duration", "1ms"}, {"--rate", "0"}, {"--burst", "1h"}} {
		if out, errors, code := run(args...); code != 2 || !strings.Contains(errors, "found") {
			t.Errorf("%q: exit code %d\n%s%s", args, code, out, errors)
		}
	}
}
