package webui

import (
	"html/template"
	"net/http"
	"slices"
	"time"

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
				changes = state.Series(nil)
			}
		})
		html, err := fragment(lang, "aside", asideOf(edition.Table, changes, attempts))
		return string(html), err
	})
	return template.HTML(text), err //nolint:gosec // a template has escaped it
}

func asideOf(table *contest.Table, changes []contest.Change, attempts []contest.Attempt) *aside {
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
	if column < 0 {
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

// position is where in the contest a moment of a question is: questions in the
// order of their start, each as wide as any other.
type position struct {
	order map[retrieval.QuestionID]int
	rows  map[retrieval.QuestionID]*contest.Column
}

func (p position) of(question retrieval.QuestionID, at time.Time) float64 {
	c := p.rows[question]
	within := 0.0
	if c.Limit > 0 {
		within = min(1, max(0, float64(at.Sub(c.Started))/float64(c.Limit)))
	}
	return float64(p.order[question]) + within
}

func positions(table *contest.Table) (p position, titles []string) {
	p = position{map[retrieval.QuestionID]int{}, map[retrieval.QuestionID]*contest.Column{}}
	var played []*contest.Column
	for i := range table.Columns {
		if c := &table.Columns[i]; c.Number > 0 && !c.Voided {
			played = append(played, c)
		}
	}
	slices.SortStableFunc(played, func(a, b *contest.Column) int { return a.Started.Compare(b.Started) })
	for i, c := range played {
		p.order[c.Question], p.rows[c.Question] = i, c
		titles = append(titles, title(c.Question))
	}
	return p, titles
}

// behind returns, for each of the teams, how far it was behind whoever led.
func behind(changes []contest.Change, at position, teams map[contest.TeamID]int) [][]step {
	lines := make([][]step, len(teams))
	totals, leader := make([]float64, len(teams)), 0.0
	for _, c := range changes {
		if at.rows[c.Question] == nil {
			continue
		}
		x := at.of(c.Question, c.At)
		leader = max(leader, c.Total)
		if i, ok := teams[c.Team]; ok {
			totals[i] = c.Total
		}
		for i := range lines {
			gap := leader - totals[i]
			if n := len(lines[i]); n == 0 || lines[i][n-1].gap != gap {
				lines[i] = append(lines[i], step{x, gap})
			}
		}
	}
	return lines
}

// step is a point of a line: from here on the gap is so much.
type step struct{ x, gap float64 }
