package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"scorebook/internal/bench"
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
	server := begin(b, append([]string{"serve", "--config", config, "--db", filepath.Join(dir, "contest.db"), "--listen", "127.0.0.1:0"}, args...)...)
	tokens := make([]string, teams)
	for i := range tokens {
		tokens[i] = must(b, http.MethodPost, server.base+"/admin/teams", testAdminToken, map[string]any{"team_name": fmt.Sprint("Team ", i)})["team_session_id"].(string)
	}
	must(b, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1", "time_limit": 86400})
	host := hostOf(b, server.base)
	requests := make([][]byte, teams)
	for i, token := range tokens {
		requests[i] = submission(host, token)
	}
	return server, func(n int) []byte { return requests[n%teams] }
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
