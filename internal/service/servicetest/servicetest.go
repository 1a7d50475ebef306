// Package servicetest starts contests for the tests of what stands on the
// service: with a journal in memory that can be made to fail, and a clock that
// only moves when it is told to. It is imported by tests only.
package servicetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/service"
)

// ErrDisk is the error of a journal that is made to fail.
var ErrDisk = errors.New("no space left on device")

// Contest is a running service with what its tests turn.
type Contest struct {
	*service.Service
	Clock   *Clock
	Failing atomic.Bool  // the journal refuses to be written
	Spare   atomic.Int64 // writes that a failing journal still takes
	log     journal.Log
}

// Start runs a contest until the test ends.
func Start(t testing.TB, open contest.Open, start time.Time) *Contest {
	t.Helper()
	c := &Contest{Clock: &Clock{now: start}, log: journal.NewMemory()}
	svc, err := service.New(t.Context(), log{c.log, c}, open, service.Options{Now: c.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	c.Service = svc
	t.Cleanup(svc.Close)
	return c
}

// Must has a command carried out now that must not be refused.
func (c *Contest) Must(t testing.TB, command contest.Command) service.Outcome {
	t.Helper()
	outcome, err := c.Do(t.Context(), command, c.Now())
	if err != nil {
		t.Fatalf("%#v: %v", command, err)
	}
	return outcome
}

// Verify fails the test if the journal does not replay to what was announced.
func (c *Contest) Verify(t testing.TB) {
	t.Helper()
	if _, err := service.Verify(t.Context(), c.log); err != nil {
		t.Error(err)
	}
}

type log struct {
	journal.Log
	contest *Contest
}

// Append implements journal.Log.
func (l log) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]journal.Record, error) {
	if l.contest.Failing.Load() && l.contest.Spare.Add(-1) < 0 {
		return nil, ErrDisk
	}
	return l.Log.Append(ctx, previous, events)
}

// Clock is a clock that stands until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
