package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"scorebook/contest"
)

// greeting is the reply of GET /.
type greeting struct {
	Status    string `json:"status" doc:"ok"`
	Message   string `json:"message"`
	Version   string `json:"version"`
	Questions int    `json:"total_questions"`
}

func (a *api) greet(x *exchange) error {
	x.Header().Set("Vary", "Accept")
	if a.options.Pages != nil && prefersHTML(x.request.Header.Get("Accept")) {
		return a.pages(x)
	}
	g := greeting{Status: "ok", Version: a.options.Version}
	a.svc.Read(func(state *contest.State) {
		g.Message, g.Questions = state.Settings().Name+" is being scored", len(state.Questions())
	})
	return x.reply(g)
}

// prefersHTML reports whether an Accept header names text/html, and not after
// application/json.
func prefersHTML(accept string) bool {
	html, json := 0.0, 0.0
	for _, part := range strings.Split(accept, ",") {
		mediaType, parameters, _ := strings.Cut(part, ";")
		quality := 1.0
		if _, q, ok := strings.Cut(strings.ReplaceAll(parameters, " ", ""), "q="); ok {
			if parsed, err := strconv.ParseFloat(q, 64); err == nil {
				quality = parsed
			}
		}
		switch strings.ToLower(strings.TrimSpace(mediaType)) {
		case "text/html":
			html = quality
		case "application/json":
			json = quality
		}
	}
	return html > 0 && html >= json
}

// health is the reply of the probes.
type health struct {
	Status string      `json:"status" doc:"ok"`
	Seq    contest.Seq `json:"seq"`
	Time   time.Time   `json:"server_time"`

	Offset      *float64 `json:"clock_offset,omitempty" doc:"Seconds by which the database's clock, which is followed, is ahead of this machine's; left out with a database of its own"`
	Uncertainty *float64 `json:"clock_uncertainty,omitempty" doc:"Seconds by which that may be wrong"`
	Lag         *float64 `json:"lag,omitempty" doc:"Seconds since the database answered last"`
	Warning     string   `json:"warning,omitempty" doc:"What an operator should look at"`
}

// maxUncertainty is how far two servers' clocks may be apart before that could
// decide whether an answer came in time.
const maxUncertainty = 100 * time.Millisecond

func (a *api) alive(x *exchange) error {
	h := health{Status: "ok", Seq: a.svc.Durable(), Time: a.svc.Now().UTC()}
	if a.options.Clock != nil {
		offset, uncertainty := a.options.Clock.Skew()
		lag := a.svc.Lag().Seconds()
		o, u := offset.Seconds(), uncertainty.Seconds()
		h.Offset, h.Uncertainty, h.Lag = &o, &u, &lag
		if uncertainty > maxUncertainty {
			h.Warning = fmt.Sprintf("times of arrival may be wrong by %.3f s: the way to the database is slow", u)
		}
	}
	return x.reply(h)
}

func (a *api) ready(x *exchange) error {
	if !a.svc.Healthy() {
		p := refuse(http.StatusServiceUnavailable, "unavailable", "the service is closing, or the journal could not be written the last time it was tried")
		p.retryAfter = "1"
		return p
	}
	return a.alive(x)
}

func (a *api) prometheus(x *exchange) error {
	a.metrics.handler.ServeHTTP(x, x.request)
	return nil
}

func (a *api) openAPI(x *exchange) error {
	x.Header().Set("Cache-Control", "no-cache")
	return x.send(http.StatusOK, "application/json", a.document)
}

// manualPolicy lets the manual load its style sheet and nothing else.
const manualPolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

func (a *api) docs(x *exchange) error {
	x.Header().Set("Content-Security-Policy", manualPolicy)
	x.Header().Set("Cache-Control", "no-cache")
	return x.send(http.StatusOK, "text/html; charset=utf-8", a.manual)
}

func (a *api) docsStyle(x *exchange) error {
	x.Header().Set("Cache-Control", "max-age=3600")
	return x.send(http.StatusOK, "text/css; charset=utf-8", style)
}
