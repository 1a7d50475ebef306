package journaltest

import (
	"context"
	"iter"
	"sync"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Faults are the errors that a journal gives. Nil is none.
type Faults struct {
	Append error // nothing is written
	Reply  error // it is written, and reported as failed
	Read   error // also of the head
}

// Faulty is a journal that fails when it is told to.
type Faulty struct {
	journal.Log
	mu     sync.Mutex
	faults Faults
}

// Set replaces the faults.
func (f *Faulty) Set(faults Faults) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = faults
}

func (f *Faulty) now() Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.faults
}

// Append implements [journal.Log].
func (f *Faulty) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]journal.Record, error) {
	faults := f.now()
	if faults.Append != nil {
		return nil, faults.Append
	}
	records, err := f.Log.Append(ctx, previous, events)
	if err == nil && faults.Reply != nil {
		return nil, faults.Reply
	}
	return records, err
}

// Read implements [journal.Log].
func (f *Faulty) Read(ctx context.Context, after contest.Seq) iter.Seq2[journal.Record, error] {
	if err := f.now().Read; err != nil {
		return func(yield func(journal.Record, error) bool) { yield(journal.Record{}, err) }
	}
	return f.Log.Read(ctx, after)
}

// Head implements [journal.Log].
func (f *Faulty) Head(ctx context.Context) (contest.Seq, journal.Hash, error) {
	if err := f.now().Read; err != nil {
		return 0, journal.Hash{}, err
	}
	return f.Log.Head(ctx)
}
