package journaltest

import (
	"context"
	"reflect"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Append adds events, which must not fail.
func Append(t rapid.TB, log journal.Log, events ...contest.Recorded) []journal.Record {
	t.Helper()
	records, err := log.Append(context.Background(), events[0].Seq-1, events)
	if err != nil {
		t.Fatalf("append %d events from %d: %v", len(events), events[0].Seq, err)
	}
	return records
}

// Records returns the records behind a number, which must be readable.
func Records(t rapid.TB, log journal.Log, after contest.Seq) (records []journal.Record) {
	t.Helper()
	for record, err := range log.Read(context.Background(), after) {
		if err != nil {
			t.Fatalf("read after %d: %v", after, err)
		}
		records = append(records, record)
	}
	return records
}

// Whole fails the test unless the journal verifies, ends with the record of a
// number and says so.
func Whole(t rapid.TB, log journal.Log, last contest.Seq) {
	t.Helper()
	if err := journal.Verify(context.Background(), log); err != nil {
		t.Error(err)
	}
	records := Records(t, log, 0)
	if contest.Seq(len(records)) != last {
		t.Errorf("found %d records, expected %d", len(records), last)
	}
	seq, hash, err := log.Head(context.Background())
	if err != nil || seq != last {
		t.Errorf("head: found %d (%v), expected %d", seq, err, last)
	}
	if last > 0 && hash != records[len(records)-1].Hash || last == 0 && hash != (journal.Hash{}) {
		t.Errorf("head: the hash %s is not that of the last record", hash)
	}
}

func same(t rapid.TB, found, expected []journal.Record) {
	t.Helper()
	if len(found) != len(expected) {
		t.Fatalf("found %d records, expected %d", len(found), len(expected))
	}
	for i := range expected {
		if !reflect.DeepEqual(found[i], expected[i]) {
			t.Fatalf("found %+v\nexpected %+v", found[i], expected[i])
		}
	}
}
