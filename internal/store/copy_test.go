package store_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"scorebook/internal/journal/journaltest"
	"scorebook/internal/keep"
	"scorebook/internal/keep/keeptest"
	"scorebook/internal/store"
	"scorebook/internal/testkit"
)

// A contest that is copied to PostgreSQL and back is byte for byte the same.
func TestCopy(t *testing.T) {
	first := open(t, filepath.Join(t.TempDir(), "first.db"))
	journaltest.Append(t, first, journaltest.Events(0, 2500)...)
	keeptest.Run(t, first)
	second := openPostgres(t, testkit.Postgres(t))
	third := open(t, filepath.Join(t.TempDir(), "third.db"))
	for _, step := range []struct{ from, to store.Database }{{first, second}, {second, third}} {
		copied, err := store.Copy(t.Context(), step.from, step.to)
		if err != nil || copied.Records != 2500 || copied.Passwords != 2 || copied.Interactions != 1200 || copied.Head != 2500 {
			t.Fatalf("found %+v, %v", copied, err)
		}
		if _, err := store.Copy(t.Context(), step.from, step.to); err == nil || !strings.Contains(err.Error(), "expected none") {
			t.Errorf("copied again: %v", err)
		}
	}
	journaltest.Whole(t, third, 2500)
	_, before, _ := first.Head(t.Context())
	if _, after, err := third.Head(t.Context()); err != nil || after != before {
		t.Errorf("found the hash %s (%v), expected %s", after, err, before)
	}
	hashes := func(s keep.Store) map[string]string {
		all := map[string]string{}
		found, err := s.Passwords(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for team, hash := range found {
			all[string(team)] = hash
		}
		return all
	}
	logs := func(s keep.Store) (all []keep.Interaction) {
		for log, err := range s.Interactions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, log)
		}
		return all
	}
	if !maps.Equal(hashes(first), hashes(third)) || !slices.Equal(logs(first), logs(third)) {
		t.Error("what is kept beside the journal is not the same")
	}
}

// A record that was changed is not taken over.
func TestRestoreChecks(t *testing.T) {
	source := open(t, filepath.Join(t.TempDir(), "source.db"))
	records := journaltest.Append(t, source, journaltest.Events(0, 5)...)
	for _, target := range []store.Database{open(t, filepath.Join(t.TempDir(), "target.db")), openPostgres(t, testkit.Postgres(t))} {
		changed := slices.Clone(records)
		changed[3].Data = append([]byte(" "), changed[3].Data...)
		if err := target.Restore(t.Context(), changed); err == nil || !strings.Contains(err.Error(), "was changed") {
			t.Errorf("found %v", err)
		}
		if err := target.Restore(t.Context(), records[1:]); err == nil {
			t.Error("a gap was taken")
		}
		journaltest.Whole(t, target, 0)
		if err := target.Restore(t.Context(), records); err != nil {
			t.Fatal(err)
		}
		journaltest.Whole(t, target, 5)
	}
}
