package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/keep/keeptest"
	"scorebook/internal/store"
	"scorebook/internal/testkit"
)

func openPostgres(t testing.TB, address string) *store.Postgres {
	t.Helper()
	log, err := store.OpenPostgres(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, log) })
	return log
}

func TestPostgres(t *testing.T) {
	journaltest.TestLog(t, func(t *testing.T) (journal.Log, func() journal.Log) {
		address := testkit.Postgres(t)
		return openPostgres(t, address), func() journal.Log { return openPostgres(t, address) }
	})
}

func TestPostgresKeeps(t *testing.T) { keeptest.Run(t, openPostgres(t, testkit.Postgres(t))) }

// Two contests in a database do not meet.
func TestContestsInADatabase(t *testing.T) {
	address := testkit.Postgres(t)
	one, other := openPostgres(t, address), openPostgres(t, address+"&contest=other")
	journaltest.Append(t, one, journaltest.Events(0, 3)...)
	journaltest.Whole(t, one, 3)
	journaltest.Whole(t, other, 0)
	if err := one.SetPassword(t.Context(), "a", "x"); err != nil {
		t.Fatal(err)
	}
	if hashes, err := other.Passwords(t.Context()); err != nil || len(hashes) > 0 {
		t.Errorf("found %v, %v", hashes, err)
	}
}

// Processes that start at once make the tables once.
func TestPostgresOpenedAtOnce(t *testing.T) {
	address := testkit.Postgres(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			log, err := store.OpenPostgres(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			if err := log.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Turns of several processes come one after the other, and each sees what was
// before it.
func TestTurns(t *testing.T) {
	address := testkit.Postgres(t)
	const writers, each = 4, 30
	var all sync.WaitGroup
	for range writers {
		log := openPostgres(t, address)
		all.Go(func() {
			known := contest.Seq(0)
			for range each {
				records, err := log.Turn(t.Context(), known, func(news []journal.Record) ([]contest.Recorded, error) {
					for _, r := range news {
						if r.Seq != known+1 {
							t.Errorf("found record %d behind %d", r.Seq, known)
						}
						known = r.Seq
					}
					return journaltest.Events(known, 2), nil
				})
				if err != nil {
					t.Error(err)
					return
				}
				known = records[1].Seq
			}
		})
	}
	all.Wait()
	journaltest.Whole(t, openPostgres(t, address), writers*each*2)
}

func TestTurnThatDecidesNothing(t *testing.T) {
	log := openPostgres(t, testkit.Postgres(t))
	journaltest.Append(t, log, journaltest.Events(0, 3)...)
	refused := errors.New("refused")
	if _, err := log.Turn(t.Context(), 1, func(news []journal.Record) ([]contest.Recorded, error) {
		if len(news) != 2 {
			t.Errorf("found %d records", len(news))
		}
		return nil, refused
	}); !errors.Is(err, refused) {
		t.Errorf("found %v", err)
	}
	if records, err := log.Turn(t.Context(), 3, func([]journal.Record) ([]contest.Recorded, error) { return nil, nil }); err != nil || records != nil {
		t.Errorf("found %v, %v", records, err)
	}
	if _, err := log.Turn(t.Context(), 7, func([]journal.Record) ([]contest.Recorded, error) { return nil, nil }); err == nil || !strings.Contains(err.Error(), "older copy") {
		t.Errorf("a database that was set back: %v", err)
	}
	journaltest.Append(t, log, journaltest.Events(3, 1)...) // the lock is free
}

// Who watches is told of what others append, and soon.
func TestWatch(t *testing.T) {
	address := testkit.Postgres(t)
	one, other := openPostgres(t, address), openPostgres(t, address)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	told := make(chan struct{}, 100)
	go one.Watch(ctx, func() { told <- struct{}{} })
	<-told // it listens
	journaltest.Append(t, other, journaltest.Events(0, 1)...)
	for {
		select {
		case <-told:
			if head, _, err := one.Head(t.Context()); err == nil && head == 1 {
				return
			}
		case <-time.After(10 * time.Second):
			t.Fatal("it was not told")
		}
	}
}

func TestPostgresClock(t *testing.T) {
	clock, err := openPostgres(t, testkit.Postgres(t)).Clock(t.Context())
	if err != nil || clock.Uncertainty <= 0 || clock.Uncertainty > time.Second || clock.Offset.Abs() > time.Hour {
		t.Errorf("found %+v, %v", clock, err)
	}
}

// Nothing is changed or removed behind the program's back without a trace, and no
// error shows a password.
func TestPostgresFaults(t *testing.T) {
	testkit.Postgres(t)
	for address, want := range map[string]string{
		"postgres://u:secret@127.0.0.1:1/x?sslmode=disable":                      "postgres://u:xxxxx@127.0.0.1:1/x",
		"postgres://u:secret@127.0.0.1:5432/x?sslmode=disable&contest=":          "found the contest \"\"",
		"postgres://u:secret@127.0.0.1:5432/x?contest=a%20b":                     "found the contest",
		"postgres://u:secret@127.0.0.1:5432/x?sslmode=nonsense":                  "the address of the database cannot be read",
		"postgres://u:secret@127.0.0.1:port/x":                                   "the address of the database is no URL",
		"postgres://u:secret@127.0.0.1:5432/none_such?sslmode=disable":           "none_such",
		fmt.Sprint("postgres://u:secret@h/x?contest=", strings.Repeat("x", 101)): "1 to 100 visible",
	} {
		_, err := store.OpenPostgres(t.Context(), address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: found %v", address, err)
		}
	}
}
