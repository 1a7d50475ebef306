package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/ncruces/go-sqlite3"

	"scorebook/internal/journal"
	"scorebook/internal/keep"
)

// busyTimeout bounds how long a statement waits for another program that looks
// at the same file.
const busyTimeout = 5 * time.Second

// Options are what a database needs besides its path. Zero values mean the
// defaults.
type Options struct {
	VFS string // name of a registered SQLite VFS; default: the files of the operating system
}

// SQLite is a journal in an SQLite file.
type SQLite struct {
	path string // as it was given, for errors
	file file
	vfs  string
	lock *flock.Flock // nil: for reading only

	writer, reader connection // a writer without database: for reading only
	beside         connection // for logs of interactions; without database until the first one
}

// connection is a connection with its statements, for one at a time.
type connection struct {
	mu                 sync.Mutex
	db                 *sqlite3.Conn
	last, page, insert *sqlite3.Stmt
	closed             bool
}

var (
	_ journal.Log = (*SQLite)(nil)
	_ keep.Store  = (*SQLite)(nil)
)

// OpenSQLite opens a journal, and creates it if the file is missing or empty. Only
// one process may have it open: for another one, the error is an [*InUseError].
func OpenSQLite(ctx context.Context, path string, options Options) (*SQLite, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := find(path)
	if err != nil {
		return nil, err
	}
	s := &SQLite{path: path, file: file, vfs: options.VFS}
	if s.lock, err = lock(file.name); err != nil {
		return nil, err
	}
	for _, open := range []func() error{file.create, s.openWriter, s.openReader} {
		if err := open(); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
		}
	}
	return s, nil
}

// OpenSQLiteReadOnly opens a journal that is there, also while another process
// writes to it. Nothing can be appended.
func OpenSQLiteReadOnly(ctx context.Context, path string) (*SQLite, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := find(path)
	switch {
	case err != nil:
		return nil, err
	case !file.exists:
		return nil, fmt.Errorf("%s: the database is missing: %w", path, fs.ErrNotExist)
	case file.empty:
		return nil, fmt.Errorf("%s: %w", path, errEmpty)
	}
	s := &SQLite{path: path, file: file}
	if file.logged {
		_ = file.createLog() // in a folder that cannot be written to, those that are there must do
	}
	if err := s.openReader(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
	}
	return s, nil
}

// connect opens a connection to the file.
func (s *SQLite) connect(flags sqlite3.OpenFlag) (*sqlite3.Conn, error) {
	name := s.file.name
	if s.vfs != "" {
		name, flags = "file:"+(&url.URL{Path: name}).EscapedPath()+"?vfs="+url.QueryEscape(s.vfs), flags|sqlite3.OPEN_URI
	}
	db, err := sqlite3.OpenFlags(name, flags)
	if err != nil {
		return nil, err
	}
	if err := db.BusyTimeout(busyTimeout); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (s *SQLite) openWriter() (err error) {
	c := &s.writer
	if s.file.logged {
		if err := s.file.createLog(); err != nil {
			return err
		}
	}
	if c.db, err = s.connect(sqlite3.OPEN_READWRITE); err != nil {
		return err
	}
	// FULL: a commit returns when it is on disk. The first migration comes before
	// write-ahead logging, so that the file itself says whose it is.
	if err := c.db.Exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF"); err != nil {
		return err
	}
	if err := migrate(c.db); err != nil {
		return err
	}
	if err := s.file.createLog(); err != nil {
		return err
	}
	mode, err := queryText(c.db, "PRAGMA journal_mode = WAL")
	if err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("found journal mode %q, expected wal: put the database on a local disk", mode)
	}
	if c.last, _, err = c.db.Prepare(lastSQL); err != nil {
		return err
	}
	c.insert, _, err = c.db.Prepare(insertSQL)
	return err
}

func (s *SQLite) openReader() (err error) {
	c := &s.reader
	// Whoever may write is the one to remove SQLite's files beside the database
	// when he is the last to close it.
	if c.db, err = s.connect(sqlite3.OPEN_READWRITE); err != nil {
		if c.db, err = s.connect(sqlite3.OPEN_READONLY); err != nil {
			return err
		}
	}
	if err := c.db.Exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF"); err != nil {
		return err
	}
	found, err := version(c.db)
	if err != nil {
		return err
	}
	if found < len(migrations) {
		return fmt.Errorf("found format version %d, expected %d: start a server with it once, which brings it up to date", found, len(migrations))
	}
	if c.last, _, err = c.db.Prepare(lastSQL); err != nil {
		return err
	}
	c.page, _, err = c.db.Prepare(pageSQL)
	return err
}

// take waits for a connection, and tells why it cannot be used. It is given back
// by unlocking it, whatever the answer.
func (c *connection) take(ctx context.Context) error {
	c.mu.Lock()
	switch {
	case c.closed:
		return journal.ErrClosed
	case c.db == nil:
		return errReadOnly
	}
	return ctx.Err()
}

func (c *connection) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.db == nil {
		c.closed = true
		return nil
	}
	c.closed = true
	return errors.Join(c.last.Close(), c.page.Close(), c.insert.Close(), c.db.Close())
}

// Close implements [journal.Log].
func (s *SQLite) Close() error {
	// The writer goes last: then the file holds everything, and those beside it
	// are removed.
	err := errors.Join(s.reader.close(), s.beside.close(), s.writer.close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return s.fault(err)
}

// fault says in which file the database failed.
func (s *SQLite) fault(err error) error {
	var code sqlite3.ErrorCode
	if errors.As(err, &code) {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return err
}
