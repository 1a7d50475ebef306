package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// sessions is every question that was started.
type sessions struct {
	Sessions []session `json:"sessions" nullable:"false"`
}

type session struct {
	Status   status `json:"status"`
	Teams    int    `json:"teams" doc:"That tried it"`
	Attempts int    `json:"attempts" doc:"That count"`
	Solved   int    `json:"solved" doc:"Teams with points"`
}

func (a *api) sessions(x *exchange) error {
	list := sessions{Sessions: []session{}}
	table := &a.svc.Snapshot().Jury
	for i := range table.Columns {
		column := &table.Columns[i]
		if column.Number == 0 {
			continue
		}
		s := session{Status: roundStatus(column.Round, column.Type, x.arrived)}
		for j := range table.Rows {
			result := &table.Rows[j].Cells[i]
			s.Attempts += result.Attempts
			if result.Attempts > 0 {
				s.Teams++
			}
			if result.Scoring > 0 {
				s.Solved++
			}
		}
		list.Sessions = append(list.Sessions, s)
	}
	return x.reply(list)
}

// Bounds on a page of submissions.
const (
	defaultPage = 100
	maxPage     = 500
)

// attempts is a page of submissions, oldest first.
type attempts struct {
	Submissions []juryAttempt `json:"submissions" nullable:"false"`
	Next        contest.Seq   `json:"next,omitempty" doc:"after of the next page; left out on the last one"`
}

// juryAttempt is an attempt as the jury sees it.
type juryAttempt struct {
	Seq        contest.Seq          `json:"submission"`
	Receipt    string               `json:"receipt,omitempty"`
	Team       contest.TeamID       `json:"team_id"`
	Name       string               `json:"team_name"`
	Question   retrieval.QuestionID `json:"question_id"`
	Round      int                  `json:"round"`
	Arrived    time.Time            `json:"arrived"`
	Elapsed    float64              `json:"elapsed_time"`
	Body       string               `json:"body" doc:"As sent, but for the token"`
	Answer     retrieval.Answer     `json:"answer" doc:"As understood"`
	Announced  retrieval.Result     `json:"announced"`
	Current    retrieval.Result     `json:"current"`
	Verdict    contest.Verdict      `json:"verdict,omitempty" doc:"Of the jury"`
	Reason     string               `json:"reason,omitempty"`
	Superseded bool                 `json:"superseded" doc:"It came after the attempt that ended the question for the team"`
	Void       bool                 `json:"void" doc:"Its round was restarted or reset"`
	Steps      []string             `json:"steps,omitempty" doc:"The arithmetic"`
}

func juryAttemptOf(state *contest.State, attempt *contest.Attempt) juryAttempt {
	team, _ := state.Team(attempt.Team)
	j := juryAttempt{
		Seq: attempt.Seq, Team: attempt.Team, Name: team.Name, Question: attempt.Question, Round: attempt.Round,
		Arrived: attempt.Arrived, Elapsed: seconds(attempt.Elapsed), Body: attempt.Body, Answer: attempt.Answer,
		Announced: attempt.Announced, Current: attempt.Current, Verdict: attempt.Verdict, Reason: attempt.Reason,
		Superseded: attempt.Superseded, Void: attempt.Void,
	}
	if explanation, ok := state.Explain(attempt.Seq); ok {
		j.Steps = explanation.Steps
	}
	return j
}

func (a *api) submissions(x *exchange) error {
	query := x.request.URL.Query()
	question, team := retrieval.QuestionID(query.Get("question")), contest.TeamID(query.Get("team"))
	after, err := whole(query.Get("after"), "after", 0, 0, 1<<62)
	if err != nil {
		return err
	}
	limit, err := whole(query.Get("limit"), "limit", defaultPage, 1, maxPage)
	if err != nil {
		return err
	}
	page := attempts{Submissions: []juryAttempt{}}
	a.svc.Read(func(state *contest.State) {
		for _, attempt := range state.Attempts() {
			switch {
			case uint64(attempt.Seq) <= after, question != "" && attempt.Question != question, team != "" && attempt.Team != team:
				continue
			case uint64(len(page.Submissions)) == limit:
				page.Next = page.Submissions[len(page.Submissions)-1].Seq
				return
			}
			page.Submissions = append(page.Submissions, juryAttemptOf(state, attempt))
		}
	})
	return x.reply(page)
}

// whole reads a number of the query.
func whole(text, field string, otherwise, least, most uint64) (uint64, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, invalid("%s: found %.40q, expected a whole number from %d to %d", field, text, least, most)
	}
	return n, nil
}

// explained is an attempt with its arithmetic.
type explained struct {
	Submission  juryAttempt            `json:"submission"`
	Explanation *retrieval.Explanation `json:"explanation,omitempty" doc:"As the rules judge it now, whatever the jury's verdict is"`
}

func (a *api) explainSubmission(x *exchange) error {
	number, _, _ := strings.Cut(x.parameter("seq"), "-")
	seq, _ := strconv.ParseUint(number, 10, 64) // 0 is no submission
	var e explained
	a.svc.Read(func(state *contest.State) {
		attempt, ok := state.Attempt(contest.Seq(seq))
		if !ok {
			return
		}
		e.Submission = juryAttemptOf(state, &attempt)
		if explanation, ok := state.Explain(attempt.Seq); ok {
			e.Explanation = &explanation
		}
	})
	if e.Submission.Seq == 0 {
		return refuse(http.StatusNotFound, string(contest.UnknownSubmission), "there is no submission with the number %.40q", x.parameter("seq"))
	}
	record, err := a.svc.Record(x.request.Context(), e.Submission.Seq)
	if err != nil {
		return err
	}
	e.Submission.Receipt = receipt(record.Seq, record.Hash)
	return x.reply(e)
}

// fullQuestions is every question with its ground truth.
type fullQuestions struct {
	Questions []fullQuestion `json:"questions" nullable:"false"`
}

type fullQuestion struct {
	Status status      `json:"status"`
	Truth  groundTruth `json:"ground_truth"`
}

func (a *api) fullQuestions(x *exchange) error {
	list := fullQuestions{Questions: []fullQuestion{}}
	a.svc.Read(func(state *contest.State) {
		for _, question := range state.Questions() {
			list.Questions = append(list.Questions, fullQuestion{statusOf(state, question, x.arrived), *truthOf(question)})
		}
	})
	return x.reply(list)
}

func (a *api) juryBoard(x *exchange) error {
	snapshot := a.svc.Snapshot()
	return x.cached(snapshot, "jury-board", func() any { return boardOf(snapshot, &snapshot.Jury) })
}

// series is how the standings came about.
type series struct {
	Changes []change `json:"changes" nullable:"false"`
}

type change struct {
	Seq      contest.Seq          `json:"submission"`
	At       time.Time            `json:"at"`
	Team     contest.TeamID       `json:"team_id"`
	Question retrieval.QuestionID `json:"question_id"`
	Score    float64              `json:"score" doc:"At the question"`
	Total    float64              `json:"total_score"`
	Rank     int                  `json:"rank" doc:"After this change"`
}

func (a *api) series(x *exchange) error {
	return x.cached(a.svc.Snapshot(), "series", func() any {
		list := series{Changes: []change{}}
		a.svc.Read(func(state *contest.State) {
			for _, c := range state.Series(nil) {
				list.Changes = append(list.Changes, change{c.Seq, c.At, c.Team, c.Question, round2(c.Score), round2(c.Total), c.Rank})
			}
		})
		return list
	})
}

func (a *api) export(x *exchange) error {
	simulated := false
	switch said := x.request.URL.Query().Get("simulated"); said {
	case "", "false":
	case "true":
		simulated = true
	default:
		return invalid("simulated: found %.40q, expected true or false", said)
	}
	x.Header().Set("Content-Type", "application/zip")
	x.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="scorebook-%d.zip"`, a.svc.Durable()))
	if err := a.svc.Export(x.request.Context(), &patient{x}, simulated); err != nil {
		if x.status == 0 {
			x.Header().Del("Content-Disposition")
			return err
		}
		a.log.Error("an export broke off", "request_id", x.id, "error", err)
		panic(http.ErrAbortHandler) // so that the client sees that something is missing
	}
	return nil
}

// patient gives each write its own deadline.
type patient struct{ x *exchange }

var _ io.Writer = (*patient)(nil)

// Write implements io.Writer.
func (p *patient) Write(b []byte) (int, error) {
	_ = p.x.control().SetWriteDeadline(time.Now().Add(writeTime))
	return p.x.Write(b)
}
