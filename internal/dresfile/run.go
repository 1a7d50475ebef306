package dresfile

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// run is an evaluation as DRES downloads it. Times are milliseconds since 1970.
type run struct {
	ID       string    `json:"evaluationId"`
	Name     string    `json:"name"`
	Type     string    `json:"type"`
	Template template  `json:"template"`
	Created  int64     `json:"created"`
	Started  *int64    `json:"started"`
	Ended    *int64    `json:"ended"`
	Tasks    []taskRun `json:"tasks"`
}

// taskRun is a round of a question.
type taskRun struct {
	ID          string       `json:"taskId"`
	Template    string       `json:"templateId"`
	Started     *int64       `json:"started"`
	Ended       *int64       `json:"ended"`
	Submissions []submission `json:"submissions"`
}

type submission struct {
	ID         string      `json:"submissionId"`
	Team       string      `json:"teamId"`
	Member     string      `json:"memberId"`
	TeamName   string      `json:"teamName"`
	MemberName string      `json:"memberName"`
	Timestamp  int64       `json:"timestamp"`
	Answers    []answerSet `json:"answers"`
}

type answerSet struct {
	ID      string   `json:"id"`
	Status  string   `json:"status"`
	Task    string   `json:"taskId"`
	Answers []answer `json:"answers"`
}

type answer struct {
	Type  string     `json:"type"`
	Item  *mediaItem `json:"item"`
	Text  *string    `json:"text"`
	Start *int64     `json:"start"`
	End   *int64     `json:"end"`
}

const (
	synchronous = "SYNCHRONOUS"
	collection  = "scorebook" // DRES keeps items in collections
)

// WriteRun writes a contest in the JSON that DRES gives for the download of an
// evaluation. Every round of a question is a task of its own, with the attempts
// that were made in it; the status of an attempt is what it is by the rules, the
// ground truth and the jury's verdicts in force now. Simulated teams are left out
// unless simulated is true.
func WriteRun(w io.Writer, state *contest.State, simulated bool) error {
	b := builder{state: state, simulated: simulated, rounds: map[string]int{}}
	r := run{
		ID: state.Contest(), Name: state.Settings().Name, Type: synchronous, Template: b.template(), Tasks: []taskRun{},
	}
	for _, deed := range state.Deeds() {
		b.see(&r, deed)
	}
	for _, attempt := range state.Attempts() {
		team, _ := state.Team(attempt.Team)
		if i, ok := b.rounds[taskID(attempt.Question, attempt.Round)]; ok && b.shows(&team) {
			r.Tasks[i].Submissions = append(r.Tasks[i].Submissions, b.submission(attempt))
		}
	}
	if n := len(r.Tasks); n > 0 {
		r.Started, r.Ended = r.Tasks[0].Started, r.Tasks[n-1].Ended
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

// builder makes a run of a contest.
type builder struct {
	state     *contest.State
	simulated bool
	rounds    map[string]int // by the id of a task, its index
}

func (b *builder) shows(team *contest.Team) bool { return b.simulated || !team.Simulated }

func millis(t time.Time) *int64 {
	ms := t.UnixMilli()
	return &ms
}

// taskID names a round of a question.
func taskID(question retrieval.QuestionID, round int) string {
	if round == 1 {
		return string(question)
	}
	return fmt.Sprintf("%s-%d", question, round)
}

// see notes when rounds begin and end.
func (b *builder) see(r *run, deed contest.Recorded) {
	end := func() {
		if n := len(r.Tasks); n > 0 && r.Tasks[n-1].Ended == nil {
			r.Tasks[n-1].Ended = millis(deed.At)
		}
	}
	switch e := deed.Event.(type) {
	case contest.Opened:
		r.Created = deed.At.UnixMilli()
	case contest.QuestionStarted:
		end()
		id := taskID(e.Question, e.Round)
		b.rounds[id] = len(r.Tasks)
		r.Tasks = append(r.Tasks, taskRun{ID: id, Template: string(e.Question), Started: millis(deed.At), Submissions: []submission{}})
	case contest.QuestionStopped, contest.ContestReset:
		end()
	}
}

func (b *builder) submission(a *contest.Attempt) submission {
	team, _ := b.state.Team(a.Team)
	id, name := string(a.Team), team.Name
	seq := strconv.FormatUint(uint64(a.Seq), 10)
	return submission{
		ID: seq, Team: id, Member: id, TeamName: name, MemberName: name, Timestamp: a.Arrived.UnixMilli(),
		Answers: []answerSet{{ID: seq, Status: status(a), Task: taskID(a.Question, a.Round), Answers: b.answers(a)}},
	}
}

// status says what an attempt is in DRES's words. What the jury does not count
// at all is undecidable.
func status(a *contest.Attempt) string {
	switch {
	case a.Verdict == contest.VerdictVoid:
		return "UNDECIDABLE"
	case a.Current.CorrectnessFactor > 0:
		return "CORRECT"
	}
	return "WRONG"
}

// answers are those of an attempt as they were sent, or as they were understood if
// they were not sent as JSON.
func (b *builder) answers(a *contest.Attempt) []answer {
	all := []answer{}
	name := b.mediaOf(a)
	if body, err := retrieval.ParseBody([]byte(a.Body)); err == nil {
		items := body.Items
		if len(items) == 0 {
			items = []retrieval.Item{{Text: body.Text}}
		}
		for _, i := range items {
			if i.Media != "" {
				i.Media = name // every answer names the same video, in some spelling
			}
			all = append(all, sent(i))
		}
		return all
	}
	if a.Answer.Text != "" || len(a.Answer.Values) == 0 {
		return append(all, sent(retrieval.Item{Text: a.Answer.Text, Media: name}))
	}
	for _, value := range a.Answer.Values {
		all = append(all, sent(retrieval.Item{Media: name, Start: &value}))
	}
	return all
}

// mediaOf returns the video of an attempt, spelled as the question does if it is
// that of the question.
func (b *builder) mediaOf(a *contest.Attempt) string {
	q, _ := b.state.Question(a.Question)
	if a.Answer.Video == q.Video && (a.Answer.Scene == "" || a.Answer.Scene == q.Scene) {
		return mediaName(q.Scene, q.Video)
	}
	return mediaName(a.Answer.Scene, a.Answer.Video)
}

// sent makes an answer of one that a client sent.
func sent(i retrieval.Item) answer {
	a := answer{Type: "ITEM", Start: whole(i.Start), End: whole(i.End)}
	if i.Media != "" {
		a.Item = item(i.Media, 0)
	}
	if i.Text != "" {
		a.Text = &i.Text
	}
	switch {
	case a.Start == nil:
		a.Start = a.End
	case a.End == nil:
		a.End = a.Start
	}
	switch {
	case i.Media == "":
		a.Type = "TEXT"
	case a.Start != nil:
		a.Type = "TEMPORAL"
	}
	return a
}

func whole(ms *float64) *int64 {
	if ms == nil {
		return nil
	}
	value := int64(math.Round(*ms))
	return &value
}

func item(name string, fps float64) *mediaItem {
	i := &mediaItem{ID: name, Name: name, Type: typeVideo, Collection: collection, Metadata: []any{}}
	if fps > 0 {
		i.FPS = &fps
	}
	return i
}

func mediaName(scene, video string) string {
	if scene == "" {
		return video
	}
	return scene + "_" + video
}

// template is the contest as a template with its ground truth.
func (b *builder) template() template {
	state := b.state
	settings, rules := state.Settings(), state.Rules()
	t := template{
		ID: state.Contest(), Name: settings.Name, TaskTypes: []taskType{}, TaskGroups: []taskGroup{}, Tasks: []task{}, Teams: []team{},
		TeamGroups: []teamGroup{}, Judges: []string{}, Viewers: []string{},
	}
	seen := map[retrieval.Type]bool{}
	for _, q := range state.Questions() {
		limit, _ := state.Limits(&q)
		if kind := string(q.Type); !seen[q.Type] {
			seen[q.Type] = true
			t.TaskTypes = append(t.TaskTypes, taskType{
				Name: kind, Duration: int64(limit / time.Second), TargetOption: targetOption(q.Type), HintOptions: []string{}, TaskOptions: []string{},
				SubmissionOptions: []string{"LIMIT_CORRECT_PER_TEAM"}, ScoreOption: "KIS", Configuration: map[string]string{
					"LIMIT_CORRECT_PER_TEAM.limit": "1", "KIS.maxPointsPerTask": figure(rules.PMax), "KIS.maxPointsAtTaskEnd": figure(rules.PBase), "KIS.penaltyPerWrongSubmission": figure(rules.PPenalty),
				},
			})
			t.TaskGroups = append(t.TaskGroups, taskGroup{Name: kind, Type: kind})
		}
		t.Tasks = append(t.Tasks, task{
			ID: string(q.ID), Name: string(q.ID), Group: string(q.Type), Type: string(q.Type), Duration: int64(limit / time.Second), Collection: collection,
			Targets: targets(&q, rules.FormOf(&q).FPS), Hints: []hint{},
		})
	}
	for _, one := range state.Teams() {
		if !b.shows(&one) {
			continue
		}
		id := string(one.ID)
		t.Teams = append(t.Teams, team{ID: id, Name: one.Name, Users: []user{{ID: id, Username: one.Name, Role: "PARTICIPANT"}}})
	}
	return t
}

func figure(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// targetOption is what DRES asks of the targets of a type.
func targetOption(kind retrieval.Type) string {
	switch kind {
	case retrieval.QA:
		return "TEXT"
	case retrieval.TR:
		return optionTRAKE
	}
	return "SINGLE_MEDIA_SEGMENT"
}

// targets are the ground truth of a question: its events, and its texts.
func targets(q *retrieval.Question, fps float64) []target {
	all := []target{}
	name := mediaName(q.Scene, q.Video)
	for _, event := range q.Events {
		t := target{Type: targetItem, Target: &name, Item: item(name, q.FPS)}
		if !q.WholeVideo() {
			start, end := float64(event.Start), float64(event.End)
			if q.Type == retrieval.TR {
				start, end = start/fps*1000, end/fps*1000
			}
			t.Type, t.Range = targetRange, &span{point{figure(math.Round(start)), unitMilliseconds}, point{figure(math.Round(end)), unitMilliseconds}}
		}
		all = append(all, t)
	}
	for _, answer := range q.Answers {
		all = append(all, target{Type: targetText, Target: &answer})
	}
	return all
}
