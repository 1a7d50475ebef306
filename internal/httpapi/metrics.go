package httpapi

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are counts for operators. Their labels are few and known beforehand:
// no team, no token, no question.
type metrics struct {
	handler   http.Handler
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	refusals  *prometheus.CounterVec

	series sync.Map // what was looked up of requests and durations, by requestKey
}

// requestKey is what tells requests apart.
type requestKey struct {
	method, route string
	status        int
}

type requestSeries struct {
	count prometheus.Counter
	took  prometheus.Observer
}

func newMetrics(a *api) *metrics {
	registry := prometheus.NewRegistry()
	m := &metrics{
		handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "scorebook_http_requests_total", Help: "Requests by method, route and status.",
		}, []string{"method", "route", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "scorebook_http_request_duration_seconds", Help: "Time from the arrival of a request to its reply; of event streams, their life.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "scorebook_refusals_total", Help: "Requests that were refused or failed, by error code.",
		}, []string{"error"}),
	}
	stats := &a.svc.Stats
	counter := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	registry.MustRegister(
		m.requests, m.durations, m.refusals,
		// Not by verdict: everybody may read this, also while the ranking is frozen.
		counter("scorebook_submissions_total", "Submissions that were judged.", func() float64 { return float64(stats.Submissions.Load()) }),
		counter("scorebook_journal_batches_total", "Transactions on the journal that were tried.", func() float64 { return float64(stats.Batches.Load()) }),
		counter("scorebook_journal_commands_total", "Commands in these transactions.", func() float64 { return float64(stats.Commands.Load()) }),
		counter("scorebook_journal_events_total", "Events that were made durable.", func() float64 { return float64(stats.Events.Load()) }),
		counter("scorebook_journal_failures_total", "Transactions that failed.", func() float64 { return float64(stats.Failures.Load()) }),
		counter("scorebook_journal_seconds_total", "Time spent in transactions.", func() float64 { return time.Duration(stats.Writing.Load()).Seconds() }),
		gauge("scorebook_seq", "Number of the last durable event.", func() float64 { return float64(a.svc.Durable()) }),
		gauge("scorebook_event_streams", "Event streams that are open.", func() float64 { return float64(a.streams.Open()) }),
		gauge("scorebook_journal_lag_seconds", "Time since the shared database answered last; 0 without one.", func() float64 { return a.svc.Lag().Seconds() }),
		gauge("scorebook_clock_offset_seconds", "How far the shared database's clock is ahead of this machine's.", func() float64 { return skew(a, 0) }),
		gauge("scorebook_clock_uncertainty_seconds", "How wrong that may be.", func() float64 { return skew(a, 1) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// skew returns the offset of the clock, or its uncertainty.
func skew(a *api, which int) float64 {
	if a.options.Clock == nil {
		return 0
	}
	offset, uncertainty := a.options.Clock.Skew()
	return [...]time.Duration{offset, uncertainty}[which].Seconds()
}

// request counts a request.
func (m *metrics) request(x *exchange, took time.Duration) {
	key := requestKey{methodLabel(x.request.Method), x.route.path, x.status}
	known, ok := m.series.Load(key)
	if !ok {
		known, _ = m.series.LoadOrStore(key, requestSeries{
			m.requests.WithLabelValues(key.method, key.route, strconv.Itoa(key.status)), m.durations.WithLabelValues(key.method, key.route),
		})
	}
	series := known.(requestSeries)
	series.count.Inc()
	series.took.Observe(took.Seconds())
}

func (m *metrics) refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// methodLabel returns a method as it is counted and logged: clients may invent
// any number of them.
func methodLabel(method string) string {
	known := []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
	}
	if slices.Contains(known, method) {
		return method
	}
	return "other"
}
