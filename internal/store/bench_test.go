package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal/journaltest"
)

// submissions returns n events whose rows take about 400 bytes each.
func submissions(after contest.Seq, n int) []contest.Recorded {
	events := journaltest.Events(after, n)
	for i := range events {
		events[i].Event = contest.SubmissionJudged{Team: "t", Question: "1", Round: 1, Arrived: events[i].At, Body: `{"answer": 1}`}
	}
	return events
}

// What one writer makes durable, by the size of its batches: figures are in
// docs/adr/0012-sqlite-driver.md.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 8, 32, 128} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			log := open(b, filepath.Join(b.TempDir(), "contest.db"))
			head := contest.Seq(0)
			for b.Loop() {
				journaltest.Append(b, log, submissions(head, n)...)
				head += contest.Seq(n)
			}
			b.ReportMetric(float64(head)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	log := open(b, filled(b, 10_000))
	rows := 0
	for b.Loop() {
		rows += len(journaltest.Records(b, log, 0))
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
