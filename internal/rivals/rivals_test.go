package rivals_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"scorebook/internal/rivals"
)

// stub is a server within the test's own time. It plays a script: frames of the
// stream at their times, and replies to submissions.
type stub struct {
	started time.Time
	frames  []frame
	reply   func(n int) (status int, retryAfter string) // to submission n of all, from 0
	taken   map[string]bool                             // names of teams that register in vain; true: of a simulated one

	mu         sync.Mutex
	registered []string
	rotated    []string
	sent       []sent
}

type frame struct {
	at   time.Duration
	text string // empty: the stream ends
}

type sent struct {
	at         time.Duration
	token, key string
	body       string
}

// RoundTrip implements http.RoundTripper.
func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/events" {
		return s.stream(r.Context()), nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := httptest.NewRecorder()
	switch token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); {
	case r.URL.Path == "/submit":
		s.sent = append(s.sent, sent{at: time.Since(s.started), token: token, key: r.Header.Get("Idempotency-Key"), body: string(body)})
		status, after := 200, ""
		if s.reply != nil {
			status, after = s.reply(len(s.sent) - 1)
		}
		w.Header().Set("Retry-After", after)
		w.WriteHeader(status)
	case token != "admin":
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/admin/teams" && r.Method == http.MethodGet:
		var list []string
		for name, simulated := range s.taken {
			list = append(list, fmt.Sprintf(`{"team_id": "id-%s", "team_name": %q, "simulated": %t}`, name, name, simulated))
		}
		w.Body.WriteString(`{"teams": [` + strings.Join(list, ", ") + `]}`)
	case r.URL.Path == "/admin/teams":
		var team struct {
			Name      string `json:"team_name"`
			Simulated bool   `json:"simulated"`
		}
		if err := json.Unmarshal(body, &team); err != nil || !team.Simulated {
			w.WriteHeader(http.StatusBadRequest)
			break
		}
		if _, taken := s.taken[team.Name]; taken {
			w.WriteHeader(http.StatusConflict)
			break
		}
		s.registered = append(s.registered, team.Name)
		fmt.Fprintf(w.Body, `{"team_session_id": "token %d of %s"}`, len(s.registered), team.Name)
	case strings.HasSuffix(r.URL.Path, "/rotate-token"):
		s.rotated = append(s.rotated, r.URL.Path)
		w.Body.WriteString(`{"team_session_id": "another token"}`)
	}
	return w.Result(), nil
}

// stream sends the frames that are still to come, and goes on until the client
// leaves.
func (s *stub) stream(ctx context.Context) *http.Response {
	r, w := io.Pipe()
	go func() {
		defer w.Close() //nolint:errcheck // it does not fail
		for _, f := range s.frames {
			wait := f.at - time.Since(s.started)
			if wait < 0 {
				continue
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
			if f.text == "" {
				return
			}
			if _, err := io.WriteString(w, f.text); err != nil {
				return
			}
		}
		<-ctx.Done()
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: r, Header: http.Header{}}
}

func running(id string, round int, elapsed float64) string {
	return fmt.Sprintf("id: 1\nevent: state\ndata: {\"question\": {\"question_id\": %q, \"status\": \"running\", \"round\": %d, \"time_limit\": 300, \"elapsed_time\": %v}}\n\n: alive\n\n", id, round, elapsed)
}

const nothing = "event: state\ndata: {}\n\n"

// play runs rivals against a stub for some time.
func play(t *testing.T, s *stub, count int, d time.Duration, check func()) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.started = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), d)
		defer cancel()
		err := rivals.Run(ctx, rivals.Options{
			Base: &url.URL{Scheme: "http", Host: "stub"}, AdminToken: "admin", Count: count, Seed: 1,
			Questions: questions, Client: &http.Client{Transport: s},
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run ended with %v", err)
		}
		check()
	})
}

// planned returns how many moves the rivals have up to a moment of a question.
func planned(count, question, round int, until time.Duration) (n int) {
	for rival := range count {
		for _, move := range rivals.Plan(1, rival, &questions[question], round, 300*time.Second) {
			if move.At < until {
				n++
			}
		}
	}
	return n
}

func TestRivalsPlayAsPlanned(t *testing.T) {
	const count = 30
	s := &stub{frames: []frame{{time.Second, running("1", 1, 0)}, {5 * time.Second, running("1", 1, 4)}}}
	play(t, s, count, 10*time.Minute, func() {
		if want := planned(count, 0, 1, time.Hour); len(s.sent) != want || want < count/2 {
			t.Errorf("%d submissions, %d are planned", len(s.sent), want)
		}
		if len(s.registered) != count {
			t.Errorf("%d teams registered: %q", len(s.registered), s.registered)
		}
		for rival := range count {
			for _, move := range rivals.Plan(1, rival, &questions[0], 1, 300*time.Second) {
				found := false
				for _, sent := range s.sent {
					found = found || sent.token == fmt.Sprintf("token %d of %s", rival+1, rivals.Name(rival)) && sent.at == time.Second+move.At && sent.body == string(move.Body)
				}
				if !found {
					t.Errorf("rival %d did not submit %s at %v", rival, move.Body, move.At)
				}
			}
		}
	})
}

func TestRivalsStopWithTheQuestion(t *testing.T) {
	const count = 40
	for name, end := range map[string]string{"stopped": nothing, "another one": running("9", 1, 0)} {
		t.Run(name, func(t *testing.T) {
			s := &stub{frames: []frame{{0, running("3", 2, 0)}, {100 * time.Second, end}}}
			play(t, s, count, 10*time.Minute, func() {
				if want := planned(count, 2, 2, 100*time.Second); len(s.sent) != want || want == planned(count, 2, 2, time.Hour) {
					t.Errorf("%d submissions, %d are planned until the stop", len(s.sent), want)
				}
			})
		})
	}
}

// A stream that breaks off is taken up again, and what is sent again has the
// same key.
func TestRivalsComeBack(t *testing.T) {
	const count = 20
	s := &stub{frames: []frame{{0, running("1", 1, 0)}, {100 * time.Second, ""}, {150 * time.Second, running("1", 1, 150)}}}
	play(t, s, count, 10*time.Minute, func() {
		bodies := map[string]string{}
		for _, sent := range s.sent {
			if body, again := bodies[sent.key]; again && body != sent.body || sent.key == "" || strings.ContainsAny(sent.key, " \n") || len(sent.key) > 200 {
				t.Errorf("the key %q belongs to %s and to %s", sent.key, body, sent.body)
			}
			bodies[sent.key] = sent.body
		}
		if want := planned(count, 0, 1, time.Hour); len(bodies) != want || len(s.sent) == want {
			t.Errorf("%d submissions with %d keys, %d are planned", len(s.sent), len(bodies), want)
		}
	})
}

// What the server says to a submission, and how often it is sent then.
func TestRivalsHeedReplies(t *testing.T) {
	at := func(s *stub, i int) time.Duration { return s.sent[i].at - s.sent[0].at }
	for _, test := range []struct {
		status int
		after  string
		again  time.Duration // 0: never
	}{
		{status: 409},
		{status: 400},
		{status: 403},
		{status: 429, after: "7", again: 7 * time.Second},
		{status: 429, after: "soon", again: time.Second},
		{status: 503, again: time.Second},
		{status: 503, after: "3600", again: time.Minute},
	} {
		t.Run(fmt.Sprint(test.status, " ", test.after), func(t *testing.T) {
			rival := 0 // the first that submits at all submits twice or more
			for ; len(rivals.Plan(1, rival, &questions[0], 1, 300*time.Second)) < 2; rival++ {
			}
			s := &stub{frames: []frame{{0, running("1", 1, 0)}}}
			name := "of " + rivals.Name(rival)
			var own []int
			s.reply = func(n int) (int, string) {
				if !strings.HasSuffix(s.sent[n].token, name) {
					return 409, ""
				}
				own = append(own, n)
				if len(own) == 1 {
					return test.status, test.after
				}
				return 200, ""
			}
			moves := len(rivals.Plan(1, rival, &questions[0], 1, 300*time.Second))
			play(t, s, rival+1, 10*time.Minute, func() {
				switch {
				case test.again == 0 && len(own) != 1:
					t.Errorf("sent %d times, expected an end after the refusal", len(own))
				case test.again == 0:
				case len(own) != moves+1:
					t.Errorf("sent %d times, expected %d moves and one of them again", len(own), moves)
				case at(s, own[1])-at(s, own[0]) != test.again || s.sent[own[0]].key != s.sent[own[1]].key:
					t.Errorf("sent again after %v, expected %v", at(s, own[1])-at(s, own[0]), test.again)
				}
			})
		})
	}
}

// Rivals whose teams were removed register again, once in a question.
func TestRivalsRegisterAgain(t *testing.T) {
	s := &stub{frames: []frame{{0, running("1", 1, 0)}}, reply: func(int) (int, string) { return 401, "" }}
	const count = 20
	play(t, s, count, 10*time.Minute, func() {
		active := 0
		for rival := range count {
			if len(rivals.Plan(1, rival, &questions[0], 1, 300*time.Second)) > 0 {
				active++
			}
		}
		if len(s.registered) != count+active || len(s.sent) != 2*active {
			t.Errorf("%d registrations and %d submissions of %d active rivals among %d", len(s.registered), len(s.sent), active, count)
		}
	})
}

func TestNamesThatAreTaken(t *testing.T) {
	s := &stub{taken: map[string]bool{rivals.Name(0): false, rivals.Name(1): true}}
	play(t, s, 2, time.Minute, func() {
		if len(s.registered) != 1 || s.registered[0] == rivals.Name(0) {
			t.Errorf("registered %q", s.registered)
		}
		if len(s.rotated) != 1 || s.rotated[0] != "/admin/teams/id-"+rivals.Name(1)+"/rotate-token" {
			t.Errorf("rotated %q", s.rotated)
		}
	})
}

func TestRegistrationFails(t *testing.T) {
	s := &stub{}
	err := rivals.Run(t.Context(), rivals.Options{
		Base: &url.URL{Scheme: "http", Host: "stub"}, AdminToken: "wrong", Count: 1, Client: &http.Client{Transport: s},
	})
	if err == nil || !strings.Contains(err.Error(), "found status 401, expected 200") {
		t.Errorf("got %v", err)
	}
}
