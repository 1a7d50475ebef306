package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"scorebook/contest"
)

// Log is a journal that can be appended to. Its methods may be called by
// several goroutines at once.
type Log interface {
	// Append adds events whose numbers follow previous, all or none, and
	// returns when they are durable. If the last record is not previous, it
	// fails with a [ConflictError] and adds nothing. After any other error it is
	// not known what is in the journal: read it again.
	Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]Record, error)
	// Read yields the records behind a number, in order. After an error there
	// is nothing more.
	Read(ctx context.Context, after contest.Seq) iter.Seq2[Record, error]
	// Head returns number and hash of the last record, or zeros.
	Head(ctx context.Context) (contest.Seq, Hash, error)
	// Close releases the journal. Nothing works after it.
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

// Chain encodes events to follow a record with number and hash. It is for
// implementations of [Log].
func Chain(previous contest.Seq, hash Hash, events []contest.Recorded) ([]Record, error) {
	records := make([]Record, len(events))
	for i, event := range events {
		if event.Seq != previous+1 {
			return nil, fmt.Errorf("found event %d behind record %d, expected number %d", event.Seq, previous, previous+1)
		}
		record, err := Encode(event, hash)
		if err != nil {
			return nil, err
		}
		records[i] = record
		previous, hash = record.Seq, record.Hash
	}
	return records, nil
}

// Verify checks the numbers and the hashes of all records. The error names the
// first that does not follow from the ones before it.
func Verify(ctx context.Context, log Log) error {
	var seq contest.Seq
	var hash Hash
	for record, err := range log.Read(ctx, 0) {
		if err != nil {
			return err
		}
		if record.Seq != seq+1 {
			return fmt.Errorf("found record %d behind record %d, expected %d: records are missing, or were put in", record.Seq, seq, seq+1)
		}
		if sum := record.Sum(hash); sum != record.Hash {
			return fmt.Errorf("record %d (%s) carries the hash %s, its content gives %s: it, or one before it, was changed", record.Seq, record.Kind, record.Hash, sum)
		}
		seq, hash = record.Seq, record.Hash
	}
	return nil
}
