package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

func TestOneWriter(t *testing.T) {
	path := filled(t, 1)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		link = path
	}
	log := open(t, path)
	for _, name := range []string{path, link} {
		_, err := store.OpenSQLite(t.Context(), name, store.Options{})
		var used *store.InUseError
		if !errors.As(err, &used) || used.PID != os.Getpid() {
			t.Fatalf("%s: found %v", name, err)
		}
		want := fmt.Sprintf("%s: another scorebook (process %d) uses this database: ", path, os.Getpid())
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("found %q, expected %q", err, want)
		}
	}
	shut(t, log)
	journaltest.Whole(t, open(t, link), 1)
}

func TestLockWithoutNumber(t *testing.T) {
	path := filled(t, 1)
	open(t, path)
	if err := os.WriteFile(path+".lock", []byte("what"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.OpenSQLite(t.Context(), path, store.Options{})
	if err == nil || !strings.Contains(err.Error(), ": another scorebook uses this database") {
		t.Errorf("found %v", err)
	}
}

func TestLockCannotBeTaken(t *testing.T) {
	path := filled(t, 1)
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+".lock", 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := store.OpenSQLite(t.Context(), path, store.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be locked") {
		t.Errorf("found %v", err)
	}
	journaltest.Whole(t, openReadOnly(t, path), 1)
}

// After a refusal the lock is free for whoever comes.
func TestRefusalFreesTheLock(t *testing.T) {
	path := filled(t, 1)
	run(t, path, "PRAGMA user_version = 3")
	if _, err := store.OpenSQLite(t.Context(), path, store.Options{}); err == nil {
		t.Fatal("found no error")
	}
	run(t, path, "PRAGMA user_version = 2")
	journaltest.Whole(t, open(t, path), 1)
}
