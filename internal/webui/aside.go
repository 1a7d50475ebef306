package webui

import (
	"html/template"
	"net/http"
	"slices"

	"scorebook/contest"
	"scorebook/internal/live"
	"scorebook/retrieval"
)

const (
	teamsInChart = 5
	newsShown    = 7
)

// aside is what stands beside and below the board: it changes with nearly every
// attempt, and a page asks for it less often.
type aside struct {
	Chart     *chart // nil: nobody has scored yet
	News      []news
	Teams     int
	Attempts  int // at the active question, else the last one
	Solved    int // teams, likewise
	HasPlayed bool
}

// news is an attempt, for the ticker.
type news struct {
	At    string
	Name  string
	Class string // good, half, bad
	Won   string
	Wrong int // which wrong attempt of the team it was; 0: it was right
	Half  bool
}

func (s *site) boardAside(v *visit) error { return s.showAside(v, s.everybody()) }

func (s *site) juryAside(v *visit) error { return s.showAside(v, s.theJury()) }

func (s *site) showAside(v *visit, who audience) error {
	body, err := s.renderAside(v.Lang, who, who.feed.At(s.svc.Snapshot()))
	if err != nil {
		return err
	}
	return v.send(http.StatusOK, "text/html; charset=utf-8", []byte(body))
}

// renderAside makes the aside once for each edition.
func (s *site) renderAside(lang string, who audience, edition *live.Edition) (template.HTML, error) {
	text, err := remember(edition.Snapshot, "aside "+who.path+" "+lang, func() (string, error) {
		var changes []contest.Change
		var attempts []contest.Attempt
		s.svc.Read(func(state *contest.State) {
			changes, attempts = state.PublicSeries(), state.News(newsShown)
			if who.jury {
				changes, attempts = state.Series(nil), state.JuryNews(newsShown)
			}
		})
		html, err := fragment(lang, "aside", asideOf(edition.Table, changes, attempts, who.jury))
		return string(html), err
	})
	return template.HTML(text), err //nolint:gosec // a template has escaped it
}

func asideOf(table *contest.Table, changes []contest.Change, attempts []contest.Attempt, jury bool) *aside {
	a := &aside{Teams: len(table.Rows), Chart: chartOf(table, changes)}
	names := map[contest.TeamID]string{}
	for i := range table.Rows {
		names[table.Rows[i].ID] = table.Rows[i].Name
	}
	for i := range attempts {
		if name, ok := names[attempts[i].Team]; ok {
			a.News = append(a.News, newsOf(name, &attempts[i]))
		}
	}
	column := lastColumn(table)
	if column < 0 || !jury && !table.Frozen.IsZero() { // frozen counts would be those of another question
		return a
	}
	a.HasPlayed = true
	for i := range table.Rows {
		cell := &table.Rows[i].Cells[column]
		a.Attempts += cell.Attempts
		if cell.Scoring > 0 {
			a.Solved++
		}
	}
	return a
}

func newsOf(name string, attempt *contest.Attempt) news {
	told := &attempt.Announced
	n := news{At: clock(attempt.Elapsed), Name: name, Class: "good", Won: points(told.Score)}
	switch {
	case told.CorrectnessFactor <= 0:
		n.Class, n.Wrong = "bad", told.WrongAttempts+1
	case told.Correctness == retrieval.Partial:
		n.Class, n.Half = "half", true
	}
	return n
}

// lastColumn returns the column of the active question, else of the one that was
// started last, or -1.
func lastColumn(table *contest.Table) int {
	last := -1
	for i := range table.Columns {
		c := &table.Columns[i]
		switch {
		case c.Number == 0:
		case c.Active:
			return i
		case last < 0 || c.Started.After(table.Columns[last].Started):
			last = i
		}
	}
	return last
}

// playedColumns returns the questions that were started and count, in the order
// of their start.
func playedColumns(table *contest.Table) (played []*contest.Column) {
	for i := range table.Columns {
		if c := &table.Columns[i]; c.Number > 0 && !c.Voided {
			played = append(played, c)
		}
	}
	slices.SortStableFunc(played, func(a, b *contest.Column) int { return a.Started.Compare(b.Started) })
	return played
}

// behind returns, for each of the teams, how far it was behind whoever led after
// each of the questions. The changes are in the order in which they happened.
func behind(changes []contest.Change, played []*contest.Column, teams map[contest.TeamID]int) [][]float64 {
	gaps := make([][]float64, len(teams))
	order := map[retrieval.QuestionID]int{}
	for i, c := range played {
		order[c.Question] = i
	}
	totals, leader := make([]float64, len(teams)), 0.0
	next := 0
	for i := range played {
		for ; next < len(changes); next++ {
			c := &changes[next]
			at, known := order[c.Question]
			if known && at > i {
				break
			}
			leader = max(leader, c.Total)
			if team, ok := teams[c.Team]; ok {
				totals[team] = c.Total
			}
		}
		for team := range gaps {
			gaps[team] = append(gaps[team], leader-totals[team])
		}
	}
	return gaps
}
