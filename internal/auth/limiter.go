package auth

import (
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Wrong tokens and passwords: some at once, then so many a second, of one claim
// from an address, and of all claims from it.
const (
	guessesAtOnce  = 10
	guessesASecond = 1
	claims         = 10    // times as many in all
	maxGuessers    = 10000 // that are remembered; then all are forgotten
)

// Limiter bounds how often an address may try a wrong token or password of
// somebody. Who has the right one is not to be asked about, where that is known
// at no cost: a hall may be behind one address.
type Limiter struct {
	mu       sync.Mutex
	guessers map[guesser]*rate.Limiter
}

// guesser is an address and whom it claims to be.
type guesser struct{ address, claim string }

// NewLimiter returns a limiter that remembers nobody yet.
func NewLimiter() *Limiter { return &Limiter{guessers: map[guesser]*rate.Limiter{}} }

// Allow reports whether another try to be somebody from the address of a request
// is heard.
func (l *Limiter) Allow(r *http.Request, claim string, now time.Time) bool {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.guessers) > maxGuessers {
		clear(l.guessers)
	}
	return l.limiter(guesser{address, "\x00"}, claims).AllowN(now, 1) && l.limiter(guesser{address, claim}, 1).AllowN(now, 1)
}

func (l *Limiter) limiter(who guesser, times int) *rate.Limiter {
	known := l.guessers[who]
	if known == nil {
		known = rate.NewLimiter(rate.Limit(guessesASecond*times), guessesAtOnce*times)
		l.guessers[who] = known
	}
	return known
}
