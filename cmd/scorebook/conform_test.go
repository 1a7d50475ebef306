package main

import (
	"net/http"
	"strings"
	"testing"
)

// A client that plays all tasks passes; one that gives up does not, and is told
// why.
func TestConform(t *testing.T) {
	answers := map[string]string{
		"kis":   `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001", "start": 33500, "end": 33500}]}]}`,
		"item":  `{"answerSets": [{"answers": [{"mediaItemName": "L01_V002"}]}]}`,
		"qa":    `{"answerSets": [{"answers": [{"text": "QA-Mộc Châu-L02_V003-75000"}]}]}`,
		"trake": `{"answerSets": [{"answers": [{"text": "TR-L03_V004-2005,2505"}]}]}`,
	}
	for _, all := range []bool{true, false} {
		p := begin(t, "conform", "--listen", "127.0.0.1:0", "--task-time", "0.7", "--username", "Đội", "--password", "chợ nổi 2026")
		c := &strictClient{t: t, base: p.base + "/api/v2"}
		var me strictAccount
		c.ask(http.MethodPost, "/login", `{"username": "đội", "password": "chợ nổi 2026"}`, http.StatusOK, &me)
		c.session = me.SessionID
		var evaluations []strictEvaluation
		c.ask(http.MethodGet, "/client/evaluation/list", "", http.StatusOK, &evaluations)
		g := &game{seen: map[string]bool{}}
		for n := range len(answers) {
			task := g.await(t, func() (name string, running bool) {
				var task strictTask
				c.ask(http.MethodGet, "/client/evaluation/currentTask/"+evaluations[0].ID, "", http.StatusOK, &task)
				var states []nullableState
				c.ask(http.MethodGet, "/evaluation/state/list", "", http.StatusOK, &states)
				return task.Name, states[0].TaskStatus == "RUNNING"
			})
			var verdict strictVerdict
			if all || n == 0 {
				c.ask(http.MethodPost, "/submit/"+evaluations[0].ID, answers[task], http.StatusOK, &verdict)
			}
		}
		<-p.silent
		p.cmd.Wait() //nolint:errcheck // the exit code tells
		code, out := p.cmd.ProcessState.ExitCode(), p.stdout.String()
		if all && (code != 0 || !strings.Contains(out, "the client passes")) {
			t.Errorf("exit code %d\n%s%s", code, out, p.stderr)
		}
		if !all && (code != 1 || !strings.Contains(out, "fails      task qa got no answer that could be read") || !strings.Contains(out, "right      task kis")) {
			t.Errorf("exit code %d\n%s%s", code, out, p.stderr)
		}
	}
}
