package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// ErrUnavailable means that a command may not have been recorded, because the
// journal failed or the service is closing. It may be sent again, with an
// idempotency key if it is a submission.
var ErrUnavailable = errors.New("the journal cannot be written")

// Options are what a service needs besides its journal. Zero values mean the
// defaults.
type Options struct {
	// Now is the clock; it must not run backwards. Default: the process's
	// monotonic clock, started at the wall clock or the journal's last event,
	// whichever is later.
	Now    func() time.Time
	Logger *slog.Logger // default: none
}

// Service is a running contest.
type Service struct {
	log    journal.Log
	now    func() time.Time
	logger *slog.Logger

	queue  chan *request
	closed chan struct{} // no more commands are taken
	done   chan struct{} // the sequencer has ended

	stale  chan struct{} // others have appended to the journal
	shared bool          // other processes may append to it

	head *contest.State // of the sequencer alone; always what is durable

	mu      sync.Mutex // guards the three below
	pending []contest.Recorded
	waiting atomic.Bool // there are some
	durable contest.Seq
	changed chan struct{} // closed and replaced at each change

	viewing sync.RWMutex
	view    *contest.State

	snapshots snapshots
	limiters  sync.Map // contest.TeamID to *rate.Limiter
	Stats     Stats
}

// New reads the journal and starts the service. An empty journal is opened with
// the given command; of one that is not, it is ignored.
func New(ctx context.Context, log journal.Log, open contest.Open, options Options) (*Service, error) {
	s := &Service{
		log: log, now: options.Now, logger: options.Logger,
		queue: make(chan *request, 4096), closed: make(chan struct{}), done: make(chan struct{}), stale: make(chan struct{}, 1),
		changed: make(chan struct{}),
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	// Both states are made of the same events, and so share what is in them.
	s.view = &contest.State{}
	follow := func(_ *contest.State, r contest.Recorded) error { return s.view.Apply(r) }
	var err error
	if s.head, err = Replay(ctx, log, follow); err != nil {
		return nil, err
	}
	if s.now == nil {
		s.now = monotonic(s.head.At())
	}
	if s.head.Seq() == 0 {
		if err := s.open(ctx, open); err != nil {
			return nil, fmt.Errorf("open the contest: %w", err)
		}
	}
	s.durable = s.head.Seq()
	s.Stats.read(s.now(), nil)
	shared, ok := log.(journal.Shared)
	s.shared = ok
	go s.sequence()
	if s.shared {
		watching, stop := context.WithCancel(context.WithoutCancel(ctx))
		go func() { <-s.closed; stop() }()
		go shared.Watch(watching, func() {
			select {
			case s.stale <- struct{}{}:
			default:
			}
		})
	}
	return s, nil
}

// open begins the contest, unless another process has done so meanwhile.
func (s *Service) open(ctx context.Context, open contest.Open) error {
	var news, mine []contest.Recorded
	_, err := journal.Turn(ctx, s.log, 0, func(records []journal.Record) (events []contest.Recorded, err error) {
		news, mine = nil, nil
		for _, record := range records {
			event, err := journal.Decode(record)
			if err != nil {
				return nil, err
			}
			news = append(news, event)
		}
		if len(news) > 0 {
			return nil, nil
		}
		decided, refused := s.head.Decide(open, s.now())
		if refused != nil {
			return nil, refused
		}
		mine = []contest.Recorded{{Seq: 1, At: s.now().UTC(), Event: decided[0]}}
		return mine, nil
	})
	if err != nil {
		return err
	}
	for _, event := range append(news, mine...) {
		if err := errors.Join(s.head.Apply(event), s.view.Apply(event)); err != nil {
			return err
		}
	}
	return nil
}

// monotonic returns a clock that starts at the wall clock, or at least at a
// time, and then neither jumps nor runs backwards whatever the wall clock does.
func monotonic(least time.Time) func() time.Time {
	started := time.Now()
	base := started.Round(0)
	if base.Before(least) {
		base = least
	}
	return func() time.Time { return base.Add(time.Since(started)).UTC() }
}

// Replay returns the state after all events of a journal. See, if not nil, is
// called with every event before it is applied.
func Replay(ctx context.Context, log journal.Log, see func(state *contest.State, r contest.Recorded) error) (*contest.State, error) {
	state := &contest.State{}
	for record, err := range log.Read(ctx, 0) {
		if err != nil {
			return nil, fmt.Errorf("read the journal: %w", err)
		}
		event, err := journal.Decode(record)
		if err != nil {
			return nil, err
		}
		if see != nil {
			if err := see(state, event); err != nil {
				return nil, err
			}
		}
		if err := state.Apply(event); err != nil {
			return nil, fmt.Errorf("the journal cannot be replayed: %w", err)
		}
	}
	return state, nil
}

// Close stops taking commands, answers those that were taken, and returns when
// the sequencer has ended. The journal stays open.
func (s *Service) Close() {
	s.mu.Lock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	s.mu.Unlock()
	<-s.done
}

// Healthy reports whether commands are taken: the service is not closed, and
// the journal could be written the last time it was tried.
func (s *Service) Healthy() bool {
	select {
	case <-s.closed:
		return false
	default:
		return !s.Stats.failing.Load()
	}
}

// Now returns the time of the service's clock, which stamps everything.
func (s *Service) Now() time.Time { return s.now() }

// Read calls a function with the state of everything durable. The function must
// not keep or change the state.
func (s *Service) Read(f func(state *contest.State)) {
	s.catchUp()
	s.viewing.RLock()
	defer s.viewing.RUnlock()
	f(s.view)
}

// catchUp takes what became durable into the view.
func (s *Service) catchUp() {
	if !s.waiting.Load() {
		return
	}
	s.viewing.Lock()
	defer s.viewing.Unlock()
	s.mu.Lock()
	pending := s.pending
	s.pending = nil
	s.waiting.Store(false)
	s.mu.Unlock()
	for _, r := range pending {
		if err := s.view.Apply(r); err != nil {
			panic(fmt.Sprintf("an event that the sequencer applied cannot be applied again: %v", err))
		}
	}
}

// publish hands what became durable to the readers.
func (s *Service) publish(events []contest.Recorded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(s.pending, events...)
	s.waiting.Store(true)
	s.durable = events[len(events)-1].Seq
	close(s.changed)
	s.changed = make(chan struct{})
}

// Durable returns the number of the last durable event.
func (s *Service) Durable() contest.Seq {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.durable
}

// Wait returns the number of the last durable event as soon as it is above
// after, or when the context ends.
func (s *Service) Wait(ctx context.Context, after contest.Seq) (contest.Seq, error) {
	for {
		s.mu.Lock()
		durable, changed := s.durable, s.changed
		s.mu.Unlock()
		if durable > after {
			return durable, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return durable, ctx.Err()
		case <-s.closed:
			return durable, ErrUnavailable
		}
	}
}

// TeamByToken returns the team that a token belongs to.
func (s *Service) TeamByToken(token string) (team contest.Team, ok bool) {
	if token == "" {
		return contest.Team{}, false
	}
	hash := HashToken(token)
	find := func(state *contest.State) { team, ok = state.TeamByToken(hash) }
	s.Read(find)
	if !ok && s.Refresh() {
		s.Read(find)
	}
	return team, ok
}

// Refresh takes in what other processes have appended, if there are any and that
// was not just done. It reports whether it did. It is for what is not found here
// and may be there.
func (s *Service) Refresh() bool {
	const recently, patience = 20 * time.Millisecond, 2 * time.Second
	if !s.shared || s.now().Sub(s.Stats.Synced()) < recently {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.Sync(ctx) == nil
}

// Lag returns for how long the journal has not answered, where other processes
// may have appended to it.
func (s *Service) Lag() time.Duration {
	if !s.shared {
		return 0
	}
	return max(0, s.now().Sub(s.Stats.Synced()))
}

// HashToken returns what is kept of a token or a code: its SHA-256 in
// hexadecimal.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Allow reports whether a team may submit now by the contest's rate limit.
func (s *Service) Allow(team contest.TeamID) bool {
	var settings contest.Settings
	s.Read(func(state *contest.State) { settings = state.Settings() })
	limit, burst := rate.Limit(settings.RatePerSec), settings.RateBurst
	known, ok := s.limiters.Load(team)
	if !ok {
		known, _ = s.limiters.LoadOrStore(team, rate.NewLimiter(limit, burst))
	}
	limiter, now := known.(*rate.Limiter), s.now()
	if limiter.Limit() != limit || limiter.Burst() != burst { // the settings were replaced
		limiter.SetLimitAt(now, limit)
		limiter.SetBurstAt(now, burst)
	}
	return limiter.AllowN(now, 1)
}
