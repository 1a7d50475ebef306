package service

import (
	"sync/atomic"
	"time"
)

// Stats counts what was done since the start.
type Stats struct {
	Submissions atomic.Uint64 // judged, by whoever takes them
	Batches     atomic.Uint64 // transactions that were tried
	Commands    atomic.Uint64 // in them
	Events      atomic.Uint64 // made durable
	Failures    atomic.Uint64 // transactions that failed
	Writing     atomic.Int64  // nanoseconds spent in them
	failing     atomic.Bool   // the last one failed
	synced      atomic.Int64  // nanoseconds since 1970: when the journal answered last
}

// Synced returns when the journal answered last, or the zero time.
func (s *Stats) Synced() time.Time {
	if at := s.synced.Load(); at != 0 {
		return time.Unix(0, at).UTC()
	}
	return time.Time{}
}

// read notes that the journal was read.
func (s *Stats) read(now time.Time, err error) {
	s.failing.Store(err != nil)
	if err == nil {
		s.synced.Store(now.UnixNano())
	}
}

func (s *Stats) appended(now time.Time, commands, events int, took time.Duration, err error) {
	s.read(now, err)
	s.Batches.Add(1)
	s.Commands.Add(uint64(commands))
	s.Writing.Add(int64(took))
	if err != nil {
		s.Failures.Add(1)
		return
	}
	s.Events.Add(uint64(events))
}
