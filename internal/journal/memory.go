package journal

import (
	"context"
	"iter"
	"sync"

	"scorebook/contest"
)

// Memory is a journal that is gone with the process: for demonstrations and
// tests.
type Memory struct {
	mu      sync.Mutex
	records []Record // only ever appended to
	closed  bool
}

// NewMemory returns an empty journal.
func NewMemory() *Memory { return &Memory{} }

// Append implements [Log].
func (m *Memory) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	last := m.last()
	if last.Seq != previous {
		return nil, &ConflictError{Found: last.Seq, Expected: previous}
	}
	records, err := Chain(last, events)
	if err != nil {
		return nil, err
	}
	m.records = append(m.records, records...)
	return records, nil
}

func (m *Memory) usable(ctx context.Context) error {
	if m.closed {
		return ErrClosed
	}
	return ctx.Err()
}

func (m *Memory) last() (last Record) {
	if len(m.records) > 0 {
		last = m.records[len(m.records)-1]
	}
	return last
}

// Read implements [Log].
func (m *Memory) Read(ctx context.Context, after contest.Seq) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		m.mu.Lock()
		err, records := m.usable(ctx), m.records
		m.mu.Unlock()
		if err != nil {
			yield(Record{}, err)
			return
		}
		for _, record := range records[min(uint64(after), uint64(len(records))):] {
			if err := ctx.Err(); err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(record, nil) {
				return
			}
		}
	}
}

// Head implements [Log].
func (m *Memory) Head(ctx context.Context) (contest.Seq, Hash, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return 0, Hash{}, err
	}
	last := m.last()
	return last.Seq, last.Hash, nil
}

// Close implements [Log].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
