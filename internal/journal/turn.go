package journal

import (
	"context"
	"errors"

	"scorebook/contest"
)

// Shared is a journal that several processes write to.
type Shared interface {
	Log
	// Turn has the journal for itself: it calls decide with the records behind
	// after, which others may have appended, and appends what decide returns, all
	// or none. It returns when that is durable. An error of decide is returned as
	// it is, and nothing is appended. After any other error it is not known
	// whether the events are in the journal; the next turn shows it.
	Turn(ctx context.Context, after contest.Seq, decide Decide) ([]Record, error)
	// Watch calls changed when there may be more records than before, also
	// without need, until the context ends.
	Watch(ctx context.Context, changed func())
}

// Restorer is a journal that takes records as they are, from another one.
type Restorer interface {
	// Restore adds records that follow the last one, all or none, and returns when
	// they are durable. A record whose hash is not that of its content is an error.
	Restore(ctx context.Context, records []Record) error
}

// Follow checks that records follow the last one of a journal, or the zero
// Record. It is for implementations of [Restorer].
func Follow(last Record, records []Record) error {
	for _, record := range records {
		if err := record.follows(last); err != nil {
			return err
		}
		last = record
	}
	return nil
}

// Decide returns the events that are to follow the last of the records, or the
// record that was asked from if there are none.
type Decide func(news []Record) ([]contest.Recorded, error)

// Turn takes a turn at any journal, in the way of [Shared]. One that no other
// process writes to has news only after an append whose outcome was not known;
// then decide is called a second time.
func Turn(ctx context.Context, log Log, after contest.Seq, decide Decide) ([]Record, error) {
	if shared, ok := log.(Shared); ok {
		return shared.Turn(ctx, after, decide)
	}
	events, err := decide(nil)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	records, err := log.Append(ctx, after, events)
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		return records, err
	}
	news, err := Behind(ctx, log, after)
	if err != nil || len(news) == 0 {
		return nil, errors.Join(conflict, err)
	}
	if events, err = decide(news); err != nil || len(events) == 0 {
		return nil, err
	}
	return log.Append(ctx, news[len(news)-1].Seq, events)
}

// Behind returns the records behind a number.
func Behind(ctx context.Context, log Log, after contest.Seq) (news []Record, err error) {
	for record, err := range log.Read(ctx, after) {
		if err != nil {
			return nil, err
		}
		news = append(news, record)
	}
	return news, nil
}
