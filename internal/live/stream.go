package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
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

// ErrTooMany means that no more streams are held open.
var ErrTooMany = errors.New("too many streams are open")

// Streams holds event streams open. All streams of a process share one.
type Streams struct {
	Heartbeat time.Duration // between two signs of life of a silent stream
	Max       int           // at the same time

	open atomic.Int64
}

// NewStreams returns streams with the bounds that suit a contest.
func NewStreams() *Streams {
	return &Streams{Heartbeat: 15 * time.Second, Max: 20000}
}

// Open returns how many streams are open.
func (s *Streams) Open() int64 { return s.open.Load() }

// Beat is the sign of life of a silent stream.
type Beat string

const (
	// Comment is what clients ignore.
	Comment Beat = ": alive\n\n"
	// Alive is an event, for clients that a connection's silence shall alarm:
	// scripts of pages do not see comments.
	Alive Beat = "event: alive\ndata: {}\n\n"
)

// Frame is one event of a stream.
type Frame struct {
	ID    contest.Seq // of the event of the contest that it tells of
	Event string
	Head  string // what stands before the data, for this stream alone
	Data  []byte // shared by all streams that are told the same; empty: there is nothing to tell, and nothing is sent
}

// Stream sends frames until the client goes away, the server is shut down, or
// the service closes. What is next is asked for at once and then whenever
// something happened, with the number of the last event that was asked about; 0
// is before all. The error is [ErrTooMany], and then nothing was sent, or one of
// next.
func (s *Streams) Stream(svc *service.Service, w http.ResponseWriter, r *http.Request, from contest.Seq, beat Beat, next func(from contest.Seq) (Frame, error)) error {
	if s.open.Add(1) > int64(s.Max) {
		s.open.Add(-1)
		return ErrTooMany
	}
	defer s.open.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies shall pass each frame on
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		defer context.AfterFunc(stopping, cancel)()
	}
	if from > svc.Durable() { // it was connected to another server, which knew more
		svc.Refresh()
	}
	c := &connection{w, http.NewResponseController(w)}
	gap := time.NewTimer(frameGap)
	defer gap.Stop()
	for first := true; ; first = false {
		// What happens while the frame is made is asked for again.
		seen := svc.Durable()
		frame, err := next(from)
		if err != nil {
			return fmt.Errorf("make a frame: %w", err)
		}
		seen, from = max(seen, frame.ID), frame.ID
		sent := true
		switch {
		case len(frame.Data) > 0:
			sent = c.send(frame)
		case first:
			sent = c.push(string(beat)) // so that the client knows that it is connected
		}
		if !sent {
			return nil
		}
		gap.Reset(frameGap)
		select {
		case <-gap.C:
		case <-ctx.Done():
			return nil
		}
		if !s.await(ctx, svc, c, seen, beat) {
			return nil
		}
	}
}

// await returns when there is something new, with signs of life in between, and
// whether the stream goes on.
func (s *Streams) await(ctx context.Context, svc *service.Service, c *connection, seen contest.Seq, beat Beat) bool {
	for {
		patience, cancel := context.WithTimeout(ctx, s.Heartbeat)
		_, err := svc.Wait(patience, seen)
		cancel()
		switch {
		case err == nil:
			return true
		case ctx.Err() != nil, !errors.Is(err, context.DeadlineExceeded):
			return false // the client is gone, or the service is
		case !c.push(string(beat)):
			return false
		}
	}
}

type connection struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (c *connection) send(f Frame) bool {
	// Nothing of the data is copied: there may be thousands of streams.
	return c.push("id: "+strconv.FormatUint(uint64(f.ID), 10)+"\nevent: "+f.Event+"\ndata: "+f.Head, f.Data, frameEnd)
}

var frameEnd = []byte("\n\n")

// push sends a part of a stream at once, and reports whether it could.
func (c *connection) push(part string, more ...[]byte) bool {
	_ = c.control.SetWriteDeadline(time.Now().Add(streamTime))
	_, err := io.WriteString(c.ResponseWriter, part)
	for _, part := range more {
		if err == nil {
			_, err = c.Write(part)
		}
	}
	return err == nil && c.control.Flush() == nil
}

// stoppingKey finds, in the context of a request, the one that ends when the
// server is shut down: streams end with it, and other requests are finished.
type stoppingKey struct{}

// WithStopping returns a context for the requests of a server, whose streams end
// with another one.
func WithStopping(ctx, stopping context.Context) context.Context {
	return context.WithValue(ctx, stoppingKey{}, stopping)
}

// LastEvent returns the number of the last frame that a client has seen, or 0.
// It comes in a header, or in the query for clients that cannot send one.
func LastEvent(r *http.Request) (contest.Seq, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("last_event_id")
	}
	if text == "" {
		return 0, nil
	}
	seq, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("Last-Event-ID: found %.40q, expected the id of a frame", text)
	}
	return contest.Seq(seq), nil
}
