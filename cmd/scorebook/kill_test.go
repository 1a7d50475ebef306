package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// player is a team that submits wrong answers, each until it is acknowledged.
type player struct {
	token string
	mu    sync.Mutex
	acked []string // receipts
}

// play submits once for each permit, until there will be no more. It repeats what was not answered, with
// the same key, so that what was recorded before the answer got lost is not
// recorded twice.
func (p *player) play(ctx context.Context, permits <-chan struct{}, base func() string, count *atomic.Int64) error {
	n := 0
	for range permits {
		n++
		key := fmt.Sprint(p.token[:8], "-", n)
		body := map[string]any{"answerSets": []any{map[string]any{"answers": []any{map[string]any{"mediaItemName": "V026", "start": 1000 + n}}}}}
		for {
			status, reply, header, err := call(ctx, http.MethodPost, base()+"/submit", p.token, body, "Idempotency-Key", key)
			if err != nil || status == http.StatusServiceUnavailable { // nobody is there now
				time.Sleep(5 * time.Millisecond)
				continue
			}
			if status != http.StatusOK || header.Get("Scorebook-Receipt") == "" {
				return fmt.Errorf("status %d, %v", status, reply)
			}
			p.mu.Lock()
			p.acked = append(p.acked, header.Get("Scorebook-Receipt"))
			p.mu.Unlock()
			count.Add(1)
			break
		}
	}
	return nil
}

func (p *player) receipts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.acked...)
}

// A server under load is killed ten times. After each restart everything that
// was acknowledged is there, once, and the question goes on.
func TestKilledServerLosesNothing(t *testing.T) {
	const teams, kills, each = 50, 10, 400 // submissions between two kills
	dir := t.TempDir()
	db := filepath.Join(dir, "contest.db")
	questions := filepath.Join(dir, "questions.csv")
	writeFile(t, questions, "id,type,scene_id,video_id,points\n1,KIS,K14,V026,370000-386000\n")
	args := []string{"serve", "--db", db, "--ground-truth", questions, "--listen", "127.0.0.1:0"}
	server := begin(t, args...)
	players := make([]*player, teams)
	for i := range players {
		reply := must(t, http.MethodPost, server.base+"/teams/register", "", map[string]any{"team_name": fmt.Sprint("Team ", i)})
		players[i] = &player{token: reply["team_session_id"].(string)}
	}
	must(t, http.MethodPost, server.base+"/admin/start-question", testAdminToken, map[string]any{"question_id": "1", "time_limit": 3600})
	status := func() (started string, remaining float64) {
		reply := must(t, http.MethodGet, server.base+"/question/1/status", "", nil)
		if reply["status"] != "running" {
			t.Fatalf("the question does not run: %v", reply)
		}
		return reply["started_at"].(string), reply["remaining_time"].(float64)
	}
	started, remaining := status()

	var base atomic.Pointer[string]
	var count atomic.Int64
	base.Store(&server.base)
	permits := make(chan struct{}, kills*each)
	var all sync.WaitGroup
	for i, p := range players {
		all.Go(func() {
			if err := p.play(t.Context(), permits, func() string { return *base.Load() }, &count); err != nil {
				t.Errorf("team %d: %v", i, err)
			}
		})
	}
	for range kills {
		target := count.Load() + each/2
		for range each {
			permits <- struct{}{}
		}
		for count.Load() < target && !t.Failed() {
			time.Sleep(time.Millisecond)
		}
		server.kill() // in the middle of it
		server = begin(t, args...)
		base.Store(&server.base)
		again, left := status()
		if again != started || left > remaining {
			t.Errorf("started %s with %v s left, after the restart %s with %v s", started, remaining, again, left)
		}
		remaining = left
		check(t, server, db, players, false)
	}
	close(permits)
	all.Wait()
	if !t.Failed() && count.Load() != kills*each {
		t.Errorf("%d submissions were acknowledged, expected %d", count.Load(), kills*each)
	}
	check(t, server, db, players, true)
	t.Logf("%d submissions acknowledged over %d kills", count.Load(), kills)
}

// check looks for every acknowledged attempt. If final, there must be no other.
func check(t *testing.T, server *process, db string, players []*player, final bool) {
	t.Helper()
	for i, p := range players {
		acked := p.receipts() // before the question, so that all of them must be there
		reply := must(t, http.MethodGet, server.base+"/teams/me", p.token, nil)
		found := map[string]int{}
		for _, question := range reply["questions"].([]any) {
			for _, attempt := range question.(map[string]any)["attempts"].([]any) {
				found[fmt.Sprintf("%.0f", attempt.(map[string]any)["submission"])]++
			}
		}
		for _, receipt := range acked {
			if seq, _, _ := strings.Cut(receipt, "-"); found[seq] != 1 {
				t.Fatalf("team %d: the acknowledged attempt %s is there %d times", i, receipt, found[seq])
			}
		}
		if len(acked) > 0 { // number and hash
			must(t, http.MethodGet, server.base+"/submissions/"+acked[len(acked)-1], p.token, nil)
		}
		if final && len(found) != len(acked) {
			t.Errorf("team %d: %d attempts are there, %d were acknowledged", i, len(found), len(acked))
		}
	}
	if code, stdout, stderr := start(t, "verify", "--db", db); code != 0 {
		t.Fatalf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
}
