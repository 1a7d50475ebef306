package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"scorebook/contest"
)

// Log is a journal that can be appended to. Its methods may be called by
// several goroutines at once.
type Log interface {
	// Append adds events whose numbers follow previous, all or none, and
	// returns when they are durable. Their times must not run backwards. If the
	// last record is not previous, it fails with a [*ConflictError] and adds
	// nothing. After any other error it is not known whether they are in the
	// journal: read what is behind previous.
	Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]Record, error)
	// Read yields the records behind a number, in order. Those that are appended
	// meanwhile may or may not be among them. The journal can be used while it
	// goes on, and after an error there is nothing more.
	Read(ctx context.Context, after contest.Seq) iter.Seq2[Record, error]
	// Head returns number and hash of the last record, or zeros.
	Head(ctx context.Context) (contest.Seq, Hash, error)
	// Close releases the journal. Afterwards everything else fails with
	// [ErrClosed], and closing it again does nothing.
	Close() error
}

// ErrClosed is the error of a journal that was closed.
var ErrClosed = errors.New("the journal is closed")

// ConflictError means that somebody else appended to the journal.
type ConflictError struct {
	Found, Expected contest.Seq
}

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("the journal ends with record %d, expected %d: something else writes to it", e.Found, e.Expected)
}

// Chain encodes events to follow the last record of a journal, or the zero
// Record. It is for implementations of [Log].
func Chain(last Record, events []contest.Recorded) ([]Record, error) {
	records := make([]Record, len(events))
	for i, event := range events {
		if event.Seq != last.Seq+1 {
			return nil, fmt.Errorf("found event %d behind record %d, expected number %d", event.Seq, last.Seq, last.Seq+1)
		}
		if event.At.Before(last.At) {
			return nil, fmt.Errorf("event %d (%s) is of %s, the record before it of %s: time must not run backwards",
				event.Seq, event.Event.Kind(), event.At.UTC().Format(time.RFC3339Nano), last.At.Format(time.RFC3339Nano))
		}
		record, err := Encode(event, last.Hash)
		if err != nil {
			return nil, err
		}
		records[i], last = record, record
	}
	return records, nil
}

// Verify checks the numbers, the times and the hashes of all records. The error
// names the first that does not follow from the ones before it. That records
// are missing at the end cannot be seen: hold the last hash against one that
// was noted elsewhere.
func Verify(ctx context.Context, log Log) error {
	var last Record
	for record, err := range log.Read(ctx, 0) {
		if err != nil {
			return err
		}
		if err := record.follows(last); err != nil {
			return err
		}
		last = record
	}
	return nil
}

func (r Record) follows(last Record) error {
	switch sum := r.Sum(last.Hash); {
	case r.Seq != last.Seq+1:
		return fmt.Errorf("found record %d behind record %d, expected %d: records are missing, were put in or stand in another order", r.Seq, last.Seq, last.Seq+1)
	case r.Hash != sum:
		return fmt.Errorf("record %d (%s) carries the hash %s, its content gives %s: it, or the one before it, was changed", r.Seq, r.Kind, r.Hash, sum)
	case r.At.Before(last.At):
		return fmt.Errorf("record %d (%s) is older than the one before it: time must not run backwards", r.Seq, r.Kind)
	}
	return nil
}
