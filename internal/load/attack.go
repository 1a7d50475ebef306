package load

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

const (
	patience   = 30 * time.Second // with a submission
	maxWorkers = 20000            // submissions that are under way at once
)

// attack sends submissions when they are due, whether earlier ones were answered
// or not: a server that stalls is not spared. Their times count from when they
// were due.
func (r *run) attack(ctx context.Context, began time.Time, v *viewers) *Report {
	report := &Report{Teams: r.Teams, Refused: map[string]int{}, latency: hdrhistogram.New(1, patience.Microseconds()*2, 3)}
	steady := r.Duration - r.Burst
	if r.Rate > 0 {
		r.Progress("%v submissions a second for %v", r.Rate, steady)
		r.volley(ctx, report, v, vegeta.ConstantPacer{Freq: int(r.Rate * 1000), Per: 1000 * time.Second}, time.Until(began.Add(steady)))
	}
	if r.Burst > 0 && ctx.Err() == nil {
		wait(ctx, time.Until(began.Add(steady)))
		r.Progress("every team once within %v", r.Burst)
		r.volley(ctx, report, v, vegeta.ConstantPacer{Freq: r.Teams, Per: r.Burst}, r.Burst)
	}
	return report
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// volley sends at a rate for a time, and waits for the answers.
func (r *run) volley(ctx context.Context, report *Report, v *viewers, pace vegeta.ConstantPacer, lasting time.Duration) {
	attacker := vegeta.NewAttacker(vegeta.Timeout(patience), vegeta.MaxWorkers(maxWorkers), vegeta.Connections(1000), vegeta.HTTP2(false), vegeta.MaxBody(4<<10))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	var sent atomic.Int64
	target := func(t *vegeta.Target) error {
		n := int(sent.Add(1) - 1)
		token := r.tokens[n%len(r.tokens)]
		t.Method, t.URL = http.MethodPost, r.Base.JoinPath("/submit").String()
		t.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
		// Nothing of which the video is the right one, so that every team may go on.
		t.Body = fmt.Appendf(nil, `{"answerSets":[{"answers":[{"mediaItemName":"load_none","start":%d,"end":%d}]}]}`, n, n)
		return nil
	}
	began := time.Now()
	for result := range attacker.Attack(target, pace, lasting, "") {
		due := began.Add(time.Duration(float64(result.Seq+1) / float64(pace.Freq) * float64(pace.Per)))
		report.take(result, result.Timestamp.Add(result.Latency).Sub(due))
		if receipt := result.Headers.Get("Scorebook-Receipt"); result.Code == http.StatusOK && receipt != "" {
			r.receipts = append(r.receipts, receipt)
			v.acknowledged(receipt, result.Timestamp.Add(result.Latency))
		}
	}
	report.Took += time.Since(began)
}

// take counts a result.
func (r *Report) take(result *vegeta.Result, took time.Duration) {
	r.Sent++
	_ = r.latency.RecordValue(max(1, min(took, 2*patience).Microseconds())) // in its range
	switch {
	case result.Code == http.StatusOK:
		r.Acknowledged++
	case result.Code >= 400 && result.Code < 500:
		var told struct{ Error string }
		_ = json.Unmarshal(result.Body, &told) // else it has no code
		r.Refused[fmt.Sprintf("%d %s", result.Code, told.Error)]++
	default:
		r.Failed++
		if len(r.Failures) < 5 {
			r.Failures = append(r.Failures, fmt.Sprintf("%d %.200s", result.Code, result.Error))
		}
	}
}
