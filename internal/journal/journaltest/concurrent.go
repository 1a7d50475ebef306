package journaltest

import (
	"errors"
	"sync"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Of several writers that append behind the same record, one wins.
func testWriters(t *testing.T, log journal.Log) {
	const writers, rounds = 4, 10
	var won sync.Map
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for head := contest.Seq(0); head < rounds; {
				_, err := log.Append(t.Context(), head, Events(head, 1))
				var conflict *journal.ConflictError
				switch {
				case errors.As(err, &conflict):
					head = conflict.Found
				case err != nil:
					t.Error(err)
					return
				default:
					head++
					if _, twice := won.LoadOrStore(head, true); twice {
						t.Errorf("two writers appended record %d", head)
					}
				}
			}
		})
	}
	all.Wait()
	if !t.Failed() {
		seq, _, _ := log.Head(t.Context())
		Whole(t, log, seq)
	}
}

// Readers see whole batches and no gaps while a writer goes on.
func testReaders(t *testing.T, log journal.Log) {
	const batch, batches = 7, 40
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for last, after := false, contest.Seq(0); !last; {
				select {
				case <-done:
					last = true
				default:
				}
				for record, err := range log.Read(t.Context(), after) {
					if err != nil || record.Seq != after+1 {
						t.Errorf("found record %d behind %d: %v", record.Seq, after, err)
						return
					}
					after = record.Seq
				}
				seq, _, err := log.Head(t.Context())
				if err != nil || seq%batch != 0 || seq < after {
					t.Errorf("head: found %d (%v) after %d was read", seq, err, after)
					return
				}
				if last && after != batch*batches {
					t.Errorf("the last one read is %d", after)
				}
			}
		})
	}
	for i := range contest.Seq(batches) {
		Append(t, log, Events(i*batch, batch)...)
	}
	close(done)
	all.Wait()
}
