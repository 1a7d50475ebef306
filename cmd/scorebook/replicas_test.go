//go:build unix

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"scorebook/internal/testkit"
)

// replicas are servers that share a database.
type replicas struct {
	t    *testing.T
	args []string

	mu      sync.Mutex
	servers []*process
}

func newReplicas(t *testing.T, db string, n int) *replicas {
	t.Helper()
	questions := filepath.Join(t.TempDir(), "questions.csv")
	writeFile(t, questions, "id,type,scene_id,video_id,points\n1,KIS,K14,V026,370000-386000\n2,KIS,K14,V027,370000-386000\n")
	r := &replicas{t: t, args: []string{"serve", "--db", db, "--ground-truth", questions, "--listen", "127.0.0.1:0"}}
	for range n {
		r.servers = append(r.servers, begin(t, r.args...))
	}
	return r
}

// any returns the address of any of them, as a load balancer would.
func (r *replicas) any() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.servers[rand.IntN(len(r.servers))].base
}

func (r *replicas) all() []*process {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*process(nil), r.servers...)
}

// replace kills a server and starts another in its place.
func (r *replicas) replace(i int) {
	r.t.Helper()
	r.all()[i].kill()
	started := begin(r.t, r.args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.servers[i] = started
}

// standings returns what a server shows of the ranking, when it has taken in an
// event.
func standings(t *testing.T, server *process, seq float64) string {
	t.Helper()
	for range 500 {
		status, reply, _, err := call(t.Context(), http.MethodGet, server.base+"/readyz", "", nil)
		if err == nil && status == http.StatusOK && reply["seq"].(float64) >= seq {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.base+"/api/leaderboard-data", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %s", response.Status, err, text)
	}
	return string(text)
}

// Two and three servers share a database. Under load one is killed, and then the
// database crashes and comes back: nothing that was acknowledged is lost or there
// twice, and all servers show the same.
func TestReplicas(t *testing.T) {
	for _, n := range []int{2, 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			cluster := testkit.PostgresCluster(t)
			r := newReplicas(t, cluster.Address(), n)
			const teams, phase = 20, 200 // submissions between two faults
			players := make([]*player, teams)
			for i := range players {
				reply := must(t, http.MethodPost, r.any()+"/teams/register", "", map[string]any{"team_name": fmt.Sprint("Team ", i)})
				players[i] = &player{token: reply["team_session_id"].(string)}
			}
			must(t, http.MethodPost, r.any()+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1", "time_limit": 3600})
			var count atomic.Int64
			permits := make(chan struct{}, 4*phase)
			var all sync.WaitGroup
			for i, p := range players {
				all.Go(func() {
					if err := p.play(t.Context(), permits, r.any, &count); err != nil {
						t.Errorf("team %d: %v", i, err)
					}
				})
			}
			after := func(fault func()) {
				target := count.Load() + phase/2
				for range phase {
					permits <- struct{}{}
				}
				for count.Load() < target && !t.Failed() {
					time.Sleep(time.Millisecond)
				}
				fault() // in the middle of it
			}
			after(func() { r.replace(0) })
			after(func() {
				cluster.Crash()
				time.Sleep(300 * time.Millisecond)
				cluster.Start()
			})
			after(func() { r.replace(n - 1) })
			after(func() {})
			close(permits)
			all.Wait()
			if !t.Failed() && count.Load() != 4*phase {
				t.Errorf("%d submissions were acknowledged, expected %d", count.Load(), 4*phase)
			}
			must(t, http.MethodPost, r.any()+"/admin/stop-question", testAdminToken, map[string]any{})
			check(t, r.all()[0], cluster.Address(), players, true)
			seq := must(t, http.MethodPost, r.any()+"/admin/start-question", testAdminToken, map[string]any{"question_id": "2"})["seq"].(float64)
			for i, server := range r.all() {
				if first, shown := standings(t, r.all()[0], seq), standings(t, server, seq); shown != first || len(shown) < 1000 {
					t.Errorf("server %d shows\n%s\nand the first\n%s", i, shown, first)
				}
			}
		})
	}
}

// proxy passes connections on until it is cut.
type proxy struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	cut      bool
	open     map[net.Conn]bool
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, to: to, open: map[net.Conn]bool{}}
	t.Cleanup(func() { listener.Close() }) //nolint:errcheck // it ends the loop
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(from)
		}
	}()
	return p
}

func (p *proxy) pass(from net.Conn) {
	defer from.Close() //nolint:errcheck // both sides are over
	p.mu.Lock()
	cut := p.cut
	p.mu.Unlock()
	if cut {
		return
	}
	to, err := new(net.Dialer).Dial("tcp", p.to) //nolint:noctx // it ends with the connection
	if err != nil {
		return
	}
	defer to.Close() //nolint:errcheck // both sides are over
	p.mu.Lock()
	p.open[from], p.open[to] = true, true
	p.mu.Unlock()
	go func() { io.Copy(to, from); to.Close() }() //nolint:errcheck // it ends with either side
	io.Copy(from, to)                             //nolint:errcheck // likewise
}

// set cuts every connection, or lets new ones through again.
func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	for conn := range p.open {
		conn.Close() //nolint:errcheck // that is the fault
	}
	clear(p.open)
}

// A server that cannot reach the database says so, and catches up afterwards.
func TestPartition(t *testing.T) {
	cluster := testkit.PostgresCluster(t)
	p := newProxy(t, cluster.Host())
	near := newReplicas(t, cluster.Address(), 1).servers[0]
	far := newReplicas(t, testkit.AddressAt(p.listener.Addr().String()), 1).servers[0]
	team := must(t, http.MethodPost, near.base+"/teams/register", "", map[string]any{"team_name": "One"})["team_session_id"].(string)
	must(t, http.MethodPost, near.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1"})
	wrong := map[string]any{"answerSets": []any{map[string]any{"answers": []any{map[string]any{"mediaItemName": "V026", "start": 1}}}}}
	submit := func(server *process) int {
		t.Helper()
		status, reply, _, err := call(t.Context(), http.MethodPost, server.base+"/submit", team, wrong)
		if err != nil {
			t.Fatalf("%v, %v", err, reply)
		}
		return status
	}
	if status := submit(far); status != http.StatusOK {
		t.Fatalf("before: status %d", status)
	}
	p.set(true)
	if status := submit(far); status != http.StatusServiceUnavailable {
		t.Errorf("cut off: status %d", status)
	}
	if status, _, _, err := call(t.Context(), http.MethodGet, far.base+"/readyz", "", nil); err != nil || status != http.StatusServiceUnavailable {
		t.Errorf("cut off, /readyz: status %d, %v", status, err)
	}
	if status := submit(near); status != http.StatusOK {
		t.Errorf("the other server: status %d", status)
	}
	seq := must(t, http.MethodPost, near.base+"/admin/stop-question", testAdminToken, map[string]any{})["seq"].(float64)
	p.set(false)
	if first, shown := standings(t, near, seq), standings(t, far, seq); first != shown {
		t.Errorf("found\n%s\nexpected\n%s", shown, first)
	}
	must(t, http.MethodPost, far.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "2"})
	if status := submit(far); status != http.StatusOK {
		t.Errorf("afterwards: status %d", status)
	}
}
