package journal_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
)

var update = flag.Bool("update", false, "add the kinds of events that the stored journal lacks")

const golden = "testdata/journal-v1.jsonl"

// A journal of every kind of event, written once, is read forever. Its lines
// never change; events of kinds that come later are added behind them.
func TestStoredJournalIsReadForever(t *testing.T) {
	text, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	log, err := journal.Parse(golden, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	var last journal.Record
	for _, record := range journaltest.Records(t, log, 0) {
		event, err := journal.Decode(record)
		if err != nil {
			t.Fatal(err)
		}
		// A field that came later must stay away from events that lack it.
		again, err := journal.Encode(event, last.Hash)
		if err != nil || !bytes.Equal(again.Data, record.Data) || again.Hash != record.Hash {
			t.Errorf("record %d (%s) is written otherwise now: %s (%v)\nexpected %s", record.Seq, record.Kind, again.Data, err, record.Data)
		}
		found[record.Kind], last = true, record
	}
	for _, event := range journaltest.Full() {
		if found[event.Kind()] {
			continue
		}
		if !*update {
			t.Errorf("%s lacks the kind %s: run this test with -update", golden, event.Kind())
			continue
		}
		last = journaltest.Append(t, log, contest.Recorded{Seq: last.Seq + 1, At: journaltest.Epoch, Event: event})[0]
	}
	journaltest.Whole(t, log, last.Seq)
	if whole := dump(t, log); *update {
		if err := os.WriteFile(golden, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if whole != string(text) {
		t.Errorf("%s is written otherwise now", golden)
	}
}
