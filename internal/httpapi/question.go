package httpapi

import (
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"scorebook/contest"
	"scorebook/retrieval"
)

// status is where a question stands. Times are in seconds.
type status struct {
	ID         retrieval.QuestionID `json:"question_id"`
	Type       retrieval.Type       `json:"type" enum:"KIS,QA,TR"`
	Status     contest.Status       `json:"status" enum:"pending,running,buffer,ended,revealed"`
	IsActive   bool                 `json:"is_active" doc:"Submissions are taken now"`
	Round      int                  `json:"round" doc:"How often it was started"`
	Voided     bool                 `json:"voided" doc:"It does not count"`
	StartedAt  *time.Time           `json:"started_at,omitempty"`
	EndedAt    *time.Time           `json:"ended_at,omitempty" doc:"When it was stopped"`
	TimeLimit  float64              `json:"time_limit" doc:"With extensions; before the start, what it will be if nothing else is said"`
	BufferTime float64              `json:"buffer_time"`
	Elapsed    float64              `json:"elapsed_time"`
	Remaining  float64              `json:"remaining_time" doc:"Of the time limit, without the buffer"`
	ServerTime time.Time            `json:"server_time"`
	Truth      *groundTruth         `json:"ground_truth,omitempty" doc:"Once it is revealed"`
}

// groundTruth is what the organisers know of a question.
type groundTruth struct {
	Scene   string            `json:"scene_id"`
	Video   string            `json:"video_id"`
	Events  []retrieval.Event `json:"events" nullable:"false" doc:"Milliseconds; of TR questions frames"`
	Answers []string          `json:"answers,omitempty" doc:"QA: the accepted texts"`
}

func truthOf(q retrieval.Question) *groundTruth {
	return &groundTruth{Scene: q.Scene, Video: q.Video, Events: q.Events, Answers: q.Answers}
}

// statusOf returns where a question stands, with the ground truth if it is
// revealed.
func statusOf(state *contest.State, q retrieval.Question, now time.Time) status {
	round := state.Round(q.ID)
	s := roundStatus(round, q.Type, now)
	if round.Number == 0 {
		limit, buffer := state.Limits(&q)
		s.TimeLimit, s.BufferTime = seconds(limit), seconds(buffer)
	}
	if round.Revealed {
		s.Truth = truthOf(q)
	}
	return s
}

// roundStatus is statusOf without what only the state knows.
func roundStatus(round contest.Round, t retrieval.Type, now time.Time) status {
	s := status{
		ID: round.Question, Type: t, Status: round.Status(now), Round: round.Number, Voided: round.Voided,
		TimeLimit: seconds(round.Limit), BufferTime: seconds(round.Buffer),
		Elapsed: seconds(round.Elapsed(now)), Remaining: seconds(round.Remaining(now)), ServerTime: now.UTC(),
	}
	s.IsActive = round.Active && (s.Status == contest.StatusRunning || s.Status == contest.StatusBuffer)
	if round.Number > 0 {
		s.StartedAt = &round.Started
	}
	if !round.Ended.IsZero() {
		s.EndedAt = &round.Ended
	}
	return s
}

// parameter returns a part of the path.
func (x *exchange) parameter(name string) string {
	value := chi.URLParam(x.request, name)
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

// findStatus returns the status of the question with an id.
func (a *api) findStatus(id retrieval.QuestionID, now time.Time) (s status, err error) {
	a.svc.Read(func(state *contest.State) {
		question, ok := state.Question(id)
		if !ok {
			err = refuse(http.StatusNotFound, string(contest.UnknownQuestion), "there is no question %.80q: GET /questions lists them", id)
			return
		}
		s = statusOf(state, question, now)
	})
	return s, err
}

func (a *api) questionStatus(x *exchange) error {
	s, err := a.findStatus(retrieval.QuestionID(x.parameter("id")), x.arrived)
	if err != nil {
		return err
	}
	return x.reply(s)
}

// questionList is every question, in the order of the contest.
type questionList struct {
	Questions []questionLine `json:"questions" nullable:"false"`
}

type questionLine struct {
	ID     retrieval.QuestionID `json:"id"`
	Type   retrieval.Type       `json:"type" enum:"KIS,QA,TR"`
	Status contest.Status       `json:"status" enum:"pending,running,buffer,ended,revealed"`
}

func (a *api) questions(x *exchange) error {
	list := questionList{Questions: []questionLine{}}
	a.svc.Read(func(state *contest.State) {
		for _, q := range state.Questions() {
			list.Questions = append(list.Questions, questionLine{q.ID, q.Type, state.Round(q.ID).Status(x.arrived)})
		}
	})
	return x.reply(list)
}

// config is what a client needs to know about the contest.
type config struct {
	Contest      string                                   `json:"contest_id"`
	Name         string                                   `json:"name"`
	ActiveID     *retrieval.QuestionID                    `json:"active_question_id" doc:"null: no question was started, or the last one was stopped"`
	Active       *activeQuestion                          `json:"active_question,omitempty" doc:"Left out if there is none"`
	Scoring      retrieval.Ruleset                        `json:"scoring"`
	Registration contest.RegistrationMode                 `json:"registration" enum:"open,code,closed,always"`
	RateLimit    rateLimit                                `json:"rate_limit"`
	TimeZone     string                                   `json:"time_zone,omitempty"`
	Questions    map[retrieval.QuestionID]questionDefault `json:"questions"`
}

type activeQuestion struct {
	ID         retrieval.QuestionID `json:"id"`
	Type       retrieval.Type       `json:"type" enum:"KIS,QA,TR"`
	TimeLimit  float64              `json:"time_limit"`
	BufferTime float64              `json:"buffer_time"`
	IsActive   bool                 `json:"is_active" doc:"Submissions are taken now"`
}

type rateLimit struct {
	PerSecond float64 `json:"per_second" doc:"Submissions of a team"`
	Burst     int     `json:"burst"`
}

type questionDefault struct {
	Type       retrieval.Type `json:"type" enum:"KIS,QA,TR"`
	TimeLimit  float64        `json:"default_time_limit"`
	BufferTime float64        `json:"default_buffer_time"`
}

func (a *api) config(x *exchange) error {
	var c config
	a.svc.Read(func(state *contest.State) {
		settings := state.Settings()
		c = config{
			Contest: state.Contest(), Name: settings.Name, Scoring: state.Rules(), Registration: settings.Registration,
			RateLimit: rateLimit{settings.RatePerSec, settings.RateBurst}, TimeZone: settings.TimeZone,
			Questions: map[retrieval.QuestionID]questionDefault{},
		}
		for _, q := range state.Questions() {
			limit, buffer := state.Limits(&q)
			c.Questions[q.ID] = questionDefault{q.Type, seconds(limit), seconds(buffer)}
		}
		if id := state.ActiveQuestion(); id != "" {
			question, _ := state.Question(id)
			s := statusOf(state, question, x.arrived)
			c.ActiveID, c.Active = &id, &activeQuestion{s.ID, s.Type, s.TimeLimit, s.BufferTime, s.IsActive}
		}
	})
	return x.reply(c)
}
