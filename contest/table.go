package contest

import (
	"time"

	"scorebook/retrieval"
	"scorebook/standings"
)

// Table is the standings after an event.
type Table struct {
	Seq     Seq
	Frozen  time.Time // since when the public's standings stand still; zero: they do not
	Columns []Column  // every question, in the order of the ground truth
	Rows    []Row     // best first; unranked teams last
}

// Column is a question in the table.
type Column struct {
	Type retrieval.Type
	Round
}

// Row is a team in the table.
type Row struct {
	Team
	Rank  int // from 1; 0: unranked, as banned teams are
	Tied  bool
	Total float64       // of the questions that are not voided
	Time  time.Duration // likewise: of the attempts that stand
	Cells []Result      // one for each column
}

// Jury returns the standings as the jury sees them: all teams, the banned ones
// unranked.
func (s *State) Jury() Table { return s.Among(nil) }

// Among returns the jury's standings as if only the teams that keep says yes to
// took part; nil keeps all.
func (s *State) Among(keep func(Team) bool) Table {
	return s.table(keep, (*team).result)
}

// table makes standings of what result says of a team's attempts at a question.
func (s *State) table(keep func(Team) bool, result func(*team, retrieval.QuestionID) Result) Table {
	table := Table{Seq: s.seq, Frozen: s.Frozen(), Columns: make([]Column, len(s.questions)), Rows: make([]Row, 0, len(s.teams))}
	for i, q := range s.questions {
		table.Columns[i] = Column{Type: q.Type, Round: s.Round(q.ID)}
	}
	rows := make(map[string]Row, len(s.teams))
	entries := make([]standings.Entry, 0, len(s.teams))
	for _, t := range s.teams {
		if keep != nil && !keep(t.Team) {
			continue
		}
		row := Row{Team: t.Team, Cells: make([]Result, len(s.questions))}
		for j, q := range s.questions {
			r := result(t, q.ID)
			row.Cells[j] = r
			if !table.Columns[j].Voided {
				row.Total += r.Score
				row.Time += r.Time
			}
		}
		// Names are told apart by their key alone, so the name for the order
		// is followed by the id.
		name := t.Name + "\x00" + string(t.ID)
		rows[name] = row
		entries = append(entries, standings.Entry{Name: name, Total: row.Total, Time: row.Time, Unranked: t.Banned})
	}
	for _, ranked := range standings.Rank(entries) {
		row := rows[ranked.Name]
		row.Rank, row.Tied = ranked.Rank, ranked.Tied
		table.Rows = append(table.Rows, row)
	}
	return table
}

// Of returns the ranks of the teams at one question, in its order: by score,
// then by time. Teams that did not score at it are unranked.
func (t Table) Of(column int) []standings.Row {
	entries := make([]standings.Entry, 0, len(t.Rows))
	for _, row := range t.Rows {
		cell := row.Cells[column]
		entries = append(entries, standings.Entry{
			Name: string(row.ID), Total: cell.Score, Time: cell.Time, Unranked: row.Banned || cell.Scoring == 0,
		})
	}
	return standings.Rank(entries)
}

// Change is a scoring attempt with where its team stands after it, as all
// attempts are judged now.
type Change struct {
	Seq      Seq
	At       time.Time // arrival of the attempt
	Team     TeamID
	Question retrieval.QuestionID
	Score    float64 // at the question
	Total    float64
	Rank     int // from 1
}

// Series returns how the standings came about: one change for every attempt
// that raised its team's score. Banned teams, voided questions and void attempts
// have no part in it, nor have teams that keep says no to; nil keeps all.
func (s *State) Series(keep func(Team) bool) []Change { return ranked(s.steps(keep)) }

// step is a change before it is known which rank it led to.
type step struct {
	Change
	time time.Duration // of the total
}

func (s *State) steps(keep func(Team) bool) []step {
	var steps []step
	now := map[TeamID]map[retrieval.QuestionID]Result{}
	for _, a := range s.attempts {
		t, q := s.byTeam[a.Team], s.rounds[a.Question]
		if t == nil || t.Banned || keep != nil && !keep(t.Team) || a.Void || q.voided || a.Superseded || a.Verdict == VerdictVoid || a.Current.CorrectnessFactor <= 0 {
			continue
		}
		book := now[a.Team]
		if book == nil {
			book = map[retrieval.QuestionID]Result{}
			now[a.Team] = book
		}
		old, scored := book[a.Question]
		if scored && a.Current.Score <= old.Score {
			continue
		}
		book[a.Question] = Result{Score: a.Current.Score, Time: a.Elapsed}
		next := step{Change: Change{Seq: a.Seq, At: a.Arrived, Team: a.Team, Question: a.Question, Score: a.Current.Score}}
		for _, question := range s.questions { // in the order of the table, so that the sum is the table's
			next.Total += book[question.ID].Score
			next.time += book[question.ID].Time
		}
		steps = append(steps, next)
	}
	return steps
}

// ranked returns the changes of steps in the order in which they happened.
func ranked(steps []step) []Change {
	var changes []Change
	entries := make([]standings.Entry, len(steps))
	for i, s := range steps {
		changes = append(changes, s.Change)
		entries[i] = standings.Entry{Name: string(s.Team), Total: s.Total, Time: s.time}
	}
	for i, point := range standings.Series(entries) {
		changes[i].Rank = point.Rank
	}
	return changes
}
