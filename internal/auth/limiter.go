package auth

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

// Limiter bounds how often an address may try a wrong token or password. Who has
// the right one is not to be asked about: a hall may be behind one address.
type Limiter struct {
	mu        sync.Mutex
	addresses map[string]*rate.Limiter
}

// NewLimiter returns a limiter that remembers nobody yet.
func NewLimiter() *Limiter { return &Limiter{addresses: map[string]*rate.Limiter{}} }

// Allow reports whether another wrong try from the address of a request is heard.
func (l *Limiter) Allow(r *http.Request, now time.Time) bool {
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
