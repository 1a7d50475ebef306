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
}

func (s *Stats) appended(commands, events int, took time.Duration, err error) {
	s.Batches.Add(1)
	s.Commands.Add(uint64(commands))
	s.Writing.Add(int64(took))
	s.failing.Store(err != nil)
	if err != nil {
		s.Failures.Add(1)
		return
	}
	s.Events.Add(uint64(events))
}
