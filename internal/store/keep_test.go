package store_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/keep"
	"scorebook/internal/keep/keeptest"
	"scorebook/internal/store"
)

func TestSQLiteKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contest.db")
	log := open(t, path)
	keeptest.Run(t, log)
	journaltest.Append(t, log, journaltest.Events(0, 3)...)
	sizes, err := log.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shut(t, log)

	// It is there afterwards, and the journal knows nothing of it.
	again := openReadOnly(t, path)
	if after, err := again.Sizes(t.Context()); err != nil || !maps.Equal(after, sizes) {
		t.Errorf("found %v and %v, expected %v", after, err, sizes)
	}
	if hashes, err := again.Passwords(t.Context()); err != nil || len(hashes) != 2 {
		t.Errorf("found %v and %v", hashes, err)
	}
	journaltest.Whole(t, again, 3)
	for _, err := range []error{again.SetPassword(t.Context(), "a", "x"), again.AddInteractions(t.Context(), keeptest.Interactions(1))} {
		if err == nil {
			t.Error("something was written to what is only read")
		}
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := again.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if after, err := openReadOnly(t, copied).Sizes(t.Context()); err != nil || !maps.Equal(after, sizes) {
		t.Errorf("a backup has %v, %v", after, err)
	}
}

// A database of the first format gets what was added since when it is opened.
func TestFirstFormat(t *testing.T) {
	path := filled(t, 5)
	run(t, path, "DROP TABLE password; DROP TABLE interaction; PRAGMA user_version = 1")
	if _, err := store.OpenSQLiteReadOnly(t.Context(), path); err == nil {
		t.Error("it was read as it is")
	}
	log := open(t, path)
	journaltest.Whole(t, log, 5)
	if err := log.AddInteractions(t.Context(), keeptest.Interactions(2)); err != nil {
		t.Error(err)
	}
}

// How long the slow tenth of appends takes at least while logs are written as fast as they can be, in
// terms of one without.
func BenchmarkAppendBesideLogs(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "contest.db"))
	head := contest.Seq(0)
	slow := func() time.Duration {
		var took []time.Duration
		for range 200 {
			began := time.Now()
			journaltest.Append(b, log, submissions(head, 1)...)
			took = append(took, time.Since(began))
			head++
		}
		slices.Sort(took)
		return took[len(took)*9/10]
	}
	for b.Loop() {
		alone := slow()
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			logs := keeptest.Interactions(50)
			for {
				select {
				case <-stop:
					return
				case <-time.After(100 * time.Millisecond): // 500 logs a second
					if err := log.AddInteractions(b.Context(), logs); err != nil {
						b.Error(err)
					}
				}
			}
		}()
		beside := slow()
		close(stop)
		<-done
		b.ReportMetric(float64(beside)/float64(alone), "x")
	}
}

var _ keep.Store = (*store.SQLite)(nil)
