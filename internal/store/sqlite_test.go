package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

func TestSQLite(t *testing.T) {
	journaltest.TestLog(t, func(t *testing.T) (journal.Log, func() journal.Log) {
		path := filepath.Join(t.TempDir(), "contest.db")
		log := open(t, path)
		return log, func() journal.Log {
			shut(t, log)
			log = open(t, path)
			return log
		}
	})
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b%20?#é.db")
	log := open(t, path)
	journaltest.Append(t, log, journaltest.Events(0, 3)...)
	names := func() (names []string) {
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				t.Fatal(err)
			}
			if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("%s: found mode %s, expected -rw-------", entry.Name(), info.Mode())
			}
			names = append(names, strings.TrimPrefix(entry.Name(), filepath.Base(path)))
		}
		return names
	}
	if found := strings.Join(names(), " "); found != " -shm -wal .lock" {
		t.Errorf("open: found %q", found)
	}
	shut(t, log)
	if found := strings.Join(names(), " "); found != " .lock" {
		t.Errorf("closed: found %q", found)
	}
	for range 2 { // also without anybody who writes, and without leaving anything
		reader := openReadOnly(t, path)
		journaltest.Whole(t, reader, 3)
		shut(t, reader)
		if found := strings.Join(names(), " "); found != " .lock" {
			t.Errorf("read: found %q", found)
		}
	}
}

// What is written into a database is what its readers will look at in years.
func TestSchema(t *testing.T) {
	path := filled(t, 1)
	head, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if id := string(head[68:72]); id != "SCOR" {
		t.Errorf("application id: found %q", id)
	}
	if version := head[63]; version != 2 {
		t.Errorf("user version: found %d", version)
	}
	run(t, path, `CREATE TEMP TABLE want (x CHECK (x)); INSERT INTO want
		SELECT typeof(at_ns) = 'integer' AND kind = 'team_renamed' AND version = 1 AND data ->> '$.team' = 't' AND length(hash) = 32 FROM journal`)
}

func TestEmptyFileIsNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contest.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenSQLiteReadOnly(t.Context(), path); err == nil || !strings.Contains(err.Error(), "there is no contest in it yet") {
		t.Errorf("found %v", err)
	}
	journaltest.Whole(t, open(t, path), 0)
}

func TestOpenRefuses(t *testing.T) {
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	sql := func(sql string) func(*testing.T, string) {
		return func(t *testing.T, path string) { run(t, path, sql) }
	}
	ours := func(sql string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			shut(t, open(t, path))
			run(t, path, sql)
			if err := os.Remove(path + ".lock"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name    string
		make    func(t *testing.T, path string)
		want    string
		touched bool // the lock was taken before the fault was seen
	}{
		{"a text", write("team,score\na,1\n"), "contest.db: this is no database: give the file of a contest", false},
		{"a long text", write(strings.Repeat("team,score\n", 1000)), "this is no database", false},
		{"a text that begins alike", write("SQLite format 3\x00"), "this is no database", false},
		{"a database of another program", sql("CREATE TABLE t (x)"), "contest.db: this is a database of another program", false},
		{"one with a mark of its own", sql("PRAGMA application_id = 7; CREATE TABLE t (x)"), "another program", false},
		{"one of a newer version", ours("PRAGMA user_version = 3"), "contest.db: found format version 3, expected at most 2: a newer scorebook wrote it, use that one", true},
		{"one with our mark alone", sql("PRAGMA application_id = 0x53434f52; CREATE TABLE t (x)"), "another program", true},
		{"damaged", func(t *testing.T, path string) {
			shut(t, open(t, path))
			if err := os.Truncate(path, 200); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path + ".lock"); err != nil {
				t.Fatal(err)
			}
		}, "contest.db: sqlite3: ", true},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory", false},
		{"a file for a folder", func(t *testing.T, path string) {
			if err := os.WriteFile(filepath.Dir(path)+"/file", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("file/contest.db", path); err != nil {
				t.Skip(err)
			}
		}, "not a directory", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "contest.db")
			test.make(t, path)
			before, _ := os.ReadFile(path)
			_, err := store.OpenSQLite(t.Context(), path, store.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("found %v, expected %q", err, test.want)
			}
			if _, err := os.Stat(path + ".lock"); (err == nil) != test.touched {
				t.Errorf("a lock file: found %v, expected %t", err, test.touched)
			}
			_, err = store.OpenSQLiteReadOnly(t.Context(), path)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("for reading: found %v, expected %q", err, test.want)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestOpenMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contest.db")
	if _, err := store.OpenSQLiteReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("for reading: found %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file was created for reading")
	}
	path = filepath.Join(t.TempDir(), "missing", "contest.db")
	_, err := store.OpenSQLite(t.Context(), path, store.Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "the folder of the database is missing") {
		t.Errorf("missing folder: found %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.OpenSQLite(cancelled, path, store.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: found %v", err)
	}
	if _, err := store.OpenSQLiteReadOnly(cancelled, path); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: found %v", err)
	}
}

func TestReadOnlyWhileItIsWritten(t *testing.T) {
	path := filled(t, 2)
	writer, reader := open(t, path), openReadOnly(t, path)
	journaltest.Whole(t, reader, 2)
	journaltest.Append(t, writer, journaltest.Events(2, 3)...)
	journaltest.Whole(t, reader, 5)
	if _, err := reader.Append(t.Context(), 5, journaltest.Events(5, 1)); err == nil || !strings.Contains(err.Error(), "for reading only") {
		t.Errorf("append: found %v", err)
	}
	shut(t, writer)
	journaltest.Whole(t, reader, 5)
	journaltest.Append(t, open(t, path), journaltest.Events(5, 1)...) // a reader keeps no writer out
	journaltest.Whole(t, reader, 6)
}

// The journal is only appended to, also by those who use other programs without
// thinking.
func TestTriggers(t *testing.T) {
	path := filled(t, 2)
	log := open(t, path)
	for _, sql := range []string{"DELETE FROM journal", row(1, "kind = 'x'")} {
		if err := log.Exec(sql); err == nil || !strings.Contains(err.Error(), "the journal is only appended to") {
			t.Errorf("%s: found %v", sql, err)
		}
	}
	journaltest.Whole(t, log, 2)
}

func TestTamperedRowsAreFound(t *testing.T) {
	for _, test := range []struct{ sql, want string }{
		{row(3, "data = replace(data, 'name', 'game')"), "record 3 (team_renamed) carries the hash"},
		{row(3, "at_ns = at_ns + 1"), "record 3 (team_renamed) carries the hash"},
		{row(3, "kind = 'x'"), "record 3 (x) carries the hash"},
		{row(3, "version = 2"), "record 3 (team_renamed) carries the hash"},
		{row(3, "hash = zeroblob(32)"), "record 3 (team_renamed) carries the hash 00000000"},
		{row(3, "hash = zeroblob(31)"), "record 3 carries a hash of 31 bytes, expected 32"},
		{row(3, "hash = zeroblob(33)"), "record 3 carries a hash of 33 bytes, expected 32"},
		{row(5, "seq = 6"), "found record 6 behind record 4, expected 5"},
		{"DELETE FROM journal WHERE seq = 3", "found record 4 behind record 2, expected 3"},
		{"INSERT INTO journal SELECT 6, at_ns, kind, version, data, hash FROM journal WHERE seq = 5", "record 6 (team_renamed) carries the hash"},
		{"UPDATE journal SET (at_ns, kind, data, hash) = (SELECT at_ns, kind, data, hash FROM journal WHERE seq = 2) WHERE seq = 3", "record 3 (submission_judged) carries the hash"},
	} {
		path := filled(t, 5)
		tamper(t, path, test.sql)
		err := journal.Verify(t.Context(), openReadOnly(t, path))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, expected %q", test.sql, err, test.want)
		}
	}
}

// What another program appended meanwhile is a conflict, and nothing is lost.
func TestConflictWithAnotherProgram(t *testing.T) {
	path := filled(t, 2)
	log := open(t, path)
	run(t, path, "INSERT INTO journal SELECT 3, at_ns, kind, version, data, hash FROM journal WHERE seq = 2")
	_, err := log.Append(t.Context(), 2, journaltest.Events(2, 1))
	var conflict *journal.ConflictError
	if !errors.As(err, &conflict) || conflict.Found != 3 {
		t.Errorf("found %v", err)
	}
}
