package load

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report is what came of a plan. Times are milliseconds; those of submissions count
// from when they were due.
type Report struct {
	Teams        int            `json:"teams"`
	Took         time.Duration  `json:"took_ns"` // of sending, with the last answers
	Sent         int            `json:"sent"`
	Acknowledged int            `json:"acknowledged"`
	Refused      map[string]int `json:"refused"` // by status and code
	Failed       int            `json:"failed"`  // no answer, or one that says that the server failed
	Failures     []string       `json:"failures,omitempty"`
	Latency      Latency        `json:"latency_ms"`
	Receipts     Receipts       `json:"receipts"`
	Viewers      *Viewers       `json:"viewers,omitempty"`

	latency *hdrhistogram.Histogram
}

// Latency is the distribution of times.
type Latency struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

// Receipts are those of acknowledged submissions, held against the journal.
type Receipts struct {
	Checked int `json:"checked"`
	Wrong   int `json:"wrong"`  // there is no such record, or it has another hash
	Others  int `json:"others"` // submissions in the journal that were not acknowledged
}

// Viewers are the streams of the ranking. Delays are from the acknowledgement of a
// submission to the first frame that covers it.
type Viewers struct {
	Open   int     `json:"open"`
	Lost   int     `json:"lost"`
	Frames int     `json:"frames"`
	Missed int     `json:"missed"` // submissions that no frame covered
	P50    float64 `json:"p50"`
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
}

// OK reports whether nothing failed, nothing that was acknowledged is missing, and
// every viewer saw everything.
func (r *Report) OK() bool {
	return r.Failed == 0 && r.Receipts.Wrong == 0 && (r.Viewers == nil || r.Viewers.Missed == 0 && r.Viewers.Lost == 0)
}

// verify downloads the journal and looks for every receipt.
func (r *run) verify(ctx context.Context, report *Report) error {
	ms := func(share float64) float64 { return float64(report.latency.ValueAtPercentile(share)) / 1e3 }
	report.Latency = Latency{ms(50), ms(90), ms(99), ms(99.9), float64(report.latency.Max()) / 1e3}
	r.Progress("checking %d receipts", len(r.receipts))
	hashes, err := r.journal(ctx)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	for _, receipt := range r.receipts {
		seq, hash, _ := strings.Cut(receipt, "-")
		report.Receipts.Checked++
		if hashes[seq] != hash {
			report.Receipts.Wrong++
		}
		delete(hashes, seq)
	}
	report.Receipts.Others = len(hashes)
	return nil
}

// journal returns the hashes of all submissions, by their numbers.
func (r *run) journal(ctx context.Context) (map[string]string, error) {
	response, err := r.ask(ctx, http.MethodGet, "/admin/export", nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, err
	}
	file, err := archive.Open("journal.jsonl")
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	hashes := map[string]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Seq  json.Number `json:"seq"`
			Kind string      `json:"kind"`
			Hash string      `json:"hash"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, err
		}
		if line.Kind == "submission_judged" {
			hashes[line.Seq.String()] = line.Hash
		}
	}
	return hashes, lines.Err()
}

// Text says it for people.
func (r *Report) Text() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("sent          %d submissions of %d teams in %.2f s: %.0f a second", r.Sent, r.Teams, r.Took.Seconds(), float64(r.Sent)/r.Took.Seconds())
	say("acknowledged  %d", r.Acknowledged)
	codes := make([]string, 0, len(r.Refused))
	for code := range r.Refused {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		say("refused       %d with %s", r.Refused[code], code)
	}
	say("failed        %d", r.Failed)
	for _, failure := range r.Failures {
		say("              %s", failure)
	}
	say("latency       p50 %.1f  p90 %.1f  p99 %.1f  p99.9 %.1f  max %.1f ms, from when they were due", r.Latency.P50, r.Latency.P90, r.Latency.P99, r.Latency.P999, r.Latency.Max)
	say("receipts      %d checked against the journal, %d wrong; %d more submissions are in it", r.Receipts.Checked, r.Receipts.Wrong, r.Receipts.Others)
	if v := r.Viewers; v != nil {
		say("viewers       %d streams, %d lost, %d frames; %d submissions missed", v.Open, v.Lost, v.Frames, v.Missed)
		say("              seen after p50 %.0f  p99 %.0f  max %.0f ms", v.P50, v.P99, v.Max)
	}
	return b.String()
}
