package httpapi_test

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"scorebook/internal/httpapi"
)

// pipes is a listener whose connections are in memory, so that their deadlines
// follow the clock of synctest.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// serve serves a site on pipes until the test ends, and returns how to connect.
func serve(t *testing.T, s *site) (dial func() net.Conn, server *http.Server) {
	t.Helper()
	listener := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
	server = httpapi.Server(s.handler, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return func() net.Conn {
		client, remote := net.Pipe()
		listener.connections <- remote
		return client
	}, server
}

// send writes to a connection that may be closed meanwhile.
func send(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

// Connections on which nothing comes are gone within seconds, and no handler
// waits for them.
func TestHalfOpenConnections(t *testing.T) {
	for what, test := range map[string]struct {
		sent   string
		status int // of the reply; 0: the connection is closed without one
		within time.Duration
	}{
		"nothing":                      {"", 0, 6 * time.Second},
		"a part of the head":           {"POST /submit HTTP/1.1\r\nHost: x\r\n", 0, 6 * time.Second},
		"a head without its body":      {"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", 408, 4 * time.Second},
		"a part of the body":           {"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 408, 4 * time.Second},
		"a part of a chunk":            {"POST /teams/register HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", 408, 4 * time.Second},
		"a body that nobody reads":     {"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 404, 4 * time.Second},
		"a body where the token lacks": {"POST /admin/reset HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 401, 4 * time.Second},
		"a head of 1 MB":               {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 1<<20), 431, time.Second},
		"one request, then silence":    {"GET /questions HTTP/1.1\r\nHost: x\r\n\r\n", 200, 61 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				begun := time.Now()
				dial, _ := serve(t, s)
				c := dial()
				defer c.Close() //nolint:errcheck // it is closed by the server, or with the test
				go send(c, test.sent)
				received, _ := io.ReadAll(c)
				if took := time.Since(begun); took > test.within { // on the clock of synctest
					t.Errorf("gone after %v", took)
				}
				reader := bufio.NewReader(strings.NewReader(string(received)))
				response, err := http.ReadResponse(reader, nil)
				if test.status == 0 {
					if len(received) > 0 && response.StatusCode != http.StatusRequestTimeout {
						t.Errorf("%q", received)
					}
					return
				}
				if err != nil {
					t.Fatalf("%v: %q", err, received)
				}
				defer response.Body.Close() //nolint:errcheck // it is in memory
				if response.StatusCode != test.status {
					t.Errorf("%q", received)
				}
			})
		})
	}
}

// Whoever sends the body slowly is judged by when the request arrived, and
// neither earns more nor loses, for as long as the rules allow.
func TestSlowBody(t *testing.T) {
	for what, test := range map[string]struct {
		after  time.Duration // the end of the question, by the contest's clock
		status int
		has    any
		at     string
	}{
		"soon":     {9 * time.Second, 200, 97.5, "score"},
		"too late": {11 * time.Second, 409, "no_active_question", "error"},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				token := s.team("one")
				s.start("1", 15*time.Second)
				dial, _ := serve(t, s)
				c := dial()
				defer c.Close() //nolint:errcheck // a pipe
				body := `{"teamSessionId": "` + token + `", "text": "` + right + `"}`
				send(c, "POST /submit HTTP/1.1\r\nHost: x\r\nContent-Length: "+number(float64(len(body)))+"\r\n\r\n"+body[:10])
				synctest.Wait() // the request has arrived
				s.Clock.Advance(100 * time.Second)
				s.start("2", test.after) // which ends question 1
				time.Sleep(2 * time.Second)
				go send(c, body[10:])
				response, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil {
					t.Fatal(err)
				}
				defer response.Body.Close() //nolint:errcheck // a pipe
				received, err := io.ReadAll(response.Body)
				if err != nil {
					t.Fatal(err)
				}
				r := &reply{t: t, what: "slow", Status: response.StatusCode, Body: string(received)}
				r.want(test.status).has(test.has, test.at)
			})
		})
	}
}

// A stream outlives the bounds on other replies, and ends when its client
// receives nothing any more.
func TestStreamOverConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		dial, _ := serve(t, s)
		c := dial()
		defer c.Close() //nolint:errcheck // a pipe
		send(c, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close() //nolint:errcheck // a pipe
		lines := bufio.NewScanner(response.Body)
		alive := 0
		for alive < 20 && lines.Scan() { // five minutes
			if lines.Text() == ": alive" {
				alive++
			}
		}
		if alive < 20 {
			t.Fatalf("the stream ended after %d signs of life: %v", alive, lines.Err())
		}
		s.team("one")
		time.Sleep(time.Minute) // and nothing is read
		synctest.Wait()
		if !strings.Contains(s.get("/metrics").Body, "scorebook_event_streams 0\n") {
			t.Error("the stream is still open")
		}
	})
}

// A server that is shut down ends the streams and does not wait for them.
func TestShutdownEndsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		dial, server := serve(t, s)
		c := dial()
		defer c.Close() //nolint:errcheck // a pipe
		send(c, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
		received := make(chan string)
		go func() {
			all, _ := io.ReadAll(c)
			received <- string(all)
		}()
		synctest.Wait()
		if err := server.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if text := <-received; !strings.Contains(text, "event: state") || !strings.HasSuffix(text, "0\r\n\r\n") {
			t.Errorf("not ended in order: %q", text)
		}
	})
}
