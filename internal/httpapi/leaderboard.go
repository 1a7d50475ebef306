package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// ranking is the table as a list.
type ranking struct {
	Seq      contest.Seq          `json:"seq"`
	Question retrieval.QuestionID `json:"question_id,omitempty" doc:"Only this question's"`
	Frozen   *time.Time           `json:"frozen_since,omitempty" doc:"The public's ranking stands still since then"`
	Rows     []rankingRow         `json:"leaderboard" nullable:"false"`
}

type rankingRow struct {
	Rank      int            `json:"rank" doc:"From 1; teams equal in score and time share it; 0: not ranked"`
	Tied      bool           `json:"tied"`
	Team      contest.TeamID `json:"team_id"`
	Name      string         `json:"team_name"`
	Simulated bool           `json:"simulated"`
	Total     float64        `json:"total_score"`
	Time      float64        `json:"time" doc:"Seconds, of the attempts that stand"`
	Solved    int            `json:"solved" doc:"Questions with points"`
}

// frozenSince returns since when the public's table stands still, or nil.
func frozenSince(table *contest.Table) *time.Time {
	if table.Frozen.IsZero() {
		return nil
	}
	return &table.Frozen
}

func rankingOf(table *contest.Table) []rankingRow {
	rows := make([]rankingRow, len(table.Rows))
	for i := range table.Rows {
		r := &table.Rows[i]
		rows[i] = rankingRow{r.Rank, r.Tied, r.ID, r.Name, r.Simulated, round2(r.Total), seconds(r.Time), solved(table, r)}
	}
	return rows
}

// solved counts the questions that a row has points for.
func solved(table *contest.Table, row *contest.Row) (n int) {
	for i := range row.Cells {
		if row.Cells[i].Scoring > 0 && !table.Columns[i].Voided {
			n++
		}
	}
	return n
}

// questionRanking is the table of one question.
func questionRanking(table *contest.Table, id retrieval.QuestionID) ([]rankingRow, error) {
	for column := range table.Columns {
		if table.Columns[column].Question != id {
			continue
		}
		teams := map[string]*contest.Row{}
		for i := range table.Rows {
			teams[string(table.Rows[i].ID)] = &table.Rows[i]
		}
		rows := []rankingRow{}
		for _, ranked := range table.Of(column) {
			team, n := teams[ranked.Name], 0
			if team.Cells[column].Scoring > 0 {
				n = 1
			}
			rows = append(rows, rankingRow{
				ranked.Rank, ranked.Tied, team.ID, team.Name, team.Simulated, round2(ranked.Total), seconds(ranked.Time), n,
			})
		}
		return rows, nil
	}
	return nil, refuse(http.StatusNotFound, string(contest.UnknownQuestion), "there is no question %.80q: GET /questions lists them", id)
}

func (a *api) leaderboard(x *exchange) error {
	snapshot := a.svc.Snapshot()
	id := retrieval.QuestionID(x.request.URL.Query().Get("question"))
	if id == "" {
		return x.cached(snapshot, "leaderboard", func() any {
			return ranking{Seq: snapshot.Seq, Frozen: frozenSince(&snapshot.Public), Rows: rankingOf(&snapshot.Public)}
		})
	}
	rows, err := questionRanking(&snapshot.Public, id)
	if err != nil {
		return err
	}
	return x.reply(ranking{Seq: snapshot.Seq, Question: id, Frozen: frozenSince(&snapshot.Public), Rows: rows})
}

// board is the table with all cells.
type board struct {
	Seq       contest.Seq            `json:"seq"`
	ActiveID  *retrieval.QuestionID  `json:"active_question_id"`
	Frozen    *time.Time             `json:"frozen_since,omitempty" doc:"The public's ranking stands still since then"`
	Questions []retrieval.QuestionID `json:"questions" nullable:"false" doc:"In the order of the contest"`
	Teams     []boardTeam            `json:"teams" nullable:"false" doc:"Best first"`
}

type boardTeam struct {
	Rank      int                           `json:"rank"`
	Tied      bool                          `json:"tied"`
	Team      contest.TeamID                `json:"team_id"`
	Name      string                        `json:"team_name"`
	IsReal    bool                          `json:"is_real" doc:"Not simulated"`
	Simulated bool                          `json:"simulated"`
	Banned    bool                          `json:"banned,omitempty" doc:"For the jury only"`
	Total     float64                       `json:"total_score"`
	Time      float64                       `json:"total_time"`
	Questions map[retrieval.QuestionID]cell `json:"questions"`
}

type cell struct {
	Score       float64               `json:"score"`
	Wrong       int                   `json:"wrong_count"`
	Correct     int                   `json:"correct_count"`
	Correctness retrieval.Correctness `json:"correctness,omitempty" enum:"full,partial" doc:"Of the attempt that stands"`
	Time        float64               `json:"time" doc:"Seconds to the attempt that stands"`
	Attempts    int                   `json:"attempts"`
	Completed   bool                  `json:"completed" doc:"No further attempt counts"`
}

func cellOf(r *contest.Result) cell {
	return cell{round2(r.Score), r.Wrong, r.Attempts - r.Wrong, r.Correctness, seconds(r.Time), r.Attempts, r.Completed}
}

// boardTeamOf returns a row. If sparse, questions without attempts are left
// out.
func boardTeamOf(table *contest.Table, r *contest.Row, sparse bool) boardTeam {
	team := boardTeam{
		Rank: r.Rank, Tied: r.Tied, Team: r.ID, Name: r.Name, IsReal: !r.Simulated, Simulated: r.Simulated, Banned: r.Banned,
		Total: round2(r.Total), Time: seconds(r.Time), Questions: map[retrieval.QuestionID]cell{},
	}
	for i := range r.Cells {
		if !sparse || r.Cells[i].Attempts > 0 {
			team.Questions[table.Columns[i].Question] = cellOf(&r.Cells[i])
		}
	}
	return team
}

func boardOf(snapshot *service.Snapshot, table *contest.Table) board {
	b := board{
		Seq: snapshot.Seq, Frozen: frozenSince(table), Questions: make([]retrieval.QuestionID, len(table.Columns)), Teams: make([]boardTeam, len(table.Rows)),
	}
	if snapshot.Active.Number > 0 {
		b.ActiveID = &snapshot.Active.Question
	}
	for i := range table.Columns {
		b.Questions[i] = table.Columns[i].Question
	}
	for i := range table.Rows {
		b.Teams[i] = boardTeamOf(table, &table.Rows[i], false)
	}
	return b
}

func (a *api) leaderboardData(x *exchange) error {
	snapshot := a.svc.Snapshot()
	return x.cached(snapshot, "leaderboard-data", func() any { return boardOf(snapshot, &snapshot.Public) })
}

// cached sends what is the same for all who ask at a snapshot. It is encoded
// once, and not sent again to a client that has it.
func (x *exchange) cached(snapshot *service.Snapshot, key string, content func() any) error {
	tag := fmt.Sprintf(`"%d"`, snapshot.Seq)
	x.Header().Set("ETag", tag)
	x.Header().Set("Cache-Control", "no-cache") // it may be kept, and must be asked for
	for _, known := range strings.Split(x.request.Header.Get("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == tag {
			x.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	body, ok := snapshot.Rendered(key, func() any {
		encoded, err := json.Marshal(content())
		if err != nil {
			return nil
		}
		return append(encoded, '\n')
	}).([]byte)
	if !ok {
		return fmt.Errorf("encode %s", key)
	}
	return x.send(http.StatusOK, "application/json", body)
}
