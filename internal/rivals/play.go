package rivals

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// play lets every rival play a question, until stop is called.
func (g *group) play(ctx context.Context, q question, all *sync.WaitGroup) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	started := time.Now().Add(-time.Duration(q.Elapsed * float64(time.Second)))
	limit := time.Duration(q.Limit * float64(time.Second))
	for i := range g.Questions {
		if g.Questions[i].ID != q.ID {
			continue
		}
		for rival := range g.tokens {
			moves := Plan(g.Seed, rival, &g.Questions[i], q.Round, limit)
			all.Go(func() { g.submit(ctx, rival, q, started, moves) })
		}
	}
	return stop
}

// submit makes the moves of one rival when their time comes. A refusal ends
// them: the question is over, or answered.
func (g *group) submit(ctx context.Context, rival int, q question, started time.Time, moves []Move) {
	renewed := false
	for i, move := range moves {
		if pause(ctx, time.Until(started.Add(move.At))) != nil {
			return
		}
		// Whoever connects anew makes the moves so far again. They count once.
		key := fmt.Sprintf("rival-%d-%d-%x-%d-%d", g.Seed, rival, sha256.Sum256([]byte(q.ID)), q.Round, i)
		for {
			status, patience, err := g.send(ctx, g.token(rival), key, move.Body)
			switch {
			case err != nil:
				return
			case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
				if pause(ctx, patience) != nil {
					return
				}
				continue
			case status == http.StatusUnauthorized && !renewed: // the teams were removed
				if g.renew(ctx, rival) != nil {
					return
				}
				renewed = true
				continue
			case status >= 400:
				return
			}
			break
		}
	}
}

// send makes a submission. Patience is how long the server asks to wait before
// the next one.
func (g *group) send(ctx context.Context, token, key string, body []byte) (status int, patience time.Duration, err error) {
	request, err := g.request(ctx, http.MethodPost, "/submit", token, body)
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("Idempotency-Key", key)
	response, err := g.Client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	patience = time.Second
	if s, wrong := strconv.Atoi(response.Header.Get("Retry-After")); wrong == nil && s > 0 {
		patience = time.Duration(min(s, 60)) * time.Second
	}
	return response.StatusCode, patience, err
}

func (g *group) token(rival int) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tokens[rival]
}

// renew registers a rival whose team is gone.
func (g *group) renew(ctx context.Context, rival int) error {
	token, err := g.register(ctx, rival)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tokens[rival] = token
	return nil
}
