package webui

import (
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Wrong tokens from one address: some at once, then one a second.
const (
	guessesAtOnce  = 10
	guessesASecond = 1
	maxAddresses   = 10000 // that are remembered; then all are forgotten
)

// limiter bounds how often an address may try to sign in.
type limiter struct {
	mu        *sync.Mutex
	addresses map[string]*rate.Limiter
}

func newLimiter() limiter { return limiter{&sync.Mutex{}, map[string]*rate.Limiter{}} }

func (l limiter) allow(r *http.Request, now time.Time) bool {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.addresses) > maxAddresses {
		clear(l.addresses)
	}
	known := l.addresses[address]
	if known == nil {
		known = rate.NewLimiter(guessesASecond, guessesAtOnce)
		l.addresses[address] = known
	}
	return known.AllowN(now, 1)
}
