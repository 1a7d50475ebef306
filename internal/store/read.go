package store

import (
	"context"
	"errors"
	"iter"
	"math"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
)

const pageSQL = "SELECT seq, at_ns, kind, version, data, hash FROM journal WHERE seq > ? ORDER BY seq"

// A page is what is read at once, so that a slow reader keeps nobody waiting and
// the write-ahead log can be cut.
const (
	pageRows  = 256
	pageBytes = 1 << 20 // of data; the row that exceeds it is in
)

// Read implements [journal.Log].
func (s *SQLite) Read(ctx context.Context, after contest.Seq) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for more := true; more; {
			var page []journal.Record
			var err error
			if page, more, err = s.page(ctx, after); err != nil {
				yield(journal.Record{}, s.fault(err))
				return
			}
			for _, record := range page {
				if err := ctx.Err(); err != nil {
					yield(journal.Record{}, err)
					return
				}
				if !yield(record, nil) {
					return
				}
				after = record.Seq
			}
		}
	}
}

// page returns the next records behind a number, and whether there may be more.
func (s *SQLite) page(ctx context.Context, after contest.Seq) (page []journal.Record, more bool, err error) {
	c := &s.reader
	err = c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return nil, false, err
	}
	stmt := c.page
	if err := stmt.BindInt64(1, int64(min(after, math.MaxInt64))); err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, stmt.Reset()) }() // which tells why a step failed, too
	for size := 0; stmt.Step(); {
		record := journal.Record{
			Seq: contest.Seq(stmt.ColumnInt64(0)), At: time.Unix(0, stmt.ColumnInt64(1)).UTC(), Kind: stmt.ColumnText(2),
			Version: stmt.ColumnInt(3), Data: append([]byte{}, stmt.ColumnRawText(4)...),
		}
		if err := readHash(&record, stmt.ColumnRawBlob(5)); err != nil {
			return nil, false, err
		}
		page = append(page, record)
		if size += len(record.Data); size > pageBytes || len(page) == pageRows {
			return page, true, nil
		}
	}
	return page, false, nil
}

// Head implements [journal.Log].
func (s *SQLite) Head(ctx context.Context) (contest.Seq, journal.Hash, error) {
	c := &s.reader
	err := c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return 0, journal.Hash{}, err
	}
	last, err := readLast(c.last)
	return last.Seq, last.Hash, s.fault(err)
}
