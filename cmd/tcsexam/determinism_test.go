package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"scorebook/internal/cli"
)

// shuffled returns lines in another order, but for those before first and from
// last on.
func shuffled(lines []string, first, last int, seed uint64) []string {
	out := append([]string(nil), lines...)
	rand.New(rand.NewPCG(seed, 7)).Shuffle(last-first, func(i, j int) {
		out[first+i], out[first+j] = out[first+j], out[first+i]
	})
	return out
}

// TestSameBytes computes real results from rows in several orders and with
// several numbers of processors: every byte of every output is the same.
func TestSameBytes(t *testing.T) {
	read := func(path string) []string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	records := read("../../testdata/data/miplib-highs.miplib-12.records.json")
	for i := range records { // the comma goes with the line break
		records[i] = strings.TrimSuffix(records[i], ",")
	}
	attempts := read(sampleFolder + "/attempts.csv")
	dir := t.TempDir()
	recordsPath, attemptsPath := filepath.Join(dir, "records.json"), filepath.Join(dir, "attempts.csv")

	compute := func(args ...string) []byte {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), append(args, "--quiet", "--output", "-"), strings.NewReader(""), &stdout, &stderr); code != cli.ExitOK {
			t.Fatal(stderr.String())
		}
		return stdout.Bytes()
	}
	var first [2][]byte
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for round := range uint64(6) {
		runtime.GOMAXPROCS(1 + int(round%3))
		inner := shuffled(records[1:len(records)-1], 0, len(records)-2, round)
		if round == 0 {
			inner = records[1 : len(records)-1]
		}
		if err := os.WriteFile(recordsPath, []byte("[\n"+strings.Join(inner, ",\n")+"\n]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		rows := attempts
		if round > 0 {
			rows = shuffled(attempts, 1, len(attempts), round)
		}
		if err := os.WriteFile(attemptsPath, []byte(strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		outputs := [2][]byte{
			compute("solver-score", "--task", "miplib2017", "--reference", "../../testdata/data/miplib-highs.reference.json", "--records", recordsPath),
			compute("score", "--suite", sampleFolder+"/sample.suite.json", "--cohort", sampleFolder+"/cohort.json", "--attempts", attemptsPath),
		}
		if round == 0 {
			first = outputs
			continue
		}
		for i := range outputs {
			if !bytes.Equal(outputs[i], first[i]) {
				t.Errorf("round %d gives other bytes:\n%s\nnot\n%s", round, outputs[i], first[i])
			}
		}
	}
}
