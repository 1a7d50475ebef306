package store

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/ncruces/go-sqlite3"
)

// applicationID marks our databases: "SCOR" in ASCII.
const applicationID = 0x53434f52

// migrations bring a database from the format version that is their index to
// the next. They are never changed, only added to.
var migrations = []string{
	`CREATE TABLE journal (
		seq     INTEGER PRIMARY KEY CHECK (seq > 0),
		at_ns   INTEGER NOT NULL, -- nanoseconds since 1970, UTC
		kind    TEXT NOT NULL,
		version INTEGER NOT NULL,
		data    TEXT NOT NULL, -- JSON
		hash    BLOB NOT NULL CHECK (length(hash) = 32)
	) STRICT;
	CREATE TRIGGER journal_keeps_rows BEFORE DELETE ON journal
		BEGIN SELECT RAISE(ABORT, 'the journal is only appended to'); END;
	CREATE TRIGGER journal_keeps_values BEFORE UPDATE ON journal
		BEGIN SELECT RAISE(ABORT, 'the journal is only appended to'); END;
	CREATE TABLE meta (
		key   TEXT PRIMARY KEY,
		value BLOB NOT NULL
	) STRICT, WITHOUT ROWID;`,
	// What is kept beside the journal; see package keep.
	`CREATE TABLE password (
		team TEXT PRIMARY KEY,
		hash TEXT NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE interaction (
		id    INTEGER PRIMARY KEY,
		at_ns INTEGER NOT NULL, -- nanoseconds since 1970, UTC
		team  TEXT NOT NULL,
		kind  TEXT NOT NULL,
		bytes INTEGER NOT NULL, -- of the body, which need not be read to know it
		body  TEXT NOT NULL
	) STRICT;`,
}

// version returns the format version of a database that is ours, or 0 if there
// is nothing in it. It only reads.
func version(db *sqlite3.Conn) (int, error) {
	application, err := queryInt(db, "PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	version, err := queryInt(db, "PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	switch {
	case application == applicationID && version > len(migrations):
		return 0, fmt.Errorf("found format version %d, expected at most %d: a newer scorebook wrote it, use that one", version, len(migrations))
	case application == applicationID && version > 0:
		return version, nil
	}
	tables, err := queryInt(db, "SELECT count(*) FROM sqlite_schema")
	if err == nil && (tables > 0 || application != 0 || version != 0) {
		err = errForeign
	}
	return 0, err
}

// migrate brings a database to the newest format, all or nothing.
func migrate(db *sqlite3.Conn) error {
	from, err := version(db)
	if err != nil || from == len(migrations) {
		return err
	}
	return transact(db, func() error {
		for _, migration := range migrations[from:] {
			if err := db.Exec(migration); err != nil {
				return err
			}
		}
		return db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(migrations)))
	})
}

// transact does something in a transaction: all of it or nothing. Others can
// read meanwhile.
func transact(db *sqlite3.Conn, do func() error) error {
	if err := rollback(db); err != nil { // of a failure that could not be undone then
		return err
	}
	err := db.Exec("BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	if err = do(); err == nil {
		err = db.Exec("COMMIT")
	}
	if err != nil {
		return errors.Join(err, rollback(db))
	}
	return nil
}

// rollback ends a transaction, unless SQLite has done so already.
func rollback(db *sqlite3.Conn) error {
	if db.GetAutocommit() {
		return nil
	}
	return db.Exec("ROLLBACK")
}

func queryInt(db *sqlite3.Conn, sql string) (int, error) {
	text, err := queryText(db, sql)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// queryText returns the one value that a statement yields.
func queryText(db *sqlite3.Conn, sql string) (text string, err error) {
	stmt, _, err := db.Prepare(sql)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	if stmt.Step() {
		text = stmt.ColumnText(0)
	}
	return text, stmt.Reset() // which tells why a step failed, too
}
