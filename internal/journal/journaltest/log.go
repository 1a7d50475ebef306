package journaltest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Open returns an empty journal for one test, and a function that closes it and
// opens it again. That is nil if the journal does not outlive its process.
type Open func(t *testing.T) (log journal.Log, reopen func() journal.Log)

// TestLog holds an implementation against the contract of [journal.Log].
func TestLog(t *testing.T, open Open) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, journal.Log)
	}{
		{"empty", testEmpty},
		{"append and read", testAppend},
		{"every kind", testEveryKind},
		{"conflict", testConflict},
		{"wrong events", testWrongEvents},
		{"large", testLarge},
		{"many", testMany},
		{"used while it is read", testReentrant},
		{"one of several writers", testWriters},
		{"readers during appends", testReaders},
		{"cancelled", testCancelled},
		{"closed", testClosed},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, _ := open(t)
			test.run(t, log)
			if t.Failed() {
				return
			}
			if err := log.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("reopened", func(t *testing.T) { testReopened(t, open) })
	t.Run("as in memory", func(t *testing.T) { testAsInMemory(t, open) })
}

func testEmpty(t *testing.T, log journal.Log) {
	Whole(t, log, 0)
	if records, err := log.Append(t.Context(), 0, nil); err != nil || len(records) > 0 {
		t.Errorf("append nothing: found %v, %v", records, err)
	}
	if found := Records(t, log, 7); len(found) > 0 {
		t.Errorf("read behind the end: found %v", found)
	}
}

func testAppend(t *testing.T, log journal.Log) {
	var all []journal.Record
	for _, n := range []int{1, 2, 5, 1} {
		all = append(all, Append(t, log, Events(contest.Seq(len(all)), n)...)...)
		Whole(t, log, contest.Seq(len(all)))
	}
	for after := range len(all) + 2 {
		same(t, Records(t, log, contest.Seq(after)), all[min(after, len(all)):])
	}
	for record, err := range log.Read(t.Context(), 3) { // a reader may stop
		if err != nil || record.Seq != 4 {
			t.Errorf("found %d (%v), expected 4", record.Seq, err)
		}
		break
	}
	Append(t, log, Events(contest.Seq(len(all)), 1)...)
}

func testEveryKind(t *testing.T, log journal.Log) {
	var events []contest.Recorded
	for i, event := range Full() {
		events = append(events, contest.Recorded{Seq: contest.Seq(i + 1), At: Epoch, Event: event})
	}
	Append(t, log, events...)
	for i, record := range Records(t, log, 0) {
		event, err := journal.Decode(record)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(event, events[i]) {
			t.Errorf("found %+v\nexpected %+v", event, events[i])
		}
	}
}

func testConflict(t *testing.T, log journal.Log) {
	all := Append(t, log, Events(0, 3)...)
	for _, previous := range []contest.Seq{0, 2, 4} {
		_, err := log.Append(t.Context(), previous, Events(previous, 2))
		var conflict *journal.ConflictError
		if !errors.As(err, &conflict) || *conflict != (journal.ConflictError{Found: 3, Expected: previous}) {
			t.Errorf("append behind %d: found %v", previous, err)
		}
	}
	same(t, Records(t, log, 0), all)
	Append(t, log, Events(3, 1)...)
	Whole(t, log, 4)
}

// All or nothing, also if only the last of the events is wrong.
func testWrongEvents(t *testing.T, log journal.Log) {
	Append(t, log, Events(0, 2)...)
	change := func(f func([]contest.Recorded)) []contest.Recorded {
		events := Events(2, 3)
		f(events)
		return events
	}
	for name, events := range map[string][]contest.Recorded{
		"a gap":                               change(func(e []contest.Recorded) { e[2].Seq++ }),
		"a number back":                       change(func(e []contest.Recorded) { e[2].Seq-- }),
		"first later":                         Events(3, 2),
		"time runs backwards":                 change(func(e []contest.Recorded) { e[2].At = e[1].At.Add(-1) }),
		"time runs backwards behind the last": change(func(e []contest.Recorded) { e[0].At = at(2).Add(-1) }),
		"time without nanoseconds":            change(func(e []contest.Recorded) { e[2].At = e[2].At.AddDate(1000, 0, 0) }),
	} {
		if _, err := log.Append(t.Context(), 2, events); err == nil {
			t.Errorf("%s: found no error", name)
		}
		Whole(t, log, 2)
	}
	equal := Events(2, 2) // the same moment is allowed
	equal[0].At, equal[1].At = at(2), at(2)
	Append(t, log, equal...)
	Whole(t, log, 4)
}

func testLarge(t *testing.T, log journal.Log) {
	var events []contest.Recorded
	for seq := range contest.Seq(40) {
		events = append(events, Large(seq+1, 64<<10))
	}
	same(t, Records(t, log, 0), nil)
	all := Append(t, log, events...)
	same(t, Records(t, log, 0), all)
	Whole(t, log, 40)
}

func testMany(t *testing.T, log journal.Log) {
	all := Append(t, log, Events(0, 2500)...)
	same(t, Records(t, log, 0), all)
	same(t, Records(t, log, 1023), all[1023:])
	Whole(t, log, 2500)
}

func testReentrant(t *testing.T, log journal.Log) {
	Append(t, log, Events(0, 600)...)
	next := contest.Seq(1)
	for record, err := range log.Read(t.Context(), 0) {
		if err != nil || record.Seq != next {
			t.Fatalf("found %d (%v), expected %d", record.Seq, err, next)
		}
		next++
		if next%200 == 0 && record.Seq < 600 {
			head, _, err := log.Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			Append(t, log, Events(head, 1)...)
			Records(t, log, 590)
		}
	}
	if next <= 600 {
		t.Errorf("ended before %d", next)
	}
}

func testCancelled(t *testing.T, log journal.Log) {
	Append(t, log, Events(0, 700)...)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen int
	var stopped error
	for _, err := range log.Read(ctx, 0) {
		if stopped = err; err == nil {
			seen++
			cancel()
		}
	}
	if seen == 0 || seen == 700 || !errors.Is(stopped, context.Canceled) {
		t.Errorf("read: found %v behind %d records", stopped, seen)
	}
	if _, err := log.Append(ctx, 700, Events(700, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("append: found %v", err)
	}
	if _, _, err := log.Head(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("head: found %v", err)
	}
	Append(t, log, Events(700, 1)...)
	Whole(t, log, 701)
}

func testClosed(t *testing.T, log journal.Log) {
	Append(t, log, Events(0, 2)...)
	var stopped error
	for _, err := range log.Read(t.Context(), 0) { // closing does not wait for readers
		if err != nil {
			stopped = err
			break
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
	if stopped != nil && !errors.Is(stopped, journal.ErrClosed) {
		t.Errorf("a reader found %v", stopped)
	}
	if _, err := log.Append(t.Context(), 2, Events(2, 1)); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append: found %v", err)
	}
	if _, _, err := log.Head(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("head: found %v", err)
	}
	for _, err := range log.Read(t.Context(), 0) {
		if !errors.Is(err, journal.ErrClosed) {
			t.Errorf("read: found %v", err)
		}
	}
	if err := log.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

func testReopened(t *testing.T, open Open) {
	log, reopen := open(t)
	if reopen == nil {
		t.Skip("this journal does not outlive its process")
	}
	var all []journal.Record
	for range 3 {
		all = append(all, Append(t, log, Events(contest.Seq(len(all)), 4)...)...)
		log = reopen()
		same(t, Records(t, log, 0), all)
		Whole(t, log, contest.Seq(len(all)))
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

// Whatever is appended and wherever, a journal answers and holds what one in
// memory does.
func testAsInMemory(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		log, reopen := open(t)
		memory := journal.NewMemory()
		head := contest.Seq(0)
		actions := map[string]func(*rapid.T){
			"append": func(r *rapid.T) {
				previous := contest.Seq(max(0, int(head)+rapid.SampledFrom([]int{0, 0, 0, 0, -1, 1}).Draw(r, "off")))
				events := Events(previous, rapid.IntRange(0, 5).Draw(r, "events"))
				if len(events) > 0 && rapid.IntRange(0, 9).Draw(r, "wrong") == 0 {
					events[len(events)-1].Seq++
				}
				expected, fault := memory.Append(context.Background(), previous, events)
				found, err := log.Append(context.Background(), previous, events)
				if (err == nil) != (fault == nil) || err != nil && err.Error() != fault.Error() {
					r.Fatalf("found %v, in memory %v", err, fault)
				}
				same(r, found, expected)
				if err == nil {
					head += contest.Seq(len(events))
				}
			},
			"read": func(r *rapid.T) {
				after := contest.Seq(rapid.IntRange(0, int(head)+1).Draw(r, "after"))
				same(r, Records(r, log, after), Records(r, memory, after))
			},
			"reopen": func(*rapid.T) {
				if reopen != nil {
					log = reopen()
				}
			},
		}
		for _, action := range rapid.SliceOfN(rapid.SampledFrom([]string{"append", "append", "append", "read", "reopen"}), 1, 8).Draw(r, "actions") {
			actions[action](r)
			seq, hash, err := log.Head(context.Background())
			expected, sum, _ := memory.Head(context.Background())
			if err != nil || seq != expected || hash != sum {
				r.Fatalf("head: found %d %s (%v), in memory %d %s", seq, hash, err, expected, sum)
			}
		}
		if err := log.Close(); err != nil {
			r.Error(err)
		}
	})
}
