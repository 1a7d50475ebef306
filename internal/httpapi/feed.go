package httpapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// maxKnown is from how many earlier tables a stream can go on with changes
// alone. Who is further behind gets the whole table.
const maxKnown = 64

// feed remembers, for one kind of table, when each row changed last.
type feed struct {
	name string

	mu     sync.Mutex
	newest *edition
}

// edition is a table with when its rows changed. It never changes.
type edition struct {
	snapshot *service.Snapshot
	table    *contest.Table
	changed  map[contest.TeamID]contest.Seq // rows, the first edition in which they were as they are
	columns  contest.Seq                    // likewise the questions
	known    []contest.Seq                  // editions from which the changes suffice, ascending, with this one
}

// at returns the edition of a snapshot, or a newer one.
func (f *feed) at(snapshot *service.Snapshot, table *contest.Table) *edition {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.newest == nil || f.newest.snapshot.Seq < snapshot.Seq {
		f.newest = next(f.newest, snapshot, table)
	}
	return f.newest
}

// next returns the edition that follows another one.
func next(last *edition, snapshot *service.Snapshot, table *contest.Table) *edition {
	e := &edition{
		snapshot: snapshot, table: table, columns: snapshot.Seq, known: []contest.Seq{snapshot.Seq},
		changed: make(map[contest.TeamID]contest.Seq, len(table.Rows)),
	}
	rows := map[contest.TeamID]*contest.Row{}
	if last != nil {
		for i := range last.table.Rows {
			rows[last.table.Rows[i].ID] = &last.table.Rows[i]
		}
	}
	kept := 0
	for i := range table.Rows {
		row := &table.Rows[i]
		e.changed[row.ID] = snapshot.Seq
		if before := rows[row.ID]; before != nil {
			kept++
			if sameRow(before, row) {
				e.changed[row.ID] = last.changed[row.ID]
			}
		}
	}
	// Changes can be told only if no row is gone and the cells are the same
	// questions'.
	if last != nil && kept == len(last.table.Rows) && sameQuestions(last.table.Columns, table.Columns) {
		e.known = slices.Concat(last.known[max(0, len(last.known)-maxKnown):], e.known)
		if slices.Equal(last.table.Columns, table.Columns) {
			e.columns = last.columns
		}
	}
	return e
}

func sameRow(a, b *contest.Row) bool {
	return a.Team == b.Team && a.Rank == b.Rank && a.Tied == b.Tied && a.Total == b.Total && a.Time == b.Time && slices.Equal(a.Cells, b.Cells)
}

func sameQuestions(a, b []contest.Column) bool {
	return slices.EqualFunc(a, b, func(a, b contest.Column) bool { return a.Question == b.Question })
}

// frame is the data of an event of the stream.
type frame struct {
	frameHead
	tables
}

// frameHead is the part of a frame that depends on the moment and on the
// stream.
type frameHead struct {
	Seq        contest.Seq `json:"seq" doc:"Of the last event of the contest that it tells of"`
	From       contest.Seq `json:"from" doc:"The frame that its rows are to be put over; 0 if full"`
	Full       bool        `json:"full" doc:"The rows are all there are: forget the others"`
	Contest    string      `json:"contest_id" doc:"If it is another one, connect anew without Last-Event-ID"`
	ServerTime time.Time   `json:"server_time"`
	Question   *status     `json:"question,omitempty" doc:"The active one; left out if there is none"`
}

// tables is the part of a frame that all streams share.
type tables struct {
	Questions []column    `json:"questions,omitempty" doc:"If they changed"`
	Rows      []boardTeam `json:"rows" nullable:"false" doc:"Those that changed, best first; questions without attempts are left out"`
}

type column struct {
	ID        retrieval.QuestionID `json:"id"`
	Type      retrieval.Type       `json:"type" enum:"KIS,QA,TR"`
	Round     int                  `json:"round"`
	StartedAt *time.Time           `json:"started_at,omitempty"`
	EndedAt   *time.Time           `json:"ended_at,omitempty"`
	Voided    bool                 `json:"voided"`
	Revealed  bool                 `json:"revealed"`
}

// since returns the tables with what changed after an earlier edition, encoded
// once for all who ask, and whether they are whole.
func (e *edition) since(feed string, from contest.Seq) (encoded string, full bool, err error) {
	if _, known := slices.BinarySearch(e.known, from); !known {
		from, full = 0, true
	}
	value := e.snapshot.Rendered(fmt.Sprintf("feed %s %d", feed, from), func() any {
		encoded, err := json.Marshal(e.tables(from))
		if err != nil {
			return err
		}
		return strings.TrimPrefix(string(encoded), "{")
	})
	if err, failed := value.(error); failed {
		return "", false, err
	}
	return value.(string), full, nil
}

func (e *edition) tables(from contest.Seq) tables {
	t := tables{Rows: []boardTeam{}}
	if e.columns > from {
		for i := range e.table.Columns {
			c := &e.table.Columns[i]
			s := roundStatus(c.Round, c.Type, e.snapshot.At)
			t.Questions = append(t.Questions, column{c.Question, c.Type, c.Number, s.StartedAt, s.EndedAt, c.Voided, c.Revealed})
		}
	}
	for i := range e.table.Rows {
		if row := &e.table.Rows[i]; e.changed[row.ID] > from {
			t.Rows = append(t.Rows, boardTeamOf(e.table, row, true))
		}
	}
	return t
}

// frame returns the data of the event that brings a client from an earlier
// edition to this one. What depends on the moment stands before what is shared.
func (a *api) frame(f *feed, e *edition, from contest.Seq, head frameHead) ([]byte, error) {
	shared, full, err := e.since(f.name, from)
	if err != nil {
		return nil, err
	}
	head.Seq, head.Full = e.snapshot.Seq, full
	if !full {
		head.From = from
	}
	now := a.svc.Now()
	head.ServerTime = now.UTC()
	if active := e.snapshot.Active; active.Number > 0 {
		for i := range e.table.Columns {
			if c := &e.table.Columns[i]; c.Question == active.Question {
				s := roundStatus(active, c.Type, now)
				head.Question = &s
			}
		}
	}
	encoded, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	encoded[len(encoded)-1] = ','
	return append(encoded, shared...), nil
}
