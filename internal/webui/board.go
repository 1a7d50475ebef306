package webui

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"scorebook/contest"
	"scorebook/internal/live"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// columnsShown is how many questions stand beside each other; the ones played
// before them share a column.
const columnsShown = 9

// audience is who looks at a board.
type audience struct {
	jury bool
	feed *live.Feed
	path string // of the board; what belongs to it is below
}

func (s *site) everybody() audience { return audience{false, s.public, "/leaderboard-ui"} }
func (s *site) theJury() audience {
	return audience{true, s.jury, "/admin-dashboard/leaderboard"}
}

// boardPage is the leaderboard.
type boardPage struct {
	*frame
	Path     string // of the board
	Jury     bool
	Version  contest.Seq // of the questions: a page with another one is loaded anew
	Frozen   time.Time   // zero: not frozen
	Since    string      // the same as a time of day
	Question *boardQuestion
	Heads    []boardHead
	Earlier  string // the questions that share a column; empty: none do
	Rows     []template.HTML
	Ranks    []int // of the rows
	Aside    template.HTML
}

// boardQuestion is the active question, or the last one.
type boardQuestion struct {
	ID        retrieval.QuestionID
	Number    int // its place in the contest, from 1
	Of        int
	Type      retrieval.Type
	Rule      string
	Status    contest.Status
	Started   int64 // milliseconds since 1970; likewise End
	End       int64 // without the buffer
	Last      int64 // with the buffer
	Remaining string
	Share     float64 // of the time limit that is over, in [0,1]
}

// boardHead is the head of a column.
type boardHead struct {
	Column int // in the table
	Title  string
	Type   retrieval.Type
	Live   bool
	Voided bool
}

// boardRow is a row of the board, and what a template makes of it stands alone.
type boardRow struct {
	ID      contest.TeamID
	Rank    int
	Tied    bool
	Name    string
	Tags    []string // keys of messages
	Earlier string   // points of the questions that share a column
	HasMore bool     // there is such a column
	Cells   []boardCell
	Total   string
	Precise string
	Zero    bool
}

// boardCell is a team's result at a question.
type boardCell struct {
	Class string // good, half, bad, none
	Score string
	Time  string
	Wrong int
	Half  bool
	Live  bool
	Void  bool
}

// board is the leaderboard for everybody.
func (s *site) board(v *visit) error { return s.showBoard(v, s.everybody()) }

func (s *site) juryBoard(v *visit) error { return s.showBoard(v, s.theJury()) }

// showBoard sends the board, which is made once a second for all who ask in the
// same language and theme.
func (s *site) showBoard(v *visit, who audience) error {
	if v.Theme == "" {
		v.Theme = "dark" // a projector's
	}
	now := s.svc.Now()
	edition := who.feed.At(s.svc.Snapshot())
	plain, zipped, err := s.pages.of(who.path+" "+v.Lang+" "+v.Theme).at(edition.Snapshot.Seq, now.Unix(), func() ([]byte, error) {
		page, err := s.boardPage(v, who, edition, now)
		if err != nil {
			return nil, err
		}
		return execute(v.Lang, "board", page)
	})
	switch {
	case err != nil:
		return err
	case v.gzips():
		return v.sendZipped(http.StatusOK, "text/html; charset=utf-8", zipped)
	}
	return v.write(http.StatusOK, "text/html; charset=utf-8", plain)
}

func (s *site) boardPage(v *visit, who audience, edition *live.Edition, now time.Time) (*boardPage, error) {
	table := edition.Table
	// The page is everybody's: nothing of this visit but language and theme may
	// be in it.
	v = &visit{r: &http.Request{Method: http.MethodGet, URL: &url.URL{Path: who.path}}, Lang: v.Lang, Theme: v.Theme}
	p := &boardPage{
		frame: &frame{visit: v, Title: v.say("board.title"), Admin: who.jury, Version: s.options.Version},
		Path:  who.path, Jury: who.jury, Version: edition.Columns(), Frozen: table.Frozen,
	}
	p.Seq = edition.Snapshot.Seq
	s.svc.Read(func(state *contest.State) {
		settings, rules := state.Settings(), state.Rules()
		p.Contest = settings.Name
		p.Since = table.Frozen.In(zone(settings)).Format("15:04")
		p.Question = boardQuestionOf(v.Lang, table, &rules, now)
	})
	p.Heads, p.Earlier = headsOf(table)
	for i := range table.Rows {
		row, err := renderRow(v.Lang, table, p.Heads, p.Earlier != "", &table.Rows[i])
		if err != nil {
			return nil, err
		}
		p.Rows, p.Ranks = append(p.Rows, row), append(p.Ranks, table.Rows[i].Rank)
	}
	aside, err := s.renderAside(v.Lang, who, edition)
	p.Aside = aside
	return p, err
}

// boardQuestionOf returns the active question, else the one that was started
// last, or nil.
func boardQuestionOf(lang string, table *contest.Table, rules *retrieval.Ruleset, now time.Time) *boardQuestion {
	last := -1
	for i := range table.Columns {
		c := &table.Columns[i]
		if c.Number > 0 && (last < 0 || c.Active || !table.Columns[last].Active && c.Started.After(table.Columns[last].Started)) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	c := &table.Columns[last]
	end := c.Started.Add(c.Limit)
	q := &boardQuestion{
		ID: c.Question, Number: last + 1, Of: len(table.Columns), Type: c.Type, Rule: pointsRule(lang, rules), Status: c.Status(now),
		Started: c.Started.UnixMilli(), End: end.UnixMilli(), Last: end.Add(c.Buffer).UnixMilli(), Remaining: countdown(c.Remaining(now)),
	}
	if c.Limit > 0 {
		q.Share = min(1, float64(c.Elapsed(now))/float64(c.Limit))
	}
	if q.Status == contest.StatusEnded || q.Status == contest.StatusRevealed {
		q.Share = 1
	}
	return q
}

// headsOf chooses the columns: the questions that were started last, in the
// order of their start. The ones before them share a column, which is named by
// the first and the last of them.
func headsOf(table *contest.Table) (heads []boardHead, earlier string) {
	for i := range table.Columns {
		c := &table.Columns[i]
		if c.Number > 0 {
			heads = append(heads, boardHead{i, title(c.Question), c.Type, c.Active, c.Voided})
		}
	}
	slices.SortStableFunc(heads, func(a, b boardHead) int {
		return table.Columns[a.Column].Started.Compare(table.Columns[b.Column].Started)
	})
	if hidden := len(heads) - columnsShown; hidden > 0 {
		earlier = heads[0].Title
		if hidden > 1 {
			earlier += "–" + heads[hidden-1].Title
		}
		heads = heads[hidden:]
	}
	return heads, earlier
}

// renderRow makes a row of the board. It is the same for all who look at the
// same table in the same language, whatever the ranks are.
func renderRow(lang string, table *contest.Table, heads []boardHead, more bool, r *contest.Row) (template.HTML, error) {
	row := boardRow{
		ID: r.ID, Rank: r.Rank, Tied: r.Tied, Name: r.Name, HasMore: more, Total: points(r.Total), Zero: r.Total == 0,
		Precise: exactly(r.Total) + " · " + clock(r.Time),
	}
	if r.Simulated {
		row.Tags = append(row.Tags, "board.simulated")
	}
	if r.Banned {
		row.Tags = append(row.Tags, "board.banned")
	}
	shown := map[int]bool{}
	for _, h := range heads {
		shown[h.Column] = true
		row.Cells = append(row.Cells, cellOf(&r.Cells[h.Column], h))
	}
	rest := 0.0
	for i := range r.Cells {
		if !shown[i] && !table.Columns[i].Voided {
			rest += r.Cells[i].Score
		}
	}
	row.Earlier = points(rest)
	return fragment(lang, "row", row)
}

func cellOf(r *contest.Result, head boardHead) boardCell {
	c := boardCell{Class: "none", Live: head.Live, Void: head.Voided, Wrong: r.Wrong}
	switch {
	case r.Scoring > 0:
		c.Class, c.Score, c.Time = "good", points(r.Score), clock(r.Time)
		if r.Correctness == retrieval.Partial {
			c.Class, c.Half = "half", true
		}
	case r.Wrong > 0:
		c.Class = "bad"
	}
	return c
}

// boardFrame is what a board is told of a change.
type boardFrame struct {
	Version contest.Seq                      `json:"version"`         // of the questions
	Reload  bool                             `json:"reload,omitzero"` // the changes do not bring the page up to date
	Order   []contest.TeamID                 `json:"order,omitempty"` // all teams, if order or ranks changed
	Ranks   []string                         `json:"ranks,omitempty"` // of them, as they are shown
	Rows    map[contest.TeamID]template.HTML `json:"rows,omitempty"`
}

func (s *site) boardEvents(v *visit) error { return s.streamBoard(v, s.everybody()) }

func (s *site) juryBoardEvents(v *visit) error { return s.streamBoard(v, s.theJury()) }

func (s *site) streamBoard(v *visit, who audience) error {
	return s.stream(v, "board", func(from contest.Seq) (contest.Seq, []byte, error) {
		edition := who.feed.At(s.svc.Snapshot())
		base := edition.Base(from)
		data, err := s.boardFrame(v.Lang, who, edition, base)
		if base == edition.Snapshot.Seq && from > 0 {
			data = nil // the page has seen it all
		}
		return edition.Snapshot.Seq, data, err
	})
}

// boardFrame returns what brings a board from one edition to another, encoded
// once for all who ask.
func (s *site) boardFrame(lang string, who audience, edition *live.Edition, base contest.Seq) ([]byte, error) {
	key := fmt.Sprintf("frame %s %s %d", who.path, lang, base)
	return remember(edition.Snapshot, key, func() ([]byte, error) {
		table := edition.Table
		f := boardFrame{Version: edition.Columns()}
		if base == 0 || edition.ColumnsChanged(base) {
			f.Reload = true
			return encode(f)
		}
		heads, earlier := headsOf(table)
		f.Rows = map[contest.TeamID]template.HTML{}
		for i := range table.Rows {
			r := &table.Rows[i]
			if !edition.ContentChanged(r.ID, base) {
				continue
			}
			row, err := renderRow(lang, table, heads, earlier != "", r)
			if err != nil {
				return nil, err
			}
			f.Rows[r.ID] = row
		}
		if edition.RankingChanged(base) {
			for i := range table.Rows {
				f.Order, f.Ranks = append(f.Order, table.Rows[i].ID), append(f.Ranks, rankText(table.Rows[i].Rank))
			}
		}
		if len(f.Rows) == 0 && len(f.Order) == 0 {
			return nil, nil
		}
		return encode(f)
	})
}

func rankText(rank int) string {
	if rank == 0 {
		return "–"
	}
	return strconv.Itoa(rank)
}

// remember makes a text once for each snapshot.
func remember[T ~string | ~[]byte](snapshot *service.Snapshot, key string, render func() (T, error)) (text T, err error) {
	made := snapshot.Rendered(key, func() any {
		text, err := render()
		if err != nil {
			return err
		}
		return text
	})
	if err, failed := made.(error); failed {
		return text, err
	}
	return made.(T), nil
}
