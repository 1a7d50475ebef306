// Package keeptest holds what every store of package keep must do. It is
// imported by tests only.
package keeptest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/keep"
)

// Interactions returns n logs of two teams.
func Interactions(n int) []keep.Interaction {
	logs := make([]keep.Interaction, n)
	for i := range logs {
		logs[i] = keep.Interaction{
			Team: contest.TeamID([]string{"a", "b"}[i%2]), At: time.Date(2026, 1, 17, 12, 0, 0, i, time.UTC),
			Kind: []keep.Kind{keep.Query, keep.Result}[i/2%2], Body: fmt.Sprintf(`{"n": %d, "value": "chợ 東"}`, i),
		}
	}
	return logs
}

// Run tests an empty store.
func Run(t *testing.T, store keep.Store) {
	t.Helper()
	ctx := t.Context()
	all(t, store)
	if hashes, err := store.Passwords(ctx); err != nil || len(hashes) != 0 {
		t.Errorf("found %v and %v, expected no passwords", hashes, err)
	}
	for _, set := range [][2]string{{"a", "one"}, {"b", "two"}, {"a", "three"}} {
		if err := store.SetPassword(ctx, contest.TeamID(set[0]), set[1]); err != nil {
			t.Fatal(err)
		}
	}
	if hashes, err := store.Passwords(ctx); err != nil || !maps.Equal(hashes, map[contest.TeamID]string{"a": "three", "b": "two"}) {
		t.Errorf("found %v and %v", hashes, err)
	}

	logs := Interactions(1000)
	logs[3].Body = `{"long": "` + strings.Repeat("x", 1<<20) + `"}`
	for batch := range slices.Chunk(logs, 300) {
		if err := store.AddInteractions(ctx, batch); err != nil {
			t.Fatal(err)
		}
	}
	all(t, store, logs...)
	for log, err := range store.Interactions(ctx) {
		if log != logs[0] || err != nil {
			t.Errorf("found %+v and %v first", log, err)
		}
		break // nothing is held by a reader that stops
	}
	want := map[contest.TeamID]int64{}
	for _, log := range logs {
		want[log.Team] += int64(len(log.Body))
	}
	if sizes, err := store.Sizes(ctx); err != nil || !maps.Equal(sizes, want) {
		t.Errorf("found %v and %v, expected %v", sizes, err, want)
	}

	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range store.Interactions(ended) {
		if err == nil {
			t.Error("a context that has ended reads on")
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				if err := store.AddInteractions(ctx, logs[:10]); err != nil {
					t.Error(err)
				}
				if _, err := store.Sizes(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	n := 0
	for _, err := range store.Interactions(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != len(logs)+4*5*10 {
		t.Errorf("found %d logs", n)
	}
}

// all holds what a store has against what it should have.
func all(t *testing.T, store keep.Store, want ...keep.Interaction) {
	t.Helper()
	var found []keep.Interaction
	for log, err := range store.Interactions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, log)
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %d logs that are not the %d expected ones", len(found), len(want))
	}
}
