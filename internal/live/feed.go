package live

import (
	"slices"
	"sync"

	"scorebook/contest"
	"scorebook/internal/service"
)

// maxKnown is from how many earlier tables a stream can go on with changes
// alone. Who is further behind gets the whole table.
const maxKnown = 64

// Feed remembers, for one kind of table, when each row changed last.
type Feed struct {
	table func(*service.Snapshot) *contest.Table

	mu     sync.Mutex
	newest *Edition
}

// NewFeed returns the feed of a table of the snapshots.
func NewFeed(table func(*service.Snapshot) *contest.Table) *Feed { return &Feed{table: table} }

// Public is the table that everybody may see.
func Public(s *service.Snapshot) *contest.Table { return &s.Public }

// Jury is the table that the jury sees.
func Jury(s *service.Snapshot) *contest.Table { return &s.Jury }

// Edition is a table with when its parts changed. It never changes.
type Edition struct {
	Snapshot *service.Snapshot
	Table    *contest.Table

	rows    map[contest.TeamID]stamp
	ranking contest.Seq   // the first edition in which order and ranks were as they are
	columns contest.Seq   // likewise the questions and whether the table is frozen
	known   []contest.Seq // editions from which the changes suffice, ascending, with this one
}

// stamp is the first edition in which a row was as it is.
type stamp struct {
	whole   contest.Seq
	content contest.Seq // whatever its rank was
}

// At returns the edition of a snapshot, or a newer one.
func (f *Feed) At(snapshot *service.Snapshot) *Edition {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.newest == nil || f.newest.Snapshot.Seq < snapshot.Seq {
		f.newest = f.newest.next(snapshot, f.table(snapshot))
	}
	return f.newest
}

// next returns the edition that follows another one, or the first one.
func (e *Edition) next(snapshot *service.Snapshot, table *contest.Table) *Edition {
	seq := snapshot.Seq
	n := &Edition{
		Snapshot: snapshot, Table: table, ranking: seq, columns: seq, known: []contest.Seq{seq},
		rows: make(map[contest.TeamID]stamp, len(table.Rows)),
	}
	before := map[contest.TeamID]*contest.Row{}
	sameOrder := e != nil && len(e.Table.Rows) == len(table.Rows)
	if e != nil {
		for i := range e.Table.Rows {
			before[e.Table.Rows[i].ID] = &e.Table.Rows[i]
		}
	}
	kept := 0
	for i := range table.Rows {
		row, s := &table.Rows[i], stamp{seq, seq}
		was := before[row.ID]
		if was != nil {
			kept++
			if sameContent(was, row) {
				s.content = e.rows[row.ID].content
				if was.Rank == row.Rank && was.Tied == row.Tied {
					s.whole = e.rows[row.ID].whole
				}
			}
		}
		sameOrder = sameOrder && was != nil && e.Table.Rows[i].ID == row.ID && was.Rank == row.Rank
		n.rows[row.ID] = s
	}
	if sameOrder {
		n.ranking = e.ranking
	}
	// Changes can be told only if no row is gone and the cells are the same
	// questions'.
	if e != nil && kept == len(e.Table.Rows) && sameQuestions(e.Table.Columns, table.Columns) {
		n.known = slices.Concat(e.known[max(0, len(e.known)-maxKnown):], n.known)
		if slices.Equal(e.Table.Columns, table.Columns) && e.Table.Frozen.Equal(table.Frozen) {
			n.columns = e.columns
		}
	}
	return n
}

func sameContent(a, b *contest.Row) bool {
	return a.Team == b.Team && a.Total == b.Total && a.Time == b.Time && slices.Equal(a.Cells, b.Cells)
}

func sameQuestions(a, b []contest.Column) bool {
	return slices.EqualFunc(a, b, func(a, b contest.Column) bool { return a.Question == b.Question })
}

// Base returns the edition from which changes bring a client that has seen the
// event from up to date: its own, or the last one before it. It is 0 if it takes
// the whole table.
func (e *Edition) Base(from contest.Seq) contest.Seq {
	i, found := slices.BinarySearch(e.known, from)
	switch {
	case from > e.Snapshot.Seq: // of another contest, or of a server that lost something
		return 0
	case found:
		return from
	case i == 0:
		return 0
	}
	return e.known[i-1]
}

// RowChanged reports whether a row changed after an edition.
func (e *Edition) RowChanged(team contest.TeamID, base contest.Seq) bool {
	return e.rows[team].whole > base
}

// ContentChanged reports whether a row changed after an edition in more than its
// rank.
func (e *Edition) ContentChanged(team contest.TeamID, base contest.Seq) bool {
	return e.rows[team].content > base
}

// RankingChanged reports whether the order of the rows or a rank changed after
// an edition.
func (e *Edition) RankingChanged(base contest.Seq) bool { return e.ranking > base }

// Changed reports whether anything of the table changed after an edition.
func (e *Edition) Changed(base contest.Seq) bool {
	if e.RankingChanged(base) || e.ColumnsChanged(base) {
		return true
	}
	for _, row := range e.rows {
		if row.whole > base {
			return true
		}
	}
	return false
}

// ColumnsChanged reports whether a question changed after an edition, or whether
// the table is frozen.
func (e *Edition) ColumnsChanged(base contest.Seq) bool { return e.columns > base }

// Columns returns the edition in which the questions came to be as they are.
func (e *Edition) Columns() contest.Seq { return e.columns }
