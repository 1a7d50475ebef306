package exam_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

// recordsFile makes a records file of about size bytes.
func recordsFile(size int) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(",\n")
		}
		if i%7 == 3 {
			fmt.Fprintf(&b, `{"instance": "instance-%07d", "status": "timeout"}`, i)
			continue
		}
		fmt.Fprintf(&b, `{"instance": "instance-%07d", "status": "ok", "A": %.6f}`, i, float64(i)*1.37)
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

// BenchmarkParseRecords reads and validates a records file of 100 MB. Its
// reference, in the same run, is encoding/json unmarshalling the same bytes
// into structs; x-encoding/json is the ratio of the two times.
func BenchmarkParseRecords(b *testing.B) {
	file := recordsFile(100 << 20)
	b.SetBytes(int64(len(file)))
	var ours, reference time.Duration
	for b.Loop() {
		start := time.Now()
		var diags diag.List
		records := exam.ParseRecords(strict.NewSource("records.json", bytes.NewReader(file), 0), &diags)
		ours += time.Since(start)
		if !diags.OK() || records.Len() == 0 {
			b.Fatal(diags.Text())
		}
		b.StopTimer()
		runtime.GC()
		start = time.Now()
		var plain []struct {
			Instance string   `json:"instance"`
			Status   string   `json:"status"`
			A        *float64 `json:"A"`
			Solved   *bool    `json:"solved"`
		}
		if err := json.Unmarshal(file, &plain); err != nil {
			b.Fatal(err)
		}
		reference += time.Since(start)
		runtime.GC()
		b.StartTimer()
	}
	b.ReportMetric(ours.Seconds()/reference.Seconds(), "x-encoding/json")
}

// BenchmarkParseRecordsMemory reports the largest heap while a records file is
// read, as a multiple of the file's size.
func BenchmarkParseRecordsMemory(b *testing.B) {
	file := recordsFile(100 << 20)
	var peak, before runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		var diags diag.List
		sampled := &sampler{Reader: bytes.NewReader(file), sample: func() {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.HeapInuse = max(peak.HeapInuse, now.HeapInuse)
		}}
		records := exam.ParseRecords(strict.NewSource("records.json", sampled, 0), &diags)
		if !diags.OK() || records.Len() == 0 {
			b.Fatal(diags.Text())
		}
	}
	b.ReportMetric(float64(peak.HeapInuse-before.HeapInuse)/float64(len(file)), "x-file-size")
}

// sampler calls a function every few megabytes.
type sampler struct {
	*bytes.Reader
	sample func()
	n      int
}

func (s *sampler) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if s.n += n; s.n > 4<<20 {
		s.n = 0
		s.sample()
	}
	return n, err
}
