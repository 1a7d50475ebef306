package journal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
)

func TestEncodeAndDecode(t *testing.T) {
	for i, event := range journaltest.Full() {
		recorded := contest.Recorded{Seq: contest.Seq(i + 1), At: journaltest.Epoch, Event: event}
		record, err := journal.Encode(recorded, journal.Hash{})
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := journal.Decode(record)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(decoded, recorded) {
			t.Errorf("found %+v\nexpected %+v", decoded, recorded)
		}
	}
}

// Bodies stand in the journal as they were sent, and readable.
func TestDataIsNotEscaped(t *testing.T) {
	record, err := journal.Encode(contest.Recorded{Seq: 1, At: journaltest.Epoch, Event: contest.TeamRenamed{Team: "t", Name: "<a&b> é\n"}}, journal.Hash{})
	if err != nil || string(record.Data) != `{"team":"t","name":"<a&b> é\n"}` {
		t.Errorf("found %s, %v", record.Data, err)
	}
}

func TestTimesAreUTC(t *testing.T) {
	zone := time.FixedZone("east", 7*3600)
	events := []contest.Recorded{{Seq: 1, At: journaltest.Epoch.In(zone), Event: contest.ContestReset{}}}
	record := journaltest.Append(t, journal.NewMemory(), events...)[0]
	if record.At != journaltest.Epoch {
		t.Errorf("found %s, expected %s", record.At, journaltest.Epoch)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, recorded := range map[string]contest.Recorded{
		"a number that JSON lacks": {Seq: 1, At: journaltest.Epoch, Event: contest.Configured{Settings: contest.Settings{RatePerSec: inf()}}},
		"a time out of range":      {Seq: 1, At: time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), Event: contest.ContestReset{}},
	} {
		if _, err := journal.Encode(recorded, journal.Hash{}); err == nil || !strings.Contains(err.Error(), "event 1 (") {
			t.Errorf("%s: found %v", name, err)
		}
	}
}

func inf() float64 {
	zero := 0.0
	return 1 / zero
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name    string
		kind    string
		version int
		data    string
		want    string
	}{
		{"newer format", "team_renamed", journal.Version + 1, `{}`, "record 7 has format version 2, expected 1: if a newer scorebook wrote it, use that one"},
		{"no format", "team_renamed", 0, `{}`, "format version 0"},
		{"unknown kind", "team_promoted", 1, `{}`, `unknown kind "team_promoted": if a newer scorebook`},
		{"unknown field", "team_renamed", 1, `{"team":"t","colour":"red"}`, `record 7 (team_renamed) cannot be read: json: unknown field "colour"; if a newer scorebook`},
		{"unknown field, deep", "opened", 1, `{"rules":{"p_maximum":1}}`, `unknown field "p_maximum"`},
		{"other type", "team_renamed", 1, `{"team":1}`, "cannot unmarshal number"},
		{"more behind it", "team_renamed", 1, `{} {}`, `found " {}" behind the object`},
		{"cut off", "team_renamed", 1, `{"team":"t"`, "unexpected EOF"},
		{"null", "team_renamed", 1, `null`, `found "null", expected an object`},
		{"nothing", "team_renamed", 1, ``, `found "", expected an object`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := journal.Decode(journal.Record{Seq: 7, At: journaltest.Epoch, Kind: test.kind, Version: test.version, Data: []byte(test.data)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("found %v, expected %q", err, test.want)
			}
		})
	}
}

// Records that differ in anything differ in their hash, also if a byte moves
// from one field to the next.
func TestSumCoversEverything(t *testing.T) {
	base := journal.Record{Seq: 1, At: journaltest.Epoch, Kind: "ab", Version: 1, Data: []byte("cd")}
	sums := map[journal.Hash]string{base.Sum(journal.Hash{}): "nothing"}
	note := func(name string, sum journal.Hash) {
		if other, twice := sums[sum]; twice {
			t.Errorf("changed %s: the hash is that of changed %s", name, other)
		}
		sums[sum] = name
	}
	change := func(name string, f func(*journal.Record)) {
		record := base
		f(&record)
		note(name, record.Sum(journal.Hash{}))
	}
	note("the hash before", base.Sum(journal.Hash{31: 1}))
	change("seq", func(r *journal.Record) { r.Seq = 2 })
	change("at", func(r *journal.Record) { r.At = r.At.Add(1) })
	change("kind", func(r *journal.Record) { r.Kind = "aB" })
	change("version", func(r *journal.Record) { r.Version = 2 })
	change("data", func(r *journal.Record) { r.Data = []byte("cD") })
	change("kind and data", func(r *journal.Record) { r.Kind, r.Data = "abc", []byte("d") })
	length := string(binary.BigEndian.AppendUint64(nil, 2))
	change("kind with a length", func(r *journal.Record) { r.Kind, r.Data = "ab"+length+"cd", nil })
	if zone := base.At.In(time.FixedZone("x", 3600)); zone.Equal(base.At) {
		same := base
		same.At = zone
		if same.Sum(journal.Hash{}) != base.Sum(journal.Hash{}) {
			t.Error("the zone of the time changes the hash")
		}
	}
}

// The hash of a record as another program computed it from the description of
// [journal.Record.Sum].
func TestSumIsFixed(t *testing.T) {
	record := journal.Record{Seq: 2, At: time.Unix(0, 3).UTC(), Kind: "kind", Version: 1, Data: []byte(`{"a":1}`)}
	const want = "27fbab3fe55ca122977ed8743c8bd810664b2526bbbd4b843bf302db7ca54e7c"
	if sum := record.Sum(journal.Hash{1, 2, 3}); sum.String() != want {
		t.Errorf("found %s, expected %s", sum, want)
	}
}

// Whatever texts and numbers a submission holds: it comes back as it was, and is
// encoded to the same bytes again.
func TestEncodingIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		event := contest.SubmissionJudged{
			Team: "t", Question: "1", Round: rapid.Int().Draw(r, "round"),
			Arrived: time.Unix(0, rapid.Int64().Draw(r, "arrived")).UTC(),
			Body:    strings.ToValidUTF8(rapid.String().Draw(r, "body"), "?"),
		}
		event.Answer.Values = rapid.SliceOfN(rapid.Float64(), 1, 4).Draw(r, "values")
		event.Announced.Score = rapid.Float64().Draw(r, "score")
		recorded := contest.Recorded{Seq: 1, At: time.Unix(0, rapid.Int64().Draw(r, "at")).UTC(), Event: event}
		record, err := journal.Encode(recorded, journal.Hash{})
		if err != nil {
			r.Fatal(err)
		}
		decoded, err := journal.Decode(record)
		if err != nil || !reflect.DeepEqual(decoded, recorded) {
			r.Fatalf("found %+v (%v)\nexpected %+v", decoded, err, recorded)
		}
		again, err := journal.Encode(decoded, journal.Hash{})
		if err != nil || !bytes.Equal(again.Data, record.Data) || again.Hash != record.Hash {
			r.Fatalf("found %s (%v)\nexpected %s", fmt.Sprint(again), err, fmt.Sprint(record))
		}
	})
}
