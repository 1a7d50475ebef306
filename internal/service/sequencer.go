package service

import (
	"context"
	"errors"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// maxBatch bounds how many commands share one transaction, so that the first of
// them does not wait for too many.
const maxBatch = 1024

// request is a command that waits for its turn.
type request struct {
	command contest.Command
	arrived time.Time
	reply   chan reply // with room for one
}

// reply is what a command came to.
type reply struct {
	events  []contest.Recorded
	records []journal.Record
	err     error
}

// Outcome is what a command made happen: nothing, if both are empty.
type Outcome struct {
	Events  []contest.Recorded
	Records []journal.Record // the same events as they stand in the journal
}

// Do has a command decided that arrived at the given time, and returns when
// what it makes happen is durable. The error is a [*contest.Reject], or wraps
// [ErrUnavailable] or the context's error; after the latter two the command may
// or may not have been recorded.
func (s *Service) Do(ctx context.Context, command contest.Command, arrived time.Time) (Outcome, error) {
	r := &request{command: command, arrived: arrived, reply: make(chan reply, 1)}
	select {
	case s.queue <- r:
	case <-s.closed:
		return Outcome{}, ErrUnavailable
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
	select {
	case done := <-r.reply:
		return Outcome{done.events, done.records}, done.err
	case <-s.done:
		select { // the last batch may have answered just before the end
		case done := <-r.reply:
			return Outcome{done.events, done.records}, done.err
		default:
			return Outcome{}, ErrUnavailable
		}
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
}

// sequence is the sequencer.
func (s *Service) sequence() {
	defer close(s.done)
	for {
		select {
		case first := <-s.queue:
			s.process(s.batch(first))
		case <-s.closed:
			for { // what was queued is still answered
				select {
				case first := <-s.queue:
					s.process(s.batch(first))
				default:
					return
				}
			}
		}
	}
}

// batch takes everything that is waiting.
func (s *Service) batch(first *request) []*request {
	batch := []*request{first}
	for len(batch) < maxBatch {
		select {
		case next := <-s.queue:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}

// process decides a batch, makes it durable, and answers it.
func (s *Service) process(batch []*request) {
	ctx := context.Background() // what was taken is finished, whoever still waits
	replies := make([]reply, len(batch))
	defer func() {
		for i, r := range batch {
			r.reply <- replies[i]
		}
	}()
	fail := func(err error) {
		for i := range replies {
			replies[i] = reply{err: errors.Join(ErrUnavailable, err)}
		}
	}
	if s.head == nil {
		if err := s.recover(ctx); err != nil {
			fail(err)
			return
		}
	}
	previous := s.head.Seq()
	var events []contest.Recorded
	ends := make([]int, len(batch)) // of each request's events in events
	for i, r := range batch {
		decided, refused := s.head.Decide(r.command, s.now())
		if refused != nil {
			replies[i].err = refused
		}
		for _, event := range decided {
			recorded := contest.Recorded{Seq: s.head.Seq() + 1, At: later(r.arrived, s.head.At()).UTC(), Event: event}
			if err := s.head.Apply(recorded); err != nil {
				s.logger.Error("an event that was decided cannot be applied", "error", err)
				s.head = nil
				fail(err)
				return
			}
			events = append(events, recorded)
		}
		ends[i] = len(events)
	}
	if len(events) == 0 {
		return
	}
	begun := time.Now()
	records, err := s.log.Append(ctx, previous, events)
	s.Stats.appended(len(batch), len(events), time.Since(begun), err)
	if err != nil {
		s.logger.Error("the journal cannot be written", "error", err, "commands", len(batch))
		s.head = nil
		fail(err)
		if err := s.recover(ctx); err != nil {
			s.logger.Error("the journal cannot be read again", "error", err)
		}
		return
	}
	begin := 0
	for i, end := range ends {
		replies[i].events, replies[i].records = events[begin:end:end], records[begin:end:end]
		begin = end
	}
	s.publish(events)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// recover reads the journal again after a write whose outcome is not known, and
// publishes what turned out to be in it.
func (s *Service) recover(ctx context.Context) error {
	known := s.Durable()
	var unseen []contest.Recorded
	state, err := Replay(ctx, s.log, func(_ *contest.State, r contest.Recorded) error {
		if r.Seq > known {
			unseen = append(unseen, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.head = state
	if len(unseen) > 0 {
		s.publish(unseen)
	}
	return nil
}
