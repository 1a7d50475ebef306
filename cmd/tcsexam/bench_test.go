package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"scorebook/internal/cli"
)

// fullSize is how many eligible instances the benchmark's full reference has.
const fullSize = 1860

// writeSolverFiles makes a reference with three values an instance, and
// records of which one in ten failed.
func writeSolverFiles(tb testing.TB, instances int) (reference, records string) {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var ref, rec bytes.Buffer
	ref.WriteString(`{"reference_id":"r","scale_floors":{"relative":0.02,"absolute":1e-9},"tasks":{"t":{"kind":"objective","direction":"maximize","instances":{`)
	rec.WriteString("[")
	for i := range instances {
		if i > 0 {
			ref.WriteString(",")
			rec.WriteString(",")
		}
		mean := random.NormFloat64() * 1000
		fmt.Fprintf(&ref, "\n\"i%07d\":[%.6f,%.6f,%.6f]", i, mean+random.NormFloat64(), mean+random.NormFloat64(), mean+random.NormFloat64()*100)
		if i%10 == 3 {
			fmt.Fprintf(&rec, "\n{\"instance\":\"i%07d\",\"status\":\"timeout\"}", i)
		} else {
			fmt.Fprintf(&rec, "\n{\"instance\":\"i%07d\",\"status\":\"ok\",\"A\":%.6f}", i, mean+random.NormFloat64()*50)
		}
	}
	ref.WriteString("}}}}\n")
	rec.WriteString("]\n")
	dir := tb.TempDir()
	reference, records = filepath.Join(dir, "r.reference.json"), filepath.Join(dir, "records.json")
	for path, content := range map[string][]byte{reference: ref.Bytes(), records: rec.Bytes()} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return reference, records
}

// BenchmarkSolverScore runs the whole command on as many instances as the full
// reference has, with three fixed outcomes each.
func BenchmarkSolverScore(b *testing.B) {
	reference, records := writeSolverFiles(b, fullSize)
	output := filepath.Join(b.TempDir(), "out.json")
	for b.Loop() {
		var stdout, stderr bytes.Buffer
		code := run(b.Context(), []string{
			"solver-score", "--task", "t", "--reference", reference, "--records", records, "--output", output,
		}, strings.NewReader(""), &stdout, &stderr)
		if code != cli.ExitOK {
			b.Fatal(stderr.String())
		}
	}
}
