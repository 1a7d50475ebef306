package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
)

// dump returns a journal of n events as JSON lines.
func dump(t testing.TB, log journal.Log) string {
	t.Helper()
	last, _, err := log.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := journal.Write(context.Background(), &out, log, last); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func parse(t testing.TB, text string) *journal.Memory {
	t.Helper()
	log, err := journal.Parse("x.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestWriteAndParse(t *testing.T) {
	log := journal.NewMemory()
	journaltest.Append(t, log, append(journaltest.Events(0, 5), journaltest.Large(6, 64<<10), journaltest.Large(7, 3<<20))...)
	text := dump(t, log)
	if n := strings.Count(text, "\n"); n != 7 {
		t.Errorf("found %d lines, expected 7", n)
	}
	parsed := parse(t, text)
	journaltest.Whole(t, parsed, 7)
	if dump(t, parsed) != text {
		t.Error("what was parsed is written otherwise")
	}
	journaltest.Append(t, parsed, journaltest.Events(7, 1)...) // it is a journal
	journaltest.Whole(t, parsed, 8)
}

func TestWriteEndsWhereItShould(t *testing.T) {
	log := journal.NewMemory()
	journaltest.Append(t, log, journaltest.Events(0, 5)...)
	for last := range contest.Seq(8) {
		var out bytes.Buffer
		if err := journal.Write(t.Context(), &out, log, last); err != nil {
			t.Fatal(err)
		}
		journaltest.Whole(t, parse(t, out.String()), min(last, 5))
	}
}

var errDisk = errors.New("no space left on device")

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestWriteFails(t *testing.T) {
	log := &journaltest.Faulty{Log: journal.NewMemory()}
	journaltest.Append(t, log, append(journaltest.Events(0, 3), journaltest.Large(4, 64<<10))...)
	for _, room := range []int{0, 5000, 70000} {
		if err := journal.Write(t.Context(), &fullDisk{room}, log, 4); !errors.Is(err, errDisk) {
			t.Errorf("room for %d bytes: found %v", room, err)
		}
	}
	log.Set(journaltest.Faults{Read: errDisk})
	if err := journal.Write(t.Context(), &bytes.Buffer{}, log, 4); !errors.Is(err, errDisk) {
		t.Errorf("unreadable journal: found %v", err)
	}
}

func TestParseFaults(t *testing.T) {
	log := journal.NewMemory()
	journaltest.Append(t, log, journaltest.Events(0, 2)...)
	good := dump(t, log)
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", "hello\n", `x.jsonl:3: found no record of a journal: found "hello", expected an object`},
		{"an empty line", "\n", `x.jsonl:3: found no record of a journal: found "", expected an object`},
		{"unknown key", `{"seq":3,"colour":1}`, `x.jsonl:3: found no record of a journal: json: unknown field "colour"`},
		{"negative number", `{"seq":-1}`, "x.jsonl:3:"},
		{"no time", `{"seq":3,"at":"yesterday"}`, "x.jsonl:3:"},
		{"short hash", `{"seq":3,"hash":"ab"}`, `x.jsonl:3: found no record of a journal: hash: found "ab", expected 64 hexadecimal digits`},
		{"cut off", good[:len(good)/4], "x.jsonl:3: found no record of a journal: unexpected EOF"},
		{"two on a line", `{"seq":3} {"seq":4}`, "behind the object"},
		{"endless line", strings.Repeat("x", 64<<20+1), "x.jsonl:3: bufio.Scanner: token too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := journal.Parse("x.jsonl", strings.NewReader(good+test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("found %.300v, expected %q", err, test.want)
			}
		})
	}
}

// Verify names the first record that does not follow, whatever was done to the
// text.
func TestVerifyFindsChanges(t *testing.T) {
	const n = 9
	log := journal.NewMemory()
	journaltest.Append(t, log, journaltest.Events(0, n)...)
	good := strings.SplitAfter(dump(t, log), "\n")[:n]
	other := journal.NewMemory() // a true journal of another contest
	foreign := journaltest.Events(0, n)
	for i := range foreign {
		foreign[i].Event = contest.TeamRenamed{Team: "t", Name: "other"}
	}
	journaltest.Append(t, other, foreign...)
	strange := strings.SplitAfter(dump(t, other), "\n")[:n]
	for _, test := range []struct {
		name   string
		change func(lines []string, i int) []string
		first  int // the record that is named, from the one that was changed
	}{
		{"changed data", func(lines []string, i int) []string {
			lines[i] = strings.Replace(lines[i], `"team":"t"`, `"team":"u"`, 1)
			return lines
		}, 0},
		{"changed time", func(lines []string, i int) []string {
			lines[i] = strings.Replace(lines[i], `"at":"2026`, `"at":"2025`, 1)
			return lines
		}, 0},
		{"changed kind", func(lines []string, i int) []string {
			lines[i] = strings.Replace(lines[i], `"kind":"`, `"kind":"x`, 1)
			return lines
		}, 0},
		{"changed version", func(lines []string, i int) []string {
			lines[i] = strings.Replace(lines[i], `"version":1`, `"version":2`, 1)
			return lines
		}, 0},
		{"changed hash", func(lines []string, i int) []string {
			at := strings.Index(lines[i], `"hash":"`) + len(`"hash":"`)
			lines[i] = lines[i][:at] + string('0'+('1'-lines[i][at])&1) + lines[i][at+1:]
			return lines
		}, 0},
		{"missing", func(lines []string, i int) []string { return append(lines[:i], lines[i+1:]...) }, 1},
		{"doubled", func(lines []string, i int) []string { return append(lines[:i+1], lines[i:]...) }, 0},
		{"swapped", func(lines []string, i int) []string {
			lines[i], lines[i+1] = lines[i+1], lines[i]
			return lines
		}, 1},
		{"of another contest", func(lines []string, i int) []string {
			lines[i] = strange[i]
			return lines
		}, 0},
		{"the rest of another contest", func(lines []string, i int) []string { return append(lines[:i], strange[i:]...) }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range n - 1 {
				if i == 0 && strings.HasSuffix(test.name, "of another contest") {
					continue // its first record follows from nothing, too
				}
				lines := append([]string{}, good...)
				text := strings.Join(test.change(lines, i), "")
				err := journal.Verify(t.Context(), parse(t, text))
				if want := fmt.Sprintf("record %d ", i+1+test.first); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("at %d: found %v, expected %q", i+1, err, want)
				}
			}
		})
	}
}

// Every single byte counts: whatever is changed in it, a dump does not pass.
func TestEveryByteCounts(t *testing.T) {
	log := journal.NewMemory()
	journaltest.Append(t, log, journaltest.Events(0, 3)...)
	text := []byte(dump(t, log))
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		at := random.IntN(len(text))
		old := text[at]
		text[at] ^= 1 << random.IntN(7)
		parsed, err := journal.Parse("x", bytes.NewReader(text))
		if err == nil {
			err = journal.Verify(t.Context(), parsed)
		}
		same := strings.EqualFold(string(text[at]), string(old)) // keys and hexadecimal digits in capitals say the same
		if err == nil && !same {
			t.Errorf("byte %d: %q instead of %q was not seen", at, text[at], old)
		}
		text[at] = old
	}
}

func TestVerifyStopsWhereItCannotRead(t *testing.T) {
	log := &journaltest.Faulty{Log: journal.NewMemory()}
	log.Set(journaltest.Faults{Read: errDisk})
	if err := journal.Verify(t.Context(), log); !errors.Is(err, errDisk) {
		t.Errorf("found %v", err)
	}
}
