package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"scorebook/contest"
	"scorebook/retrieval"
)

// book writes the tables of a contest.
type book struct {
	state     *contest.State
	simulated bool
}

// shown reports whether a team has a place in the tables.
func (b book) shown(team contest.Team) bool { return b.simulated || !team.Simulated }

// rows are those of the jury's table, ranked among the teams that are shown.
func (b book) rows() contest.Table { return b.state.Among(b.shown) }

// text makes a cell that no spreadsheet takes for a formula: people choose
// their teams' names.
func text(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func seconds(d time.Duration) string { return number(d.Seconds()) }

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func write(w io.Writer, rows [][]string) error { return csv.NewWriter(w).WriteAll(rows) }

func (b book) standingsCSV(w io.Writer) error {
	table := b.rows()
	header := []string{"rank", "team_id", "team_name", "simulated", "banned", "total", "time_s"}
	for _, c := range table.Columns {
		id := text(string(c.Question))
		header = append(header, id+" score", id+" time_s", id+" wrong")
	}
	rows := [][]string{header}
	for _, r := range table.Rows {
		rank := ""
		if r.Rank > 0 {
			rank = strconv.Itoa(r.Rank)
		}
		row := []string{rank, string(r.ID), text(r.Name), strconv.FormatBool(r.Simulated), strconv.FormatBool(r.Banned), number(r.Total), seconds(r.Time)}
		for _, c := range r.Cells {
			if c.Attempts == 0 {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, number(c.Score), seconds(c.Time), strconv.Itoa(c.Wrong))
		}
		rows = append(rows, row)
	}
	return write(w, rows)
}

// cell, row and column are how standings.json tells them.
type cell struct {
	Score       float64               `json:"score"`
	Correctness retrieval.Correctness `json:"correctness,omitempty"`
	Time        float64               `json:"time_s"`
	Attempts    int                   `json:"attempts"`
	Wrong       int                   `json:"wrong_attempts"`
	Submission  contest.Seq           `json:"submission,omitempty"`
}

type row struct {
	Rank      int                           `json:"rank,omitempty"`
	Tied      bool                          `json:"tied"`
	ID        contest.TeamID                `json:"team_id"`
	Name      string                        `json:"team_name"`
	Simulated bool                          `json:"simulated"`
	Banned    bool                          `json:"banned"`
	Total     float64                       `json:"total"`
	Time      float64                       `json:"time_s"`
	Questions map[retrieval.QuestionID]cell `json:"questions"`
}

type column struct {
	ID     retrieval.QuestionID `json:"id"`
	Type   retrieval.Type       `json:"type"`
	Round  int                  `json:"round"`
	Voided bool                 `json:"voided"`
}

func (b book) standingsJSON(w io.Writer) error {
	table := b.rows()
	out := struct {
		Seq       contest.Seq `json:"seq"`
		Ruleset   string      `json:"ruleset"`
		Digest    string      `json:"ruleset_digest"`
		Questions []column    `json:"questions"`
		Teams     []row       `json:"teams"`
	}{Seq: table.Seq, Questions: []column{}, Teams: []row{}}
	rules := b.state.Rules()
	out.Ruleset, out.Digest = rules.Name, rules.Digest()
	for _, c := range table.Columns {
		out.Questions = append(out.Questions, column{c.Question, c.Type, c.Number, c.Voided})
	}
	for _, r := range table.Rows {
		team := row{r.Rank, r.Tied, r.ID, r.Name, r.Simulated, r.Banned, r.Total, r.Time.Seconds(), map[retrieval.QuestionID]cell{}}
		for i, c := range r.Cells {
			if c.Attempts > 0 {
				team.Questions[table.Columns[i].Question] = cell{c.Score, c.Correctness, c.Time.Seconds(), c.Attempts, c.Wrong, c.Scoring}
			}
		}
		out.Teams = append(out.Teams, team)
	}
	return writeJSON(w, out)
}

func (b book) submissionsCSV(w io.Writer) error {
	rows := [][]string{{
		"submission", "arrived", "elapsed_s", "team_id", "team_name", "question", "round", "scene_id", "video_id", "values", "answer",
		"announced_score", "score", "correctness", "wrong_before", "verdict", "reason", "superseded", "void",
	}}
	for _, a := range b.state.Attempts() {
		team, known := b.state.Team(a.Team)
		if known && !b.shown(team) {
			continue
		}
		var values []string
		for _, value := range a.Answer.Values {
			values = append(values, number(value))
		}
		rows = append(rows, []string{
			strconv.FormatUint(uint64(a.Seq), 10), moment(a.Arrived), seconds(a.Elapsed), string(a.Team), text(team.Name), text(string(a.Question)),
			strconv.Itoa(a.Round), text(a.Answer.Scene), text(a.Answer.Video), strings.Join(values, " "), text(a.Answer.Text),
			number(a.Announced.Score), number(a.Current.Score), string(a.Current.Correctness), strconv.Itoa(a.Current.WrongAttempts),
			string(a.Verdict), text(a.Reason), strconv.FormatBool(a.Superseded), strconv.FormatBool(a.Void),
		})
	}
	return write(w, rows)
}

func (b book) seriesCSV(w io.Writer) error {
	rows := [][]string{{"submission", "arrived", "team_id", "team_name", "question", "score", "total", "rank"}}
	for _, c := range b.state.Series(b.shown) {
		team, _ := b.state.Team(c.Team)
		rows = append(rows, []string{
			strconv.FormatUint(uint64(c.Seq), 10), moment(c.At), string(c.Team), text(team.Name), text(string(c.Question)),
			number(c.Score), number(c.Total), strconv.Itoa(c.Rank),
		})
	}
	return write(w, rows)
}
