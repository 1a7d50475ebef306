package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"scorebook/contest"
	"scorebook/internal/journal"
)

const (
	lastSQL   = "SELECT seq, at_ns, hash FROM journal ORDER BY seq DESC LIMIT 1"
	insertSQL = "INSERT INTO journal (seq, at_ns, kind, version, data, hash) VALUES (?, ?, ?, ?, ?, ?)"
)

// Append implements [journal.Log]. A context that is cancelled while it runs
// changes nothing: what was begun is finished.
func (s *SQLite) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]journal.Record, error) {
	c := &s.writer
	err := c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var records []journal.Record
	err = transact(c.db, func() error {
		last, err := readLast(c.last)
		if err != nil {
			return err
		}
		if last.Seq != previous {
			return &journal.ConflictError{Found: last.Seq, Expected: previous}
		}
		if records, err = journal.Chain(last, events); err != nil {
			return err
		}
		for _, record := range records {
			if err := insert(c.insert, record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, s.fault(err)
	}
	return records, nil
}

// Restore implements [journal.Restorer].
func (s *SQLite) Restore(ctx context.Context, records []journal.Record) error {
	c := &s.writer
	err := c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	return s.fault(transact(c.db, func() error {
		last, err := readLast(c.last)
		if err == nil {
			err = journal.Follow(last, records)
		}
		if err != nil {
			return err
		}
		for _, record := range records {
			if err := insert(c.insert, record); err != nil {
				return err
			}
		}
		return nil
	}))
}

// readLast returns number, time and hash of the last record, or zeros.
func readLast(stmt *sqlite3.Stmt) (last journal.Record, err error) {
	if stmt.Step() {
		last.Seq, last.At = contest.Seq(stmt.ColumnInt64(0)), time.Unix(0, stmt.ColumnInt64(1)).UTC()
		err = readHash(&last, stmt.ColumnRawBlob(2))
	}
	return last, errors.Join(err, stmt.Reset()) // which tells why a step failed, too
}

func readHash(record *journal.Record, hash []byte) error {
	if copy(record.Hash[:], hash) != len(hash) || len(hash) != len(record.Hash) {
		return fmt.Errorf("record %d carries a hash of %d bytes, expected %d: it was changed", record.Seq, len(hash), len(record.Hash))
	}
	return nil
}

func insert(stmt *sqlite3.Stmt, record journal.Record) error {
	return errors.Join(
		stmt.BindInt64(1, int64(record.Seq)),
		stmt.BindInt64(2, record.At.UnixNano()),
		stmt.BindText(3, record.Kind),
		stmt.BindInt64(4, int64(record.Version)),
		stmt.BindRawText(5, record.Data),
		stmt.BindBlob(6, record.Hash[:]),
		stmt.Exec(),
	)
}
