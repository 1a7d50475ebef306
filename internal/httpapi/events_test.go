package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"scorebook/internal/httpapi"
	"scorebook/internal/live"
)

// listener is a client of an event stream.
type listener struct {
	http.ResponseWriter
	recorder *httptest.ResponseRecorder
	mu       sync.Mutex
	text     strings.Builder
	cancel   context.CancelFunc
	done     chan struct{}
}

// Write implements http.ResponseWriter.
func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// Flush implements http.Flusher.
func (l *listener) Flush() {}

// listen opens a stream.
func (s *site) listen(path string, headers ...header) *listener {
	ctx, cancel := context.WithCancel(s.t.Context())
	recorder := httptest.NewRecorder()
	l := &listener{ResponseWriter: recorder, recorder: recorder, cancel: cancel, done: make(chan struct{})}
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	for _, h := range headers {
		request.Header.Set(h.name, h.value)
	}
	go func() {
		defer close(l.done)
		s.handler.ServeHTTP(l, request)
	}()
	return l
}

// received returns the parts that were received.
func (l *listener) received() []string {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return frames(l.text.String())
}

// end closes the stream and returns all its parts.
func (l *listener) end() []string {
	l.cancel()
	<-l.done
	return l.received()
}

// frame is the data of a frame.
type frame struct {
	Seq, From uint64
	Full      bool
	Contest   string `json:"contest_id"`
	Question  *struct {
		ID        string  `json:"question_id"`
		Remaining float64 `json:"remaining_time"`
	}
	Questions []struct{ ID string }
	Rows      []row
}

type row struct {
	Name      string  `json:"team_name"`
	Total     float64 `json:"total_score"`
	Rank      int
	Questions map[string]struct{ Score float64 }
}

func parse(t *testing.T, part string) (f frame) {
	t.Helper()
	lines := strings.Split(part, "\n")
	if len(lines) != 3 || lines[1] != "event: state" {
		t.Fatalf("not a frame: %q", part)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(lines[2], "data: ")), &f); err != nil {
		t.Fatalf("%v: %s", err, part)
	}
	if lines[0] != "id: "+strconv.FormatUint(f.Seq, 10) {
		t.Fatalf("%q with seq %d", lines[0], f.Seq)
	}
	return f
}

func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		one, two := s.team("one"), s.team("two")
		l := s.listen("/events")
		parts := l.received()
		if len(parts) != 1 {
			t.Fatalf("at once: %q", parts)
		}
		first := parse(t, parts[0])
		if !first.Full || first.From != 0 || len(first.Rows) != 2 || len(first.Questions) != 3 || first.Contest != "c0ffee" || first.Question != nil {
			t.Errorf("%+v", first)
		}
		if h := l.recorder.Header(); h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%v", h)
		}

		// What happens within the gap comes as one frame, with what changed.
		s.start("1", 15*time.Second)
		s.submit(two, "TR-SCENEMARK1_VIDEOMARK1-1").want(200)
		s.submit(two, right).want(200)
		if got := l.received(); len(got) != 1 {
			t.Errorf("too early: %q", got)
		}
		time.Sleep(time.Second)
		parts = l.received()
		if len(parts) != 2 {
			t.Fatalf("%d parts: %q", len(parts), parts)
		}
		second := parse(t, parts[1])
		if second.Full || second.From != first.Seq || second.Question == nil || second.Question.ID != "1" || second.Question.Remaining != 285 {
			t.Errorf("%+v", second)
		}
		if len(second.Rows) != 2 || second.Rows[0].Name != "two" || second.Rows[0].Total != 87.5 || second.Rows[0].Questions["1"].Score != 87.5 || second.Rows[1].Rank != 2 {
			t.Errorf("both ranks changed: %+v", second.Rows)
		}
		s.submit(one, "TR-SCENEMARK1_VIDEOMARK1-1").want(200)
		time.Sleep(time.Second)
		third := parse(t, l.received()[2])
		if third.From != second.Seq || len(third.Rows) != 1 || third.Rows[0].Name != "one" || third.Questions != nil {
			t.Errorf("%+v", third)
		}

		// Silence is broken by signs of life.
		time.Sleep(31 * time.Second)
		if got := l.received(); len(got) != 5 || got[3] != ": alive" || got[4] != ": alive" {
			t.Errorf("%q", got)
		}
		l.end()
		if !strings.Contains(s.get("/metrics").Body, "scorebook_event_streams 0\n") {
			t.Error("the stream is still counted")
		}
	})
}

func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		one, two := s.team("one"), s.team("two")
		last := func(path string, headers ...header) frame {
			t.Helper()
			l := s.listen(path, headers...)
			parts := l.received()
			l.end()
			if len(parts) != 1 {
				t.Fatalf("%q", parts)
			}
			return parse(t, parts[0])
		}
		known := last("/events").Seq
		id := strconv.FormatUint(known, 10)
		if f := last("/events", header{"Last-Event-ID", id}); f.Full || len(f.Rows) != 0 {
			t.Errorf("nothing changed: %+v", f)
		}
		s.start("1", 15*time.Second)
		s.submit(one, right).want(200)
		for range 3 { // the same for all who were there
			for _, f := range []frame{last("/events", header{"Last-Event-ID", id}), last("/events?last_event_id=" + id)} {
				if f.Full || f.From != known || len(f.Rows) != 2 || f.Rows[0].Name != "one" || f.Rows[1].Rank != 2 {
					t.Errorf("%+v", f)
				}
			}
		}
		for _, strange := range []string{"1", "99999"} {
			if f := last("/events", header{"Last-Event-ID", strange}); !f.Full || f.From != 0 || len(f.Rows) != 2 {
				t.Errorf("from %s: %+v", strange, f)
			}
		}
		s.get("/events", header{"Last-Event-ID", "x"}).refused(400, "invalid_value")
		now := strconv.FormatUint(last("/events").Seq, 10)

		// Who is gone cannot be told by changes.
		team := s.get("/teams/me", bearer(two)).text("team_id")
		s.admin(http.MethodPost, "/admin/teams/"+team+"/ban", nil).want(200)
		if f := last("/events", header{"Last-Event-ID", now}); !f.Full || len(f.Rows) != 1 {
			t.Errorf("after a ban: %+v", f)
		}
		jury := s.listen("/admin/events", bearer(adminToken))
		if f := parse(t, jury.received()[0]); len(f.Rows) != 2 {
			t.Errorf("the jury sees %+v", f)
		}
		jury.end()
		s.get("/admin/events").refused(401, "unauthorized")
		now = strconv.FormatUint(last("/events").Seq, 10)
		s.admin(http.MethodPost, "/admin/reset-all", nil).want(200)
		if f := last("/events", header{"Last-Event-ID", now}); !f.Full || len(f.Rows) != 0 {
			t.Errorf("after a reset: %+v", f)
		}
	})
}

// A client that puts the rows of every frame over the ones before it has the
// leaderboard.
func TestFramesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		var tokens []string
		for i := range 8 {
			tokens = append(tokens, s.team(name("team", i)))
		}
		l := s.listen("/events")
		for i := range 100 {
			switch {
			case i%25 == 0:
				s.start([]string{"1", "2", "3", "1"}[i/25][:1], time.Second)
			case i == 60:
				s.admin(http.MethodPost, "/admin/void", map[string]any{"question_id": "2"}).want(200)
			default:
				s.submit(tokens[i*7%8], []string{right, "QA-ANSWERMARK-VIDEOMARK3-71300000,71310000", "TR-x-1"}[i%3])
			}
			if i == 74 { // question 1 cannot be started twice
				s.admin(http.MethodPost, "/admin/reset", nil).want(200)
			}
			s.Clock.Advance(time.Second)
			if i%4 == 0 {
				time.Sleep(150 * time.Millisecond)
			}
			synctest.Wait()
		}
		time.Sleep(time.Second)
		rows := map[string]row{}
		for _, part := range l.end() {
			f := parse(t, part)
			if f.Full {
				rows = map[string]row{}
			}
			for _, r := range f.Rows {
				rows[r.Name] = r
			}
		}
		var board struct{ Leaderboard []row }
		if err := json.Unmarshal([]byte(s.get("/leaderboard").Body), &board); err != nil {
			t.Fatal(err)
		}
		if len(board.Leaderboard) != len(rows) {
			t.Errorf("%d rows, want %d", len(rows), len(board.Leaderboard))
		}
		for _, want := range board.Leaderboard {
			if got := rows[want.Name]; got.Total != want.Total || got.Rank != want.Rank {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	})
}

func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSiteWith(t, httpapi.Options{Streams: &live.Streams{Max: 2, Heartbeat: time.Second}})
		first, second := s.listen("/events"), s.listen("/admin/events", bearer(adminToken))
		synctest.Wait()
		s.get("/events").refused(503, "too_many_streams")
		first.end()
		third := s.listen("/events")
		if got := third.received(); len(got) != 1 {
			t.Errorf("%q", got)
		}
		s.Close() // ends every stream
		<-second.done
		<-third.done
	})
}
