package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"scorebook/contest"
)

// exchange is a request with its reply. It is the http.ResponseWriter that the
// handlers write to, and remembers what was written.
type exchange struct {
	http.ResponseWriter

	request *http.Request
	route   route
	id      string    // of the request, random
	arrived time.Time // by the service's clock, before anything of the body was read
	team    contest.TeamID
	admin   bool

	status int // 0: nothing was written yet
	bytes  int
}

// Unwrap lets http.ResponseController find the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(p)
	x.bytes += n
	return n, err
}

// jsonPolicy forbids a browser to do anything with a reply but read it.
const jsonPolicy = "default-src 'none'; frame-ancestors 'none'"

// everywhere are the headers of every reply, under their canonical names, so that
// none of them need be made for each. Handlers replace them and never change them.
var everywhere = []struct {
	name   string
	values []string
}{
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"Content-Security-Policy", []string{jsonPolicy}},
	{"Cache-Control", []string{"no-store"}},
}

// ServeHTTP implements http.Handler.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ResponseWriter: w, request: r, arrived: a.svc.Now(), id: random(8), route: route{path: unmatched}}
	begun := time.Now()
	if r.ContentLength != 0 {
		// Also for a body that no handler reads: net/http reads it to reuse the
		// connection.
		_ = x.control().SetReadDeadline(begun.Add(bodyTime))
	}
	header := x.Header()
	for _, h := range everywhere {
		header[h.name] = h.values
	}
	header["X-Request-Id"] = []string{x.id}
	defer func() {
		if fault := recover(); fault != nil {
			if fault == http.ErrAbortHandler { //nolint:errorlint // it is panicked with as it is
				panic(fault)
			}
			a.log.Error("a handler panicked", "request_id", x.id, "panic", fmt.Sprint(fault), "stack", string(debug.Stack()))
			if x.status == 0 {
				x.fail(a, internal())
			}
		}
		a.finish(x, time.Since(begun))
	}()
	a.router.ServeHTTP(x, r)
}

// finish logs and counts a request. Of what the client sent only the path's
// pattern and the method are told: neither body, nor token, nor any header.
func (a *api) finish(x *exchange, took time.Duration) {
	a.metrics.request(x, took)
	level := slog.LevelInfo
	if x.route.quiet {
		level = slog.LevelDebug
	}
	if x.status == http.StatusInternalServerError {
		level = slog.LevelError
	}
	handler := a.log.Handler()
	if !handler.Enabled(context.Background(), level) {
		return
	}
	line := slog.NewRecord(time.Now(), level, "request", 0) // from nowhere: to find the line of code costs time
	line.AddAttrs(
		slog.String("request_id", x.id), slog.String("method", methodLabel(x.request.Method)), slog.String("route", x.route.path),
		slog.Int("status", x.status), slog.Duration("duration", took), slog.Int("bytes", x.bytes),
		slog.String("team", string(x.team)), slog.Bool("admin", x.admin))
	_ = handler.Handle(context.Background(), line) // the request was answered
}

func (x *exchange) control() *http.ResponseController {
	return http.NewResponseController(x.ResponseWriter)
}

// reply sends a value as JSON.
func (x *exchange) reply(value any) error { return x.replyAs(http.StatusOK, "application/json", value) }

func (x *exchange) replyAs(status int, mediaType string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode the reply: %w", err)
	}
	return x.send(status, mediaType, append(body, '\n'))
}

// send sends a reply that is encoded already.
func (x *exchange) send(status int, mediaType string, body []byte) error {
	values := []string{mediaType, strconv.Itoa(len(body))}
	header := x.Header()
	header["Content-Type"], header["Content-Length"] = values[:1:1], values[1:]
	x.WriteHeader(status)
	_, _ = x.Write(body) // the client may be gone, and nobody else is to know
	return nil
}

// random returns n random bytes in hexadecimal.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
