package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/ncruces/go-sqlite3"

	"scorebook/contest"
	"scorebook/internal/keep"
)

const (
	interactionInsertSQL = "INSERT INTO interaction (at_ns, team, kind, bytes, body) VALUES (?, ?, ?, ?, ?)"
	interactionPageSQL   = "SELECT id, at_ns, team, kind, body FROM interaction WHERE id > ? ORDER BY id"
)

// Passwords implements [keep.Store].
func (s *SQLite) Passwords(ctx context.Context) (map[contest.TeamID]string, error) {
	hashes := map[contest.TeamID]string{}
	err := s.each(ctx, "SELECT team, hash FROM password", func(stmt *sqlite3.Stmt) bool {
		hashes[contest.TeamID(stmt.ColumnText(0))] = stmt.ColumnText(1)
		return true
	})
	return hashes, err
}

// Sizes implements [keep.Store].
func (s *SQLite) Sizes(ctx context.Context) (map[contest.TeamID]int64, error) {
	sizes := map[contest.TeamID]int64{}
	err := s.each(ctx, "SELECT team, sum(bytes) FROM interaction GROUP BY team", func(stmt *sqlite3.Stmt) bool {
		sizes[contest.TeamID(stmt.ColumnText(0))] = stmt.ColumnInt64(1)
		return true
	})
	return sizes, err
}

// each reads rows until see has seen enough.
func (s *SQLite) each(ctx context.Context, sql string, see func(*sqlite3.Stmt) bool, args ...int64) (err error) {
	c := &s.reader
	err = c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	stmt, _, err := c.db.Prepare(sql)
	if err != nil {
		return s.fault(err)
	}
	defer func() { err = s.fault(errors.Join(err, stmt.Close())) }() // which tells why a step failed, too
	for i, arg := range args {
		if err := stmt.BindInt64(i+1, arg); err != nil {
			return err
		}
	}
	for stmt.Step() && see(stmt) {
	}
	return stmt.Reset()
}

// SetPassword implements [keep.Store].
func (s *SQLite) SetPassword(ctx context.Context, team contest.TeamID, hash string) error {
	c := &s.writer
	err := c.take(ctx)
	defer c.mu.Unlock()
	if err != nil {
		return err
	}
	return s.fault(transact(c.db, func() (err error) {
		stmt, _, err := c.db.Prepare("INSERT INTO password (team, hash) VALUES (?, ?) ON CONFLICT (team) DO UPDATE SET hash = excluded.hash")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stmt.Close()) }()
		return errors.Join(stmt.BindText(1, string(team)), stmt.BindText(2, hash), stmt.Exec())
	}))
}

// AddInteractions implements [keep.Store]. It has a connection of its own, whose
// commits do not wait for the disk, so that those of the journal need not wait
// for them.
func (s *SQLite) AddInteractions(ctx context.Context, logs []keep.Interaction) error {
	c := &s.beside
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := s.openBeside(ctx); err != nil {
		return s.fault(err)
	}
	return s.fault(transact(c.db, func() error {
		for _, log := range logs {
			if err := errors.Join(
				c.insert.BindInt64(1, log.At.UnixNano()),
				c.insert.BindText(2, string(log.Team)),
				c.insert.BindText(3, string(log.Kind)),
				c.insert.BindInt64(4, int64(len(log.Body))),
				c.insert.BindText(5, log.Body),
				c.insert.Exec(),
			); err != nil {
				return err
			}
		}
		return nil
	}))
}

// openBeside opens the connection for logs if it is not open.
func (s *SQLite) openBeside(ctx context.Context) (err error) {
	c := &s.beside
	switch {
	case c.closed:
		return keep.ErrFull
	case s.lock == nil:
		return errReadOnly
	case ctx.Err() != nil || c.insert != nil:
		return ctx.Err()
	}
	if c.db == nil {
		if c.db, err = s.connect(sqlite3.OPEN_READWRITE); err != nil {
			return err
		}
	}
	if err := c.db.Exec("PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF"); err != nil {
		return err
	}
	c.insert, _, err = c.db.Prepare(interactionInsertSQL)
	return err
}

// Interactions implements [keep.Store].
func (s *SQLite) Interactions(ctx context.Context) iter.Seq2[keep.Interaction, error] {
	return func(yield func(keep.Interaction, error) bool) {
		for after, more := int64(0), true; more; {
			var page []keep.Interaction
			size := 0
			more = false
			if err := s.each(ctx, interactionPageSQL, func(stmt *sqlite3.Stmt) bool {
				after = stmt.ColumnInt64(0)
				page = append(page, keep.Interaction{
					At: time.Unix(0, stmt.ColumnInt64(1)).UTC(), Team: contest.TeamID(stmt.ColumnText(2)), Kind: keep.Kind(stmt.ColumnText(3)), Body: stmt.ColumnText(4),
				})
				size += len(page[len(page)-1].Body)
				more = size > pageBytes || len(page) == pageRows
				return !more
			}, after); err != nil {
				yield(keep.Interaction{}, err)
				return
			}
			for _, log := range page {
				if err := ctx.Err(); !yield(log, err) || err != nil {
					return
				}
			}
		}
	}
}
