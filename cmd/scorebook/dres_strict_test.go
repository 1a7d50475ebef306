package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/internal/testkit"
)

// What a client holds that was generated from a description of DRES: names that
// it does not know are errors, and so are those that are missing.
type (
	strictAccount struct {
		ID        string `json:"id"`
		Username  string `json:"username"`
		Role      string `json:"role"`
		SessionID string `json:"sessionId"`
	}
	strictTask struct {
		Name      string `json:"name"`
		TaskGroup string `json:"taskGroup"`
		TaskType  string `json:"taskType"`
		Duration  int64  `json:"duration"`
	}
	strictEvaluation struct {
		ID                  string       `json:"id"`
		Name                string       `json:"name"`
		Type                string       `json:"type"`
		Status              string       `json:"status"`
		TemplateID          string       `json:"templateId"`
		TemplateDescription string       `json:"templateDescription"`
		Teams               []string     `json:"teams"`
		TaskTemplates       []strictTask `json:"taskTemplates"`
	}
	strictState struct {
		EvaluationID     string `json:"evaluationId"`
		EvaluationStatus string `json:"evaluationStatus"`
		TaskID           string `json:"taskId"`
		TaskStatus       string `json:"taskStatus"`
		TaskTemplateID   string `json:"taskTemplateId"`
		TimeLeft         int64  `json:"timeLeft"`
		TimeElapsed      int64  `json:"timeElapsed"`
	}
	strictVerdict struct {
		Status      bool   `json:"status"`
		Submission  string `json:"submission"`
		Description string `json:"description"`
	}
	strictStatus struct {
		Status      bool   `json:"status"`
		Description string `json:"description"`
	}
)

// strictClient asks as such a client does.
type strictClient struct {
	t       *testing.T
	base    string
	session string
}

func (c *strictClient) ask(method, path, body string, status int, into any) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if c.session != "" {
		request.URL.RawQuery = url.Values{"session": {c.session}}.Encode()
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil || response.StatusCode != status {
		c.t.Fatalf("%s %s: %s, %v: %s", method, path, response.Status, err, text)
	}
	// Encoded again it has the same names: none was missing.
	again, err := json.Marshal(into)
	if err != nil {
		c.t.Fatal(err)
	}
	var sent, known any
	if json.Unmarshal(text, &sent) != nil || json.Unmarshal(again, &known) != nil || !reflect.DeepEqual(sent, known) {
		c.t.Errorf("%s %s: found %s, of which a client keeps %s", method, path, text, again)
	}
}

func TestDRESFromAStrictClient(t *testing.T) {
	p := playEvening(t, 10, 3, 10*time.Second)
	server := p.serve(t)
	team := p.lateTeam(t, server, 0)
	c := &strictClient{t: t, base: server.base + "/api/v2"}
	account, _ := json.Marshal(map[string]string{"username": nameOf(t, server, team), "password": "token of " + string(team)})
	right, _ := json.Marshal(rightAnswer(&p.questions[p.running]))
	var refused strictStatus
	c.ask(http.MethodGet, "/user", "", http.StatusUnauthorized, &refused)
	c.ask(http.MethodPost, "/login", `{"username": "x", "password": "y"}`, http.StatusUnauthorized, &refused)
	var me strictAccount
	c.ask(http.MethodPost, "/login", string(account), http.StatusOK, &me)
	c.session = me.SessionID
	c.ask(http.MethodGet, "/user", "", http.StatusOK, &me)
	var evaluations []strictEvaluation
	c.ask(http.MethodGet, "/client/evaluation/list", "", http.StatusOK, &evaluations)
	id := evaluations[0].ID
	var task strictTask
	c.ask(http.MethodGet, "/client/evaluation/currentTask/"+id, "", http.StatusOK, &task)
	if !slices.Contains(evaluations[0].TaskTemplates, task) {
		t.Errorf("the task %+v is none of %+v", task, evaluations[0].TaskTemplates)
	}
	var state strictState
	c.ask(http.MethodGet, "/evaluation/"+id+"/state", "", http.StatusOK, &state)
	if state.TaskID != task.Name || state.TaskStatus != "RUNNING" || state.TimeLeft <= 0 {
		t.Errorf("found %+v", state)
	}
	var verdict strictVerdict
	c.ask(http.MethodPost, "/submit/"+id, `{"answerSets": [{"answers": [{"mediaItemName": "L99_V999", "start": 1}]}]}`, http.StatusOK, &verdict)
	if verdict.Submission != "WRONG" {
		t.Errorf("found %+v", verdict)
	}
	c.ask(http.MethodPost, "/submit/"+id, string(right), http.StatusOK, &verdict)
	if verdict.Submission != "CORRECT" {
		t.Errorf("found %+v", verdict)
	}
	c.ask(http.MethodPost, "/submit/"+id, string(right), http.StatusPreconditionFailed, &refused)
	c.ask(http.MethodPost, "/submit/"+id, "{", http.StatusBadRequest, &refused)
	c.ask(http.MethodPost, "/submit/x", string(right), http.StatusNotFound, &refused)
	c.ask(http.MethodGet, "/logout", "", http.StatusOK, &refused)
	c.ask(http.MethodGet, "/user", "", http.StatusUnauthorized, &refused)
}

// curl -d says that JSON is a form.
func TestDRESFromCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if testkit.Require("curl") {
			t.Fatal("curl was not found, and SCOREBOOK_REQUIRE names it")
		}
		t.Skip("SKIPPED: install curl to run this test")
	}
	p := playEvening(t, 10, 3, 10*time.Second)
	server := p.serve(t)
	team := p.lateTeam(t, server, 0)
	jar := t.TempDir() + "/jar"
	curl := func(args ...string) map[string]any {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS", "-b", jar, "-c", jar}, args...)...).Output()
		var reply map[string]any
		if err != nil || json.Unmarshal(out, &reply) != nil {
			t.Fatalf("curl %q: %v, %s", args, err, out)
		}
		return reply
	}
	account, _ := json.Marshal(map[string]string{"username": nameOf(t, server, team), "password": "token of " + string(team)})
	right, _ := json.Marshal(rightAnswer(&p.questions[p.running]))
	curl(server.base+"/api/v2/login", "-d", string(account))
	id := must(t, http.MethodGet, server.base+"/config", "", nil)["contest_id"].(string)
	if reply := curl(server.base+"/api/v2/submit/"+id, "-d", string(right)); reply["submission"] != "CORRECT" {
		t.Errorf("found %v", reply)
	}
}
