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
	nullableState struct {
		EvaluationID     string  `json:"evaluationId"`
		EvaluationStatus string  `json:"evaluationStatus"`
		TaskID           *string `json:"taskId"`
		TaskStatus       string  `json:"taskStatus"`
		TaskTemplateID   *string `json:"taskTemplateId"`
		TimeLeft         int64   `json:"timeLeft"`
		TimeElapsed      int64   `json:"timeElapsed"`
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

// A client that was generated plays a whole contest, and makes every mistake.
func TestDRESFromAStrictClient(t *testing.T) {
	g := newGame(t)
	c := &strictClient{t: t, base: g.server.base + "/api/v2"}
	var refused strictStatus
	c.ask(http.MethodGet, "/user", "", http.StatusUnauthorized, &refused)
	c.ask(http.MethodPost, "/login", `{"username": "x", "password": "y"}`, http.StatusUnauthorized, &refused)
	var me strictAccount
	c.ask(http.MethodPost, "/login", g.account(), http.StatusOK, &me)
	c.session = me.SessionID
	c.ask(http.MethodGet, "/user", "", http.StatusOK, &me)
	var evaluations []strictEvaluation
	c.ask(http.MethodGet, "/client/evaluation/list", "", http.StatusOK, &evaluations)
	id := evaluations[0].ID
	for range gameAnswers {
		task := g.await(t, func() (name string, running bool) {
			var task strictTask
			c.ask(http.MethodGet, "/client/evaluation/currentTask/"+id, "", http.StatusOK, &task)
			if !slices.Contains(evaluations[0].TaskTemplates, task) {
				t.Errorf("the task %+v is none of %+v", task, evaluations[0].TaskTemplates)
			}
			var states []nullableState
			c.ask(http.MethodGet, "/evaluation/state/list", "", http.StatusOK, &states)
			return task.Name, states[0].TaskStatus == "RUNNING"
		})
		var state strictState
		c.ask(http.MethodGet, "/evaluation/"+id+"/state", "", http.StatusOK, &state)
		if state.TaskID != task || state.TimeLeft <= 0 {
			t.Errorf("found %+v", state)
		}
		c.ask(http.MethodPost, "/log/result/"+id, `{"timestamp": 1, "sortType": "score", "resultSetAvailability": "", "results": [], "events": []}`, http.StatusOK, &refused)
		c.ask(http.MethodPost, "/submit/"+id, "{", http.StatusBadRequest, &refused)
		c.ask(http.MethodPost, "/submit/x", "{}", http.StatusNotFound, &refused)
		wrong, right := gameAnswers[task][0], gameAnswers[task][1]
		var verdict strictVerdict
		c.ask(http.MethodPost, "/submit/"+id, wrong, http.StatusOK, &verdict)
		if verdict.Submission != "WRONG" {
			t.Errorf("found %+v", verdict)
		}
		c.ask(http.MethodPost, "/submit/"+id, right, http.StatusOK, &verdict)
		if verdict.Submission != "CORRECT" {
			t.Errorf("found %+v", verdict)
		}
		c.ask(http.MethodPost, "/submit/"+id, right, http.StatusPreconditionFailed, &refused)
	}
	c.ask(http.MethodGet, "/logout", "", http.StatusOK, &refused)
	c.ask(http.MethodGet, "/user", "", http.StatusUnauthorized, &refused)
	g.over(t)
}

// curl -d says that JSON is a form.
func TestDRESFromCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if testkit.Require("curl") {
			t.Fatal("curl was not found, and SCOREBOOK_REQUIRE names it")
		}
		t.Skip("SKIPPED: install curl to run this test")
	}
	g := newGame(t)
	jar := t.TempDir() + "/jar"
	curl := func(path string, args ...string) (reply any) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS", "-b", jar, "-c", jar, g.server.base + path}, args...)...).Output()
		if err != nil || json.Unmarshal(out, &reply) != nil {
			t.Fatalf("curl %s %q: %v, %s", path, args, err, out)
		}
		return reply
	}
	curl("/api/v2/login", "-d", g.account())
	id := curl("/api/v2/client/evaluation/list").([]any)[0].(map[string]any)["id"].(string)
	for range gameAnswers {
		task := g.await(t, func() (name string, running bool) {
			state := curl("/api/v2/evaluation/" + id + "/state").(map[string]any)
			name, _ = state["taskId"].(string)
			return name, state["taskStatus"] == "RUNNING"
		})
		for i, want := range []string{"WRONG", "CORRECT"} {
			if reply := curl("/api/v2/submit/"+id, "-d", gameAnswers[task][i]).(map[string]any); reply["submission"] != want {
				t.Errorf("%s: found %v", task, reply)
			}
		}
	}
	g.over(t)
}
