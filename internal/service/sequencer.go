package service

import (
	"context"
	"errors"
	"fmt"
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

// Sync takes in what other processes have appended to the journal until now.
func (s *Service) Sync(ctx context.Context) error {
	_, err := s.Do(ctx, nil, time.Time{})
	return err
}

// sequence is the sequencer.
func (s *Service) sequence() {
	defer close(s.done)
	for {
		select {
		case first := <-s.queue:
			s.process(s.batch(first))
		case <-s.stale:
			s.process(nil)
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

// process answers a batch. Each turn takes the commands that do not depend on each
// other, so that all of them are decided on what is durable.
func (s *Service) process(batch []*request) {
	var turn []*request
	for first := true; first || len(batch) > 0; first = false {
		if turn, batch = independent(batch); commands(turn) == 0 {
			s.catchUpWith(turn)
			continue
		}
		s.turn(turn)
	}
}

// commands counts the requests that are more than a wish to be up to date.
func commands(batch []*request) (n int) {
	for _, r := range batch {
		if r.command != nil {
			n++
		}
	}
	return n
}

// independent takes from a batch what can be decided without knowing what became
// of the rest: one submission of each team, or anything else by itself. What is
// left keeps its order.
func independent(batch []*request) (turn, rest []*request) {
	teams := make(map[contest.TeamID]bool, len(batch))
	for i, r := range batch {
		switch command := r.command.(type) {
		case nil:
			turn = append(turn, r)
		case contest.Submit:
			if teams[command.Team] {
				rest = append(rest, r)
				continue
			}
			teams[command.Team] = true
			turn = append(turn, r)
		default:
			if len(teams) > 0 || len(rest) > 0 {
				return turn, append(rest, batch[i:]...)
			}
			return append(turn, r), batch[i+1:]
		}
	}
	return turn, rest
}

// follow takes in what is new in the journal.
func (s *Service) follow() error {
	news, err := journal.Behind(context.Background(), s.log, s.head.Seq())
	if err != nil {
		return err
	}
	return s.take(news)
}

// catchUpWith answers those who wish to be up to date.
func (s *Service) catchUpWith(batch []*request) {
	err := s.follow()
	s.Stats.read(s.now(), err)
	for _, r := range batch {
		if err != nil {
			r.reply <- reply{err: errors.Join(ErrUnavailable, err)}
			continue
		}
		r.reply <- reply{}
	}
}

// take applies records of the journal that are not from here, and publishes them.
func (s *Service) take(news []journal.Record) error {
	var events []contest.Recorded
	for _, record := range news {
		event, err := journal.Decode(record)
		if err == nil {
			err = s.head.Apply(event)
		}
		if err != nil {
			return fmt.Errorf("take over event %d of the journal: %w", record.Seq, err)
		}
		events = append(events, event)
	}
	if len(events) > 0 {
		s.publish(events)
	}
	return nil
}

// turn decides commands that do not depend on each other, makes what they come to
// durable, and answers them.
func (s *Service) turn(batch []*request) {
	ctx := context.Background() // what was taken is finished, whoever still waits
	replies := make([]reply, len(batch))
	ends := make([]int, len(batch)) // of each request's events in events
	var events []contest.Recorded
	begun := time.Now()
	records, err := journal.Turn(ctx, s.log, s.head.Seq(), func(news []journal.Record) ([]contest.Recorded, error) {
		if err := s.take(news); err != nil {
			return nil, err
		}
		clear(replies)
		events = s.decide(batch, replies, ends)
		return events, nil
	})
	if err == nil {
		err = s.apply(events)
	}
	s.Stats.appended(s.now(), commands(batch), len(events), time.Since(begun), err)
	if err != nil {
		s.logger.Error("the journal cannot be written", "error", err, "commands", commands(batch))
		if err := s.follow(); err != nil { // it may have been written all the same
			s.logger.Error("the journal cannot be read again", "error", err)
		}
	}
	begin := 0
	for i, r := range batch {
		switch end := ends[i]; {
		case err != nil:
			replies[i] = reply{err: errors.Join(ErrUnavailable, err)}
		case end > begin:
			replies[i].events, replies[i].records = events[begin:end:end], records[begin:end:end]
			begin = end
		}
		r.reply <- replies[i]
	}
}

// decide returns the events of a batch, what is refused in replies, and in ends
// where the events of each request end.
func (s *Service) decide(batch []*request, replies []reply, ends []int) (events []contest.Recorded) {
	seq, at := s.head.Seq(), s.head.At()
	for i, r := range batch {
		if r.command != nil {
			decided, refused := s.head.Decide(r.command, s.now())
			if refused != nil {
				replies[i].err = refused
			}
			for _, event := range decided {
				seq, at = seq+1, later(r.arrived, at)
				events = append(events, contest.Recorded{Seq: seq, At: at.UTC(), Event: event})
			}
		}
		ends[i] = len(events)
	}
	return events
}

// apply takes in and publishes what became durable here.
func (s *Service) apply(events []contest.Recorded) error {
	for _, event := range events {
		if err := s.head.Apply(event); err != nil {
			return fmt.Errorf("an event that was decided cannot be applied: %w", err)
		}
	}
	if len(events) > 0 {
		s.publish(events)
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
