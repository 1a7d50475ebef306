package service

import (
	"sync"
	"time"
)

// Clock is a clock that several processes can share: this machine's, set right by
// an offset that is measured. It neither jumps with the wall clock nor runs
// backwards. It may be used by several goroutines.
type Clock struct {
	started time.Time

	mu          sync.Mutex
	offset      time.Duration
	uncertainty time.Duration
	last        time.Time
}

// NewClock returns this machine's clock.
func NewClock() *Clock { return &Clock{started: time.Now()} }

// Now returns the time, in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.started.Round(0).Add(time.Since(c.started) + c.offset).UTC()
	if now.Before(c.last) { // it was set back: it stands until it is right again
		return c.last
	}
	c.last = now
	return now
}

// Set tells how far ahead the right time is, and by how much that may be wrong.
func (c *Clock) Set(offset, uncertainty time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.uncertainty = offset, uncertainty
}

// Skew returns what was set last.
func (c *Clock) Skew() (offset, uncertainty time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset, c.uncertainty
}
