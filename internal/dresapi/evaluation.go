package dresapi

import (
	"net/http"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// A contest is one evaluation, which is active as long as it is served: clients
// look for the active one.
const active = "ACTIVE"

// listed is an evaluation as clients list it.
type listed struct {
	ID                  string         `json:"id"`
	Name                string         `json:"name"`
	Type                string         `json:"type" enum:"SYNCHRONOUS,ASYNCHRONOUS,NON_INTERACTIVE"`
	Status              string         `json:"status" enum:"CREATED,ACTIVE,TERMINATED"`
	TemplateID          string         `json:"templateId"`
	TemplateDescription string         `json:"templateDescription"`
	Teams               []string       `json:"teams" nullable:"false"`
	Tasks               []taskTemplate `json:"taskTemplates" nullable:"false"`
}

// taskTemplate is a question.
type taskTemplate struct {
	Name     string `json:"name"`
	Group    string `json:"taskGroup"`
	Type     string `json:"taskType"`
	Duration int64  `json:"duration"` // seconds
}

// information is an evaluation as pages show it.
type information struct {
	ID                  string        `json:"id"`
	Name                string        `json:"name"`
	Type                string        `json:"type" enum:"SYNCHRONOUS,ASYNCHRONOUS,NON_INTERACTIVE"`
	Status              string        `json:"status" enum:"CREATED,ACTIVE,TERMINATED"`
	Properties          properties    `json:"properties"`
	TemplateID          string        `json:"templateId"`
	TemplateDescription string        `json:"templateDescription"`
	Teams               []participant `json:"teams" nullable:"false"`
	Tasks               []taskInfo    `json:"taskTemplates" nullable:"false"`
}

// taskInfo is a question as pages show it.
type taskInfo struct {
	ID       string `json:"templateId"`
	Name     string `json:"name"`
	Group    string `json:"taskGroup"`
	Type     string `json:"taskType"`
	Duration int64  `json:"duration"` // seconds
}

type properties struct {
	ParticipantCanView      bool `json:"participantCanView"`
	ShuffleTasks            bool `json:"shuffleTasks"`
	AllowRepeatedTasks      bool `json:"allowRepeatedTasks"`
	LimitSubmissionPreviews int  `json:"limitSubmissionPreviews"` // -1: no limit
}

type participant struct {
	ID    contest.TeamID `json:"id"`
	Name  string         `json:"name"`
	Color string         `json:"color"`
}

// standing is where an evaluation stands. Times are in whole seconds.
type standing struct {
	Evaluation   string  `json:"evaluationId"`
	Status       string  `json:"evaluationStatus" enum:"CREATED,ACTIVE,TERMINATED"`
	Task         *string `json:"taskId"`
	TaskStatus   string  `json:"taskStatus" enum:"NO_TASK,CREATED,PREPARING,RUNNING,ENDED,IGNORED"`
	TaskTemplate *string `json:"taskTemplateId"`
	Left         int64   `json:"timeLeft"`
	Elapsed      int64   `json:"timeElapsed"`
}

// colors tell teams apart.
var colors = []string{"#1b6ca8", "#c8371b", "#1d7a4d", "#8a5f00", "#6b4fa0", "#00707a", "#a3336b", "#5a6b1f"}

// taskTypes are the names that DRES's clients know the types by.
var taskTypes = map[retrieval.Type]string{retrieval.KIS: "KIS", retrieval.QA: "QA", retrieval.TR: "TRAKE"}

// evaluation is the contest as DRES sees it.
type evaluation struct {
	id, name  string
	questions []retrieval.Question
	rounds    []contest.Round
	tasks     []taskTemplate
	teams     []contest.Team
	current   int // the question that runs, else the last or the next one; -1: there is none
}

func (a *API) evaluation() (e evaluation) {
	a.svc.Read(func(state *contest.State) {
		e.id, e.name = state.Contest(), state.Settings().Name
		e.current = -1
		for i, q := range state.Questions() {
			round := state.Round(q.ID)
			limit := round.Limit
			if round.Number == 0 {
				limit, _ = state.Limits(&q)
			}
			e.questions, e.rounds = append(e.questions, q), append(e.rounds, round)
			e.tasks = append(e.tasks, taskTemplate{string(q.ID), string(q.Type), taskTypes[q.Type], int64(limit / time.Second)})
			if round.Number > 0 && (e.current < 0 || round.Active || !e.rounds[e.current].Active && round.Started.After(e.rounds[e.current].Started)) {
				e.current = i
			}
		}
		if e.current < 0 && len(e.questions) > 0 {
			e.current = 0
		}
		for _, team := range state.Teams() {
			if !team.Banned {
				e.teams = append(e.teams, team)
			}
		}
	})
	if e.tasks == nil {
		e.tasks = []taskTemplate{}
	}
	return e
}

// find returns the evaluation with the id of the path.
func (a *API) find(c *call) (evaluation, error) {
	if err := a.exists(c); err != nil {
		return evaluation{}, err
	}
	return a.evaluation(), nil
}

// exists returns an error unless the path names the evaluation that there is.
func (a *API) exists(c *call) error {
	id := ""
	a.svc.Read(func(state *contest.State) { id = state.Contest() })
	if c.id != id {
		return refuse(http.StatusNotFound, "There is no evaluation with this id: GET /api/v2/client/evaluation/list lists what there is.")
	}
	return nil
}

func (a *API) list(c *call) error {
	if _, _, err := a.team(c); err != nil {
		return err
	}
	e := a.evaluation()
	names := []string{}
	for _, team := range e.teams {
		names = append(names, team.Name)
	}
	return c.reply([]listed{{e.id, e.name, "SYNCHRONOUS", active, e.id, e.name, names, e.tasks}})
}

// currentTask gives the question that runs. Between questions it gives the last
// one: there are clients that never ask again after a 404.
func (a *API) currentTask(c *call) error {
	if _, _, err := a.team(c); err != nil {
		return err
	}
	e, err := a.find(c)
	if err != nil {
		return err
	}
	if e.current < 0 {
		return refuse(http.StatusNotFound, "The evaluation has no tasks.")
	}
	return c.reply(e.tasks[e.current])
}

func (e *evaluation) information() information {
	teams, tasks := []participant{}, []taskInfo{}
	for _, task := range e.tasks {
		tasks = append(tasks, taskInfo{task.Name, task.Name, task.Group, task.Type, task.Duration})
	}
	for i, team := range e.teams {
		teams = append(teams, participant{team.ID, team.Name, colors[i%len(colors)]})
	}
	return information{e.id, e.name, "SYNCHRONOUS", active, properties{true, false, false, -1}, e.id, e.name, teams, tasks}
}

func (e *evaluation) standing(now time.Time) standing {
	s := standing{Evaluation: e.id, Status: active, TaskStatus: "NO_TASK"}
	if e.current < 0 {
		return s
	}
	round := &e.rounds[e.current]
	if round.Number == 0 {
		return s
	}
	id := string(e.questions[e.current].ID)
	s.Task, s.TaskTemplate = &id, &id
	s.Left, s.Elapsed = int64(round.Remaining(now)/time.Second), int64(round.Elapsed(now)/time.Second)
	switch status := round.Status(now); {
	case round.Voided:
		s.TaskStatus = "IGNORED"
	case round.Active && (status == contest.StatusRunning || status == contest.StatusBuffer):
		s.TaskStatus = "RUNNING"
	default:
		s.TaskStatus = "ENDED"
	}
	return s
}

func (a *API) infos(c *call) error {
	if _, _, err := a.team(c); err != nil {
		return err
	}
	e := a.evaluation()
	return c.reply([]information{e.information()})
}

func (a *API) info(c *call) error {
	if _, _, err := a.team(c); err != nil {
		return err
	}
	e, err := a.find(c)
	if err != nil {
		return err
	}
	return c.reply(e.information())
}

// states is for everybody: clients ask for it before they have signed in.
func (a *API) states(c *call) error {
	e := a.evaluation()
	return c.reply([]standing{e.standing(c.arrived)})
}

func (a *API) state(c *call) error {
	if _, _, err := a.team(c); err != nil {
		return err
	}
	e, err := a.find(c)
	if err != nil {
		return err
	}
	return c.reply(e.standing(c.arrived))
}

// currentTime is in milliseconds since 1970.
type currentTime struct {
	Time int64 `json:"timeStamp"`
}

// serverInfo has its start in milliseconds since 1970, and its age likewise.
type serverInfo struct {
	Version string `json:"version"`
	Started int64  `json:"startTime"`
	Uptime  int64  `json:"uptime"`
}

func (a *API) time(c *call) error {
	return c.reply(currentTime{c.arrived.UnixMilli()})
}

func (a *API) about(c *call) error {
	return c.reply(serverInfo{"Scorebook " + a.options.Version, a.started.UnixMilli(), c.arrived.Sub(a.started).Milliseconds()})
}
