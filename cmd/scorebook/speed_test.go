package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/bench"
	"scorebook/internal/service"
	"scorebook/internal/store"
)

// asReference in the environment makes the test binary the reference server,
// which writes to the file that it names.
const asReference = "SCOREBOOK_TEST_AS_REFERENCE"

func reference(path string) error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("scorebook http://%s\n", listener.Addr())
	return bench.Reference(context.Background(), listener, path)
}

// rounds is how often each server is measured; the median counts.
const rounds = 5

// measured are the medians of what was measured of a server.
type measured struct{ perSecond, p50, p99 []float64 }

func (m *measured) add(c *bench.Closed) {
	m.perSecond = append(m.perSecond, c.PerSecond())
	m.p50 = append(m.p50, c.Percentile(0.5).Seconds()*1e3)
	m.p99 = append(m.p99, c.Percentile(0.99).Seconds()*1e3)
}

func median(values []float64) float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[len(values)/2]
}

// contestOf starts a server with so many teams whose first question runs, and
// returns requests of these teams that submit wrong answers.
func contestOf(b *testing.B, teams int, args ...string) (*process, func(n int) []byte) {
	b.Helper()
	dir := b.TempDir()
	questions, config := filepath.Join(dir, "questions.csv"), filepath.Join(dir, "contest.yaml")
	for path, text := range map[string]string{
		questions: "id,type,scene_id,video_id,points\n1,KIS,K14,V026,370000-386000\n",
		config:    "name: Speed\nground_truth: questions.csv\nrate_limit: {per_second: 100000, burst: 100000}\nregistration: {mode: closed, max_teams: 1000000}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	tokens := make([]string, teams)
	for i := range tokens {
		tokens[i] = fmt.Sprintf("token of team %06d", i)
	}
	db := filepath.Join(dir, "contest.db")
	register(b, db, questions, tokens)
	server := begin(b, append([]string{"serve", "--config", config, "--db", db, "--listen", "127.0.0.1:0"}, args...)...)
	must(b, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1", "time_limit": 86400})
	host := hostOf(b, server.base)
	requests := make([][]byte, teams)
	for i, token := range tokens {
		requests[i] = submission(host, token)
	}
	return server, func(n int) []byte { return requests[n%teams] }
}

// register makes a database with teams that have these tokens.
func register(b *testing.B, db, questions string, tokens []string) {
	b.Helper()
	text, err := os.ReadFile(questions)
	if err != nil {
		b.Fatal(err)
	}
	all, err := parseQuestions(string(text))
	if err != nil {
		b.Fatal(err)
	}
	log, err := store.OpenSQLite(context.Background(), db, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	at := time.Now().UTC()
	events := []contest.Recorded{{Seq: 1, At: at, Event: contest.Opened{Contest: "speed", Settings: contest.DefaultSettings(), Rules: preset(), Questions: all}}}
	for i, token := range tokens {
		events = append(events, contest.Recorded{Seq: contest.Seq(i + 2), At: at, Event: contest.TeamRegistered{
			Team: contest.TeamID(fmt.Sprintf("t%06d", i)), Name: fmt.Sprint("Team ", i), TokenHash: service.HashToken(token),
		}})
	}
	if _, err := log.Append(context.Background(), 0, events); err != nil {
		b.Fatal(err)
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}

func hostOf(b *testing.B, base string) string {
	b.Helper()
	u, err := url.Parse(base)
	if err != nil {
		b.Fatal(err)
	}
	return u.Host
}

func submission(host, token string) []byte {
	const body = `{"answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":1000,"end":1000}]}]}`
	return fmt.Appendf(nil, "POST /submit HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", host, token, len(body), body)
}

// Durable submissions a second, in terms of the least that a server can do; both
// are measured in turn.
func BenchmarkDurableSubmissions(b *testing.B) {
	const teams, lasting = 1000, 1500 * time.Millisecond
	for _, connections := range []int{1, 8, 32, 128, 512} {
		b.Run(fmt.Sprint(connections), func(b *testing.B) {
			server, request := contestOf(b, teams)
			b.Setenv(asReference, filepath.Join(b.TempDir(), "reference.log"))
			least := begin(b)
			least.base = "http://" + hostOf(b, least.base)
			plain := submission(hostOf(b, least.base), "none")
			for b.Loop() {
				var ours, reference measured
				for range rounds {
					for _, one := range []struct {
						base    string
						request func(int) []byte
						into    *measured
					}{{least.base, func(int) []byte { return plain }, &reference}, {server.base, request, &ours}} {
						closed, err := bench.ClosedLoop(b.Context(), hostOf(b, one.base), connections, lasting, one.request)
						if err != nil {
							b.Fatal(err)
						}
						one.into.add(closed)
					}
				}
				b.ReportMetric(median(ours.perSecond), "submissions/s")
				b.ReportMetric(median(ours.p99), "p99-ms")
				b.ReportMetric(median(reference.perSecond), "reference/s")
				b.ReportMetric(median(ours.perSecond)/median(reference.perSecond), "x-throughput")
				b.ReportMetric(median(ours.p99)/median(reference.p99), "x-p99")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// A read of the ranking of 100 teams and 22 questions, in terms of a handler that
// writes the same bytes, and how that grows with the number of teams.
func BenchmarkReadRanking(b *testing.B) {
	const lasting = 1500 * time.Millisecond
	for _, teams := range []int{100, 1000} {
		b.Run(strconv.Itoa(teams), func(b *testing.B) {
			p := playEvening(b, teams, 22, 10*time.Second)
			server := begin(b, "serve", "--db", p.db, "--listen", "127.0.0.1:0")
			b.Setenv(asReference, filepath.Join(b.TempDir(), "reference.log"))
			least := begin(b)
			least.base = "http://" + hostOf(b, least.base)
			page := read(b, http.MethodGet, server.base+"/api/leaderboard-data", nil)
			read(b, http.MethodPut, least.base+"/page", page)
			get := func(base, path string) func(int) []byte {
				text := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, hostOf(b, base))
				return func(int) []byte { return text }
			}
			for b.Loop() {
				var ours, reference measured
				for range rounds {
					for _, one := range []struct {
						base, path string
						into       *measured
					}{{least.base, "/page", &reference}, {server.base, "/api/leaderboard-data", &ours}} {
						closed, err := bench.ClosedLoop(b.Context(), hostOf(b, one.base), 32, lasting, get(one.base, one.path))
						if err != nil {
							b.Fatal(err)
						}
						one.into.add(closed)
					}
				}
				b.ReportMetric(float64(len(page)), "bytes")
				b.ReportMetric(median(ours.perSecond), "reads/s")
				b.ReportMetric(median(ours.perSecond)/median(reference.perSecond), "x-throughput")
				b.ReportMetric(median(ours.p99)/median(reference.p99), "x-p99")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// read asks once and returns the reply.
func read(b *testing.B, method, address string, body []byte) []byte {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", address, response.Status, err)
	}
	return text
}

// What a submission costs a server with many teams, in terms of one with a
// thousand: time of its processors.
func BenchmarkSubmissionOfManyTeams(b *testing.B) {
	const lasting = 4 * time.Second
	for b.Loop() {
		first := 0.0
		for _, teams := range []int{1000, 3000, 10000, 30000} {
			server, request := contestOf(b, teams)
			before := used(b, server.cmd.Process.Pid)
			closed, err := bench.ClosedLoop(b.Context(), hostOf(b, server.base), 32, lasting, request)
			if err != nil {
				b.Fatal(err)
			}
			cost := (used(b, server.cmd.Process.Pid) - before) / float64(closed.Requests)
			if first == 0 {
				first = cost
			}
			b.ReportMetric(cost/first, fmt.Sprintf("x-%d", teams))
			b.ReportMetric(cost*1e6, fmt.Sprintf("us-%d", teams))
			server.kill()
		}
	}
	b.ReportMetric(0, "ns/op")
}

// used returns the processor time that a process has used, in seconds, where that
// can be seen.
func used(b *testing.B, pid int) float64 {
	b.Helper()
	const ticks = 100 // a second, on Linux
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("SKIPPED: /proc tells nothing of processes here")
	}
	_, behind, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(behind)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticks
}
