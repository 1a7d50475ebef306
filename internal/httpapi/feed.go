package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"scorebook/contest"
	"scorebook/internal/live"
	"scorebook/retrieval"
)

// frame is the data of an event of the stream.
type frame struct {
	frameHead
	tables
}

// frameHead is the part of a frame that depends on the moment and on the
// stream.
type frameHead struct {
	Seq        contest.Seq `json:"seq" doc:"Of the last event of the contest that it tells of"`
	From       contest.Seq `json:"from" doc:"Its rows are to be put over this frame or a later one; 0 if full"`
	Full       bool        `json:"full" doc:"The rows are all there are: forget the others"`
	Contest    string      `json:"contest_id" doc:"If it is another one, connect anew without Last-Event-ID"`
	ServerTime time.Time   `json:"server_time"`
	Frozen     *time.Time  `json:"frozen_since,omitempty" doc:"The public's ranking stands still since then"`
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
// once for all who ask.
func since(name string, e *live.Edition, base contest.Seq) (encoded []byte, err error) {
	value := e.Snapshot.Rendered(fmt.Sprintf("feed %s %d", name, base), func() any {
		encoded, err := json.Marshal(tablesOf(e, base))
		if err != nil {
			return err
		}
		return bytes.TrimPrefix(encoded, []byte("{"))
	})
	if err, failed := value.(error); failed {
		return nil, err
	}
	return value.([]byte), nil
}

func tablesOf(e *live.Edition, base contest.Seq) tables {
	t := tables{Rows: []boardTeam{}}
	if e.ColumnsChanged(base) {
		for i := range e.Table.Columns {
			c := &e.Table.Columns[i]
			s := roundStatus(c.Round, c.Type, e.Snapshot.At)
			t.Questions = append(t.Questions, column{c.Question, c.Type, c.Number, s.StartedAt, s.EndedAt, c.Voided, c.Revealed})
		}
	}
	for i := range e.Table.Rows {
		if row := &e.Table.Rows[i]; e.RowChanged(row.ID, base) {
			t.Rows = append(t.Rows, boardTeamOf(e.Table, row, true))
		}
	}
	return t
}

// frame returns the data of the event that brings a client that has seen an
// event to an edition. What depends on the moment stands before what is shared.
func (a *api) frame(name string, e *live.Edition, from contest.Seq, head frameHead) (own string, shared []byte, err error) {
	head.Seq, head.From = e.Snapshot.Seq, e.Base(from)
	head.Full = head.From == 0
	if shared, err = since(name, e, head.From); err != nil {
		return "", nil, err
	}
	now := a.svc.Now()
	head.ServerTime, head.Frozen = now.UTC(), frozenSince(e.Table)
	if active := e.Snapshot.Active; active.Number > 0 {
		for i := range e.Table.Columns {
			if c := &e.Table.Columns[i]; c.Question == active.Question {
				s := roundStatus(active, c.Type, now)
				head.Question = &s
			}
		}
	}
	encoded, err := json.Marshal(head)
	if err != nil {
		return "", nil, err
	}
	encoded[len(encoded)-1] = ','
	return string(encoded), shared, nil
}
