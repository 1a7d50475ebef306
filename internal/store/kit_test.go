package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

// The kill tests start this program again, as the writer that is killed.
func TestMain(m *testing.M) {
	path := os.Getenv(victimEnv)
	if path == "" {
		m.Run()
		return
	}
	fmt.Fprintln(os.Stderr, victim(path, os.Stdout)) // it was not killed: that is a success for the system, and a failure for the test
}

func open(t testing.TB, path string) *store.SQLite {
	t.Helper()
	return openWith(t, path, store.Options{})
}

func openWith(t testing.TB, path string, options store.Options) *store.SQLite {
	t.Helper()
	log, err := store.OpenSQLite(context.Background(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, log) })
	return log
}

func openReadOnly(t testing.TB, path string) *store.SQLite {
	t.Helper()
	log, err := store.OpenSQLiteReadOnly(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, log) })
	return log
}

func shut(t testing.TB, log journal.Log) {
	t.Helper()
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

// filled returns the path of a closed database with n records.
func filled(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "contest.db")
	log := open(t, path)
	if n > 0 {
		journaltest.Append(t, log, journaltest.Events(0, n)...)
	}
	shut(t, log)
	return path
}

// run has another program do something to a database.
func run(t testing.TB, path, sql string) {
	t.Helper()
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(sql); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// tamper does something to the journal in spite of its triggers.
func tamper(t testing.TB, path, sql string) {
	t.Helper()
	run(t, path, "DROP TRIGGER journal_keeps_rows; DROP TRIGGER journal_keeps_values; PRAGMA ignore_check_constraints = ON; "+sql)
}

func row(seq contest.Seq, set string) string {
	return fmt.Sprintf("UPDATE journal SET %s WHERE seq = %d", set, seq)
}

// damage overwrites the middle of a file.
func damage(t testing.TB, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(make([]byte, info.Size()/2), info.Size()/4); err != nil {
		t.Fatal(err)
	}
}
