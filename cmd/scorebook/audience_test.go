package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// audience is leaderboards that are open in browsers: each loads the page, holds
// its stream of events open, and asks for what a frame makes the page's script
// ask for.
type audience struct {
	base     string
	client   *http.Client
	boards   []*openBoard
	received atomic.Int64 // bytes
	ready    sync.WaitGroup
	all      sync.WaitGroup
	leave    context.CancelFunc
}

type openBoard struct {
	err error // once the audience has left

	mu   sync.Mutex
	seen []sighting
}

// sighting is when a board was told of everything up to an event.
type sighting struct {
	seq uint64
	at  time.Time
}

// How often the script of the board asks for something.
const (
	asideGap    = 1500 * time.Millisecond
	asideSpread = 150 * time.Millisecond
	loadSpread  = 200 * time.Millisecond
	timeEvery   = 20 * time.Second // the server's time
)

// open opens so many boards and returns when each has its stream.
func (p played) open(t testing.TB, server *process, boards int) *audience {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	a := &audience{
		base: server.base, leave: cancel,
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: boards, DisableCompression: true}},
	}
	a.ready.Add(boards)
	for range boards {
		b := &openBoard{}
		a.boards = append(a.boards, b)
		a.all.Go(func() {
			if err := a.watch(ctx, b); ctx.Err() == nil { // otherwise the audience has left
				b.err = err
			}
		})
	}
	a.ready.Wait()
	t.Cleanup(func() { a.close(t) })
	return a
}

// close ends the streams. The test fails if one has ended before.
func (a *audience) close(t testing.TB) {
	t.Helper()
	a.leave()
	a.all.Wait()
	a.client.CloseIdleConnections()
	for i, b := range a.boards {
		if b.err != nil {
			t.Errorf("board %d of %d: %v", i+1, len(a.boards), b.err)
		}
	}
}

// get loads something as a browser does, and returns it unless it is dropped.
func (a *audience) get(ctx context.Context, path string, keep bool) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, http.NoBody)
	if err != nil {
		return "", err
	}
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := a.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET %s: %s", path, response.Status)
	}
	wire := &counted{response.Body, &a.received}
	if !keep {
		_, err = io.Copy(io.Discard, wire)
		return "", err
	}
	unzipped, err := gzip.NewReader(wire)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unzipped)
	return string(text), err
}

type counted struct {
	io.Reader
	sum *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.sum.Add(int64(n))
	return n, err
}

var dataSeq = regexp.MustCompile(`<body data-seq="(\d+)"`)

// watch is a board from when it is opened to when the audience leaves.
func (a *audience) watch(ctx context.Context, b *openBoard) error {
	ready := sync.OnceFunc(a.ready.Done)
	defer ready()
	page, err := a.get(ctx, "/leaderboard-ui", true)
	if err != nil {
		return err
	}
	seq := dataSeq.FindStringSubmatch(page)
	if seq == nil {
		return fmt.Errorf("the page has no data-seq: %.300s", page)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/leaderboard-ui/events?last_event_id="+seq[1], http.NoBody)
	if err != nil {
		return err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the stream: %s", response.Status)
	}
	ready()
	// What the script asks for comes over another connection.
	aside, whole := make(chan struct{}, 1), make(chan struct{}, 1)
	a.all.Go(func() { a.follow(ctx, aside, "/leaderboard-ui/aside", asideGap, asideSpread) })
	a.all.Go(func() { a.follow(ctx, whole, "/leaderboard-ui", 0, loadSpread) })
	a.all.Go(func() { a.follow(ctx, nil, "/healthz", timeEvery, timeEvery) })
	lines := bufio.NewScanner(&counted{response.Body, &a.received})
	lines.Buffer(nil, 1<<20)
	var id uint64
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "id":
			if id, err = strconv.ParseUint(value, 10, 64); err != nil {
				return err
			}
		case field == "data" && id > 0:
			b.mu.Lock()
			b.seen = append(b.seen, sighting{id, time.Now()})
			b.mu.Unlock()
			next := aside
			if strings.Contains(value, `"reload":true`) {
				next = whole
			}
			select {
			case next <- struct{}{}:
			default:
			}
			id = 0
		}
	}
	return lines.Err()
}

// follow loads something whenever it is asked for, but not more often than the
// script of the page does; without a channel, as often as that.
func (a *audience) follow(ctx context.Context, asked <-chan struct{}, path string, gap, spread time.Duration) {
	var last time.Time
	for {
		if asked != nil {
			select {
			case <-asked:
			case <-ctx.Done():
				return
			}
		}
		wait := max(rand.N(spread), time.Until(last.Add(gap)))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		last = time.Now()
		_, _ = a.get(ctx, path, false) // the next change asks again
	}
}

// change is an event that every board shows, and when it was sent.
type change struct {
	seq  uint64
	sent time.Time
}

// play submits an answer every so often: each team a wrong one and then the
// right one. Halfway the next question begins, and every board loads its page.
func (p played) play(t testing.TB, server *process, answers int, every time.Duration) (changes []change) {
	t.Helper()
	tick := time.NewTicker(every)
	defer tick.Stop()
	question := &p.questions[p.running]
	wrong := map[string]any{"answerSets": []any{map[string]any{"answers": []any{map[string]any{"mediaItemName": "elsewhere", "start": "1"}}}}}
	for i := range answers {
		<-tick.C
		if i == answers/2 {
			question = &p.questions[p.running+1]
			sent := time.Now()
			must(t, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": string(question.ID)})
			seq := must(t, http.MethodGet, server.base+"/healthz", "", nil)["seq"].(float64)
			changes = append(changes, change{uint64(seq), sent})
		}
		team, body := p.teams[i/2%len(p.teams)], any(wrong)
		if i%2 == 1 {
			body = rightAnswer(question)
		}
		sent := time.Now()
		status, reply, header, err := call(t.Context(), http.MethodPost, server.base+"/submit", "token of "+string(team), body)
		if err != nil || status != http.StatusOK {
			t.Fatalf("answer %d: status %d, %v, %v", i, status, reply, err)
		}
		seq, err := strconv.ParseUint(header.Get("Scorebook-Seq"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, change{seq, sent})
	}
	return changes
}

// delays returns how long it took from when each change was sent to when each
// board was told of it, ascending. A board that was not told of a change by now
// is counted as missed.
func (a *audience) delays(changes []change) (delays []time.Duration, missed int) {
	for _, b := range a.boards {
		b.mu.Lock()
		seen := slices.Clone(b.seen)
		b.mu.Unlock()
		for _, c := range changes {
			i := slices.IndexFunc(seen, func(s sighting) bool { return s.seq >= c.seq })
			if i < 0 {
				missed++
				continue
			}
			delays = append(delays, seen[i].at.Sub(c.sent))
		}
	}
	slices.Sort(delays)
	return delays, missed
}

// metric reads a number from GET /metrics.
func metric(t testing.TB, server *process, name string) float64 {
	t.Helper()
	response, err := client.Get(server.base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			number, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return number
		}
	}
	t.Fatalf("GET /metrics has no %s: %v", name, lines.Err())
	return 0
}

// Every open board is told of every change.
func TestEveryBoardIsToldOfEveryChange(t *testing.T) {
	p := playEvening(t, 10, 3, 0)
	server := p.serve(t)
	a := p.open(t, server, 50)
	changes := p.play(t, server, 10, 20*time.Millisecond)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, missed := a.delays(changes)
		if missed == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d boards were not told of a change", missed)
		}
	}
}

// BenchmarkLeaderboards has 1,000 leaderboards open while answers come in five
// times a second, and compares what that costs the server, in processor time,
// with the same answers and one leaderboard.
func BenchmarkLeaderboards(b *testing.B) {
	const boards, every = 1000, 200 * time.Millisecond
	for b.Loop() {
		one := measureBoards(b, 1, 40, every)
		many := measureBoards(b, boards, 100, every)
		b.ReportMetric(many.cores, "cores")
		b.ReportMetric(one.cores, "cores-of-one")
		b.ReportMetric(many.delay(50), "p50-ms")
		b.ReportMetric(many.delay(99), "p99-ms")
		b.ReportMetric(many.delay(100), "max-ms")
		b.ReportMetric(float64(many.missed), "missed")
		b.ReportMetric(many.memory/(1<<20), "MiB")
		b.ReportMetric((many.memory-one.memory)/(1<<10)/boards, "KiB/board")
		b.ReportMetric(many.sent/(1<<10)/boards, "KiB/s/board")
		b.ReportMetric(0, "ns/op")
	}
}

// cost is what an audience cost a server.
type cost struct {
	cores, memory, sent float64 // processors, bytes, bytes a second
	delays              []time.Duration
	missed              int
}

// delay returns a percentile of the delays in milliseconds.
func (c cost) delay(percent int) float64 {
	if len(c.delays) == 0 {
		return 0
	}
	return float64(c.delays[(len(c.delays)-1)*percent/100].Milliseconds())
}

func measureBoards(b *testing.B, boards, answers int, every time.Duration) (c cost) {
	b.Helper()
	p := playEvening(b, 60, 3, 0)
	server := p.serve(b)
	defer server.kill()
	a := p.open(b, server, boards)
	time.Sleep(time.Second) // what opening them left to do
	used, began, received := metric(b, server, "process_cpu_seconds_total"), time.Now(), a.received.Load()
	changes := p.play(b, server, answers, every)
	wall := time.Since(began).Seconds()
	c.cores = (metric(b, server, "process_cpu_seconds_total") - used) / wall
	c.sent = float64(a.received.Load()-received) / wall
	c.memory = metric(b, server, "process_resident_memory_bytes")
	time.Sleep(2 * time.Second)
	c.delays, c.missed = a.delays(changes)
	a.close(b)
	return c
}
