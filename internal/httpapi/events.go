package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
)

const (
	// frameGap is between two frames of a stream: changes in between come
	// together.
	frameGap = 100 * time.Millisecond
	// streamTime bounds how long a client may take to receive a frame.
	streamTime = 10 * time.Second
)

func (a *api) events(x *exchange) error {
	return a.stream(x, a.public, func(s *service.Snapshot) *contest.Table { return &s.Public })
}

func (a *api) juryEvents(x *exchange) error {
	return a.stream(x, a.jury, func(s *service.Snapshot) *contest.Table { return &s.Jury })
}

// stream sends the table and what changes in it, until the client goes away,
// the server is shut down, or the service closes.
func (a *api) stream(x *exchange, f *feed, table func(*service.Snapshot) *contest.Table) error {
	from, err := lastEvent(x.request)
	if err != nil {
		return err
	}
	if a.streams.Add(1) > int64(a.options.MaxStreams) {
		a.streams.Add(-1)
		p := refuse(http.StatusServiceUnavailable, "too_many_streams", "%d streams are open, and no more are served: poll GET /api/leaderboard-data", a.options.MaxStreams)
		p.retryAfter = "10"
		return p
	}
	defer a.streams.Add(-1)
	x.Header().Set("Content-Type", "text/event-stream")
	x.Header().Set("X-Accel-Buffering", "no") // proxies shall pass each frame on
	x.WriteHeader(http.StatusOK)
	if x.request.Method == http.MethodHead {
		return nil
	}
	var head frameHead
	a.svc.Read(func(state *contest.State) { head.Contest = state.Contest() })
	ctx, cancel := context.WithCancel(x.request.Context())
	defer cancel()
	if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		defer context.AfterFunc(stopping, cancel)()
	}
	gap := time.NewTimer(frameGap)
	defer gap.Stop()
	for {
		snapshot := a.svc.Snapshot()
		e := f.at(snapshot, table(snapshot))
		data, err := a.frame(f, e, from, head)
		if err != nil {
			a.log.Error("a stream broke off", "request_id", x.id, "error", err)
			return nil
		}
		from = e.snapshot.Seq
		if !x.push("id: " + strconv.FormatUint(uint64(from), 10) + "\nevent: state\ndata: " + string(data) + "\n\n") {
			return nil
		}
		gap.Reset(frameGap)
		select {
		case <-gap.C:
		case <-ctx.Done():
			return nil
		}
		if !a.await(ctx, x, from) {
			return nil
		}
	}
}

// await returns when there is something new, with signs of life in between, and
// whether the stream goes on.
func (a *api) await(ctx context.Context, x *exchange, from contest.Seq) bool {
	for {
		patience, cancel := context.WithTimeout(ctx, a.options.Heartbeat)
		_, err := a.svc.Wait(patience, from)
		cancel()
		switch {
		case err == nil:
			return true
		case ctx.Err() != nil, !errors.Is(err, context.DeadlineExceeded):
			return false // the client is gone, or the service is
		case !x.push(": alive\n\n"):
			return false
		}
	}
}

// push sends a part of a stream at once, and reports whether it could.
func (x *exchange) push(part string) bool {
	control := x.control()
	_ = control.SetWriteDeadline(time.Now().Add(streamTime))
	_, err := x.Write([]byte(part))
	return err == nil && control.Flush() == nil
}

// lastEvent returns the number of the last frame that a client has seen, or 0.
func lastEvent(r *http.Request) (contest.Seq, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("last_event_id")
	}
	if text == "" {
		return 0, nil
	}
	seq, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, invalid("Last-Event-ID: found %.40q, expected the id of a frame", text)
	}
	return contest.Seq(seq), nil
}
