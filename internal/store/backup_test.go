package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

func TestBackup(t *testing.T) {
	path := filled(t, 300)
	for name, log := range map[string]*store.SQLite{"reader.db": openReadOnly(t, path), "writer.db": open(t, path)} {
		to := filepath.Join(t.TempDir(), name)
		if err := log.Backup(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Dir(to))
		if err != nil || len(entries) != 1 {
			t.Fatalf("found %v (%v), expected the copy alone", entries, err)
		}
		if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("found mode %s (%v)", info.Mode(), err)
		}
		journaltest.Whole(t, openReadOnly(t, to), 300)
		same(t, to, path)
		restored := open(t, to) // it is a database like the original
		journaltest.Append(t, restored, journaltest.Events(300, 1)...)
		journaltest.Whole(t, restored, 301)
	}
}

func same(t *testing.T, found, expected string) {
	t.Helper()
	_, hash, err := openReadOnly(t, found).Head(t.Context())
	_, want, fault := openReadOnly(t, expected).Head(t.Context())
	if err != nil || fault != nil || hash != want {
		t.Errorf("found head %s (%v), expected %s (%v)", hash, err, want, fault)
	}
}

// A copy that is made while records are appended holds whole batches, and all
// that were there before.
func TestBackupWhileItIsWritten(t *testing.T) {
	const batch = 50
	path := filled(t, batch)
	log := open(t, path)
	var all sync.WaitGroup
	done := make(chan struct{})
	all.Go(func() {
		for head := contest.Seq(batch); ; head += batch {
			select {
			case <-done:
				return
			default:
				journaltest.Append(t, log, journaltest.Events(head, batch)...)
			}
		}
	})
	for i := range 5 {
		before, _, err := log.Head(t.Context())
		if err != nil {
			t.Error(err)
		}
		to := filepath.Join(t.TempDir(), "copy.db")
		if err := log.Backup(t.Context(), to); err != nil {
			t.Error(err)
			break
		}
		copied := openReadOnly(t, to)
		head, _, err := copied.Head(t.Context())
		if err != nil || head%batch != 0 || head < before {
			t.Errorf("copy %d: found %d (%v), expected at least %d", i, head, err, before)
		}
		journaltest.Whole(t, copied, head)
	}
	close(done)
	all.Wait()
}

func TestBackupRefuses(t *testing.T) {
	path := filled(t, 300)
	log := open(t, path)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		to   string
		want string
	}{
		{"onto itself", t.Context(), path, "is there already, and a backup replaces nothing"},
		{"missing folder", t.Context(), filepath.Join(t.TempDir(), "missing", "copy.db"), "no such file"},
		{"cancelled", cancelled, filepath.Join(t.TempDir(), "copy.db"), "context canceled"},
	} {
		if err := log.Backup(test.ctx, test.to); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, expected %q", test.name, err, test.want)
		}
		if entries, _ := os.ReadDir(filepath.Dir(test.to)); test.to != path && len(entries) > 0 {
			t.Errorf("%s: left %v behind", test.name, entries)
		}
	}
	journaltest.Whole(t, log, 300)
	shut(t, log)
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := log.Backup(t.Context(), to); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("closed: found %v", err)
	}
}
