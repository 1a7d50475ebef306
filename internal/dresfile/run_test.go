package dresfile_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/dresfile"
	"scorebook/retrieval"
)

var questions = []retrieval.Question{
	{ID: "kis", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 33000, End: 34000}}, FPS: 25, TimeLimit: 240},
	{ID: "item", Type: retrieval.KIS, Video: "00043", Events: []retrieval.Event{retrieval.WholeVideo}, TimeLimit: 300},
	{ID: "qa", Type: retrieval.QA, Scene: "L02", Video: "V002", Events: []retrieval.Event{{Start: 30000, End: 40000}}, Answers: []string{"Mộc Châu", "Moc Chau"}, TimeLimit: 300},
	{ID: "tr", Type: retrieval.TR, Scene: "L03", Video: "V003", Events: []retrieval.Event{{Start: 100, End: 110}, {Start: 200, End: 210}}, FPS: 25, TimeLimit: 300},
	{ID: "later", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 1, End: 2}}, TimeLimit: 300},
}

// played returns a contest with a round that was started again, a verdict of the
// jury, and submissions in every form.
func played(t testing.TB) *contest.State {
	t.Helper()
	state, now := &contest.State{}, time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
	do := func(command contest.Command) contest.Seq {
		t.Helper()
		events, refused := state.Decide(command, now)
		if refused != nil {
			t.Fatal(refused)
		}
		for _, event := range events {
			if err := state.Apply(contest.Recorded{Seq: state.Seq() + 1, At: now, Event: event}); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(time.Second)
		return state.Seq()
	}
	rules, _ := retrieval.Preset("aic2025")
	settings := contest.DefaultSettings()
	settings.Name = "Friday"
	do(contest.Open{Contest: "c0ffee", Settings: settings, Rules: rules, Questions: questions})
	for _, id := range []contest.TeamID{"one", "two"} {
		do(contest.Register{ID: id, Name: "Đội " + string(id), TokenHash: string(id), Organiser: true})
	}
	do(contest.Register{ID: "rival", Name: "Rival", TokenHash: "rival", Organiser: true, Simulated: true})
	media := retrieval.NewMedia(questions)
	submit := func(team contest.TeamID, question retrieval.QuestionID, body string) contest.Seq {
		t.Helper()
		q, _ := state.Question(question)
		parsed, err := retrieval.ParseBody([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := retrieval.Interpret(parsed, rules.FormOf(&q), media)
		if err != nil {
			t.Fatal(err)
		}
		return do(contest.Submit{Team: team, Question: question, Arrived: now, Body: body, Answer: answer})
	}
	do(contest.Start{Question: "kis"})
	submit("one", "kis", `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001.mp4", "start": "33366.6"}]}]}`)
	do(contest.Start{Question: "kis", Restart: true})
	wrong := submit("one", "kis", `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001", "start": 1, "end": 2}]}]}`)
	do(contest.Submit{Team: "two", Question: "kis", Arrived: now, Body: "item=L01_V001&frame=834&session=-", Answer: retrieval.Answer{Scene: "L01", Video: "V001", Values: []float64{33360}}})
	do(contest.Stop{})
	do(contest.Override{Submission: wrong, Verdict: contest.VerdictVoid, Reason: "the projector failed"})
	do(contest.Start{Question: "item"})
	submit("one", "item", `{"answerSets": [{"answers": [{"mediaItemName": "00043"}]}]}`)
	do(contest.Start{Question: "qa"})
	submit("one", "qa", `{"text": "QA-Sơn La-L02_V002-35000"}`)
	submit("two", "qa", `{"answerSets": [{"answers": [{"text": "Mộc Châu", "mediaItemName": "L02_V002", "start": null, "end": 35000}]}]}`)
	do(contest.Start{Question: "tr"})
	submit("rival", "tr", `{"text": "TR-L03_V003-1"}`)
	submit("two", "tr", `{"answerSets": [{"answers": [{"text": "TR-L03_V003-105,9000"}]}]}`)
	return state
}

func written(t testing.TB, state *contest.State) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := dresfile.WriteRun(&b, state, false); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The golden file was held against DRES's description of ApiEvaluation (version
// 2.0.4, doc/oas.json) by hand.
func TestWriteRun(t *testing.T) {
	text := written(t, played(t))
	golden, err := os.ReadFile("testdata/run.json")
	if err != nil || !bytes.Equal(golden, text) {
		t.Errorf("%v, found\n%s", err, text)
	}
	var run struct {
		Tasks []struct {
			Submissions []struct{ Answers []struct{ Status string } }
		}
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	var statuses []string
	for _, task := range run.Tasks {
		for _, s := range task.Submissions {
			statuses = append(statuses, s.Answers[0].Status)
		}
	}
	if got := strings.Join(statuses, " "); got != "CORRECT UNDECIDABLE CORRECT CORRECT WRONG CORRECT CORRECT" {
		t.Errorf("found %s", got)
	}
}

// Every key that DRES's description requires is there, and none that it does not
// know.
func TestKeysOfARun(t *testing.T) {
	var run map[string]any
	if err := json.Unmarshal(written(t, played(t)), &run); err != nil {
		t.Fatal(err)
	}
	first := func(value any, path ...string) map[string]any {
		for _, name := range path {
			value = value.(map[string]any)[name].([]any)[0]
		}
		return value.(map[string]any)
	}
	template := run["template"].(map[string]any)
	for what, test := range map[string]struct {
		found map[string]any
		keys  string
	}{
		"ApiEvaluation":         {run, "created ended evaluationId name started tasks template type"},
		"ApiEvaluationTemplate": {template, "created description id judges modified name taskGroups taskTypes tasks teamGroups teams viewers"},
		"ApiTaskType":           {first(template, "taskTypes"), "configuration duration hintOptions name scoreOption submissionOptions targetOption taskOptions"},
		"ApiTaskGroup":          {first(template, "taskGroups"), "id name type"},
		"ApiTaskTemplate":       {first(template, "tasks"), "collectionId comment duration hints id name targets taskGroup taskType"},
		"ApiTarget":             {first(template, "tasks", "targets"), "item range target type"},
		"ApiMediaItem":          {first(template, "tasks", "targets")["item"].(map[string]any), "collectionId durationMs fps location mediaItemId metadata name type"},
		"ApiTeam":               {first(template, "teams"), "color id logoData name users"},
		"ApiUser":               {first(template, "teams", "users"), "id role sessionId username"},
		"ApiTask":               {first(run, "tasks"), "ended started submissions taskId templateId"},
		"ApiSubmission":         {first(run, "tasks", "submissions"), "answers memberId memberName submissionId teamId teamName timestamp"},
		"ApiAnswerSet":          {first(run, "tasks", "submissions", "answers"), "answers id status taskId"},
		"ApiAnswer":             {first(run, "tasks", "submissions", "answers", "answers"), "end item start text type"},
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(test.found)), " "); got != test.keys {
			t.Errorf("%s: found %s, expected %s", what, got, test.keys)
		}
	}
}

// What was written as a template is read as the contest that it was.
func TestReadsWhatIsWritten(t *testing.T) {
	state := played(t)
	var run map[string]json.RawMessage
	if err := json.Unmarshal(written(t, state), &run); err != nil {
		t.Fatal(err)
	}
	c, diags, ok := read(string(run["template"]))
	if !ok || !reflect.DeepEqual(c.Questions, questions) || !slices.Equal(c.Teams, []string{"Đội one", "Đội two"}) || c.Points != (dresfile.Points{Max: 100, End: 50, Penalty: 10}) {
		t.Errorf("found %+v\n%s", c, diags.Text())
	}
}

func TestWriteRunOfNothing(t *testing.T) {
	state := &contest.State{}
	rules, _ := retrieval.Preset("aic2025")
	if err := state.Apply(contest.Recorded{Seq: 1, At: time.Unix(1, 0).UTC(), Event: contest.Opened{Contest: "c", Settings: contest.DefaultSettings(), Rules: rules}}); err != nil {
		t.Fatal(err)
	}
	var run map[string]any
	if err := json.Unmarshal(written(t, state), &run); err != nil || run["created"] != 1000.0 || run["started"] != nil || len(run["tasks"].([]any)) != 0 {
		t.Errorf("%v: %v", err, run)
	}
}
