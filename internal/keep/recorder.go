package keep

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"scorebook/contest"
)

// Bounds of the logs of a contest.
const (
	MaxBody   = 1 << 20  // bytes of a log
	maxTeam   = 64 << 20 // bytes of the logs of a team
	maxAll    = 4 << 30  // bytes of all logs
	maxQueue  = 32 << 20 // bytes that wait to be written
	batch     = 1 << 20  // bytes that are written at once
	perSecond = 50       // logs of a team
	burst     = 500
	delay     = 300 * time.Millisecond // until what waits is written
)

// Recorder takes logs and writes them when there is time: nobody waits for a
// disk, and least of all a submission.
type Recorder struct {
	store  Store
	logger *slog.Logger
	wake   chan struct{} // something waits
	done   chan struct{} // the writer has ended
	stop   chan struct{}

	mu       sync.Mutex
	closed   bool
	queue    []Interaction
	waiting  int64 // bytes in the queue
	all      int64 // bytes kept, with those in the queue
	sizes    map[contest.TeamID]int64
	limiters map[contest.TeamID]*rate.Limiter
}

// NewRecorder returns a recorder that goes on with what a store has.
func NewRecorder(ctx context.Context, store Store, logger *slog.Logger) (*Recorder, error) {
	sizes, err := store.Sizes(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the logs of interactions: %w", err)
	}
	r := &Recorder{
		store: store, logger: logger, wake: make(chan struct{}, 1), done: make(chan struct{}), stop: make(chan struct{}),
		sizes: sizes, limiters: map[contest.TeamID]*rate.Limiter{},
	}
	for _, size := range sizes {
		r.all += size
	}
	go r.write() //nolint:gosec // it outlives what it was started for, and ends with Close
	return r, nil
}

// Add takes a log. The error is [ErrTooOften] or [ErrFull].
func (r *Recorder) Add(log Interaction) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	limiter := r.limiters[log.Team]
	if limiter == nil {
		limiter = rate.NewLimiter(perSecond, burst)
		r.limiters[log.Team] = limiter
	}
	size := int64(len(log.Body))
	switch {
	case r.closed || size > MaxBody || r.sizes[log.Team]+size > maxTeam || r.all+size > maxAll:
		return ErrFull
	case !limiter.AllowN(log.At, 1) || r.waiting+size > maxQueue:
		return ErrTooOften
	}
	r.queue = append(r.queue, log)
	r.waiting += size
	r.all += size
	r.sizes[log.Team] += size
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return nil
}

// Close writes what waits, and takes nothing more.
func (r *Recorder) Close() {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if !closed {
		close(r.stop)
	}
	<-r.done
}

func (r *Recorder) write() {
	defer close(r.done)
	for stopping := false; !stopping; {
		select {
		case <-r.wake:
			select {
			case <-time.After(delay): // for more to come
			case <-r.stop:
				stopping = true
			}
		case <-r.stop:
			stopping = true
		}
		for logs := r.next(); len(logs) > 0; logs = r.next() {
			if err := r.store.AddInteractions(context.Background(), logs); err != nil {
				r.logger.Error("logs of interactions are lost", "logs", len(logs), "error", err)
			}
		}
	}
}

// next takes what is to be written at once from the queue.
func (r *Recorder) next() []Interaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, size := 0, int64(0)
	for n < len(r.queue) && (n == 0 || size+int64(len(r.queue[n].Body)) <= batch) {
		size += int64(len(r.queue[n].Body))
		n++
	}
	logs := r.queue[:n:n]
	r.queue = r.queue[n:]
	r.waiting -= size
	if len(r.queue) == 0 {
		r.queue = nil
	}
	return logs
}
