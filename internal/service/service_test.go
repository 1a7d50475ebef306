package service_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

var errDisk = errors.New("no space left on device")

// fickle is a journal whose next appends can be held up or made to fail.
type fickle struct {
	journal.Log
	mu     sync.Mutex
	hold   chan struct{} // if not nil, Append waits until it is closed
	fail   bool          // Append fails
	after  bool          // and writes all the same
	waits  chan struct{} // told when an Append waits
	writes []int         // events of each append
}

func (f *fickle) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]journal.Record, error) {
	f.mu.Lock()
	hold, fail, after := f.hold, f.fail, f.after
	f.writes = append(f.writes, len(events))
	f.mu.Unlock()
	if hold != nil {
		f.waits <- struct{}{}
		<-hold
	}
	if fail && !after {
		return nil, errDisk
	}
	records, err := f.Log.Append(ctx, previous, events)
	if fail {
		return nil, errDisk
	}
	return records, err
}

func (f *fickle) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

var opening = contest.Open{
	Contest: "c", Settings: contest.DefaultSettings(), Rules: preset("aic2025"),
	Questions: []retrieval.Question{{ID: "1", Type: retrieval.KIS, Video: "V1", Events: []retrieval.Event{{Start: 1000, End: 2000}}}},
}

func preset(name string) retrieval.Ruleset {
	r, ok := retrieval.Preset(name)
	if !ok {
		panic(name)
	}
	return r
}

// start runs a contest with teams whose first question runs since ten seconds.
func start(t *testing.T, teams int) (*service.Service, *fickle) {
	t.Helper()
	log := &fickle{Log: journal.NewMemory(), waits: make(chan struct{}, 100)}
	s, err := service.New(t.Context(), log, opening, service.Options{Now: func() time.Time { return epoch.Add(10 * time.Second) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for i := range teams {
		do(t, s, contest.Register{ID: team(i), Name: fmt.Sprint("Team ", i), TokenHash: service.HashToken(fmt.Sprint("token ", i)), Organiser: true})
	}
	do(t, s, contest.Start{Question: "1"})
	return s, log
}

func team(i int) contest.TeamID { return contest.TeamID(fmt.Sprint("t", i)) }

func do(t *testing.T, s *service.Service, command contest.Command) service.Outcome {
	t.Helper()
	outcome, err := s.Do(t.Context(), command, epoch)
	if err != nil {
		t.Fatalf("%#v: %v", command, err)
	}
	return outcome
}

func answer(id contest.TeamID, value float64) contest.Submit {
	return contest.Submit{
		Team: id, Question: "1", Arrived: epoch.Add(10 * time.Second), Body: fmt.Sprint(value),
		Answer: retrieval.Answer{Video: "V1", Values: []float64{value}},
	}
}

func own(s *service.Service, id contest.TeamID) (result contest.Result) {
	s.Read(func(state *contest.State) { _, result = state.Own(id, "1") })
	return result
}

func TestConcurrentWrongOnesAreAllCounted(t *testing.T) {
	s, _ := start(t, 1)
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if _, err := s.Do(t.Context(), answer(team(0), 9e6), epoch); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := own(s, team(0)); got.Wrong != 200 || got.Attempts != 200 {
		t.Errorf("got %+v", got)
	}
}

func TestConcurrentRightOnesGiveOneScore(t *testing.T) {
	s, _ := start(t, 1)
	var all sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 20 {
		all.Go(func() {
			_, err := s.Do(t.Context(), answer(team(0), 1500), epoch)
			var reject *contest.Reject
			switch {
			case errors.As(err, &reject) && reject.Code == contest.AlreadyCompleted && reject.Standing.Score == own(s, team(0)).Score:
				mu.Lock()
				refused++
				mu.Unlock()
			case err != nil:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := own(s, team(0)); got.Attempts != 1 || refused != 19 {
		t.Errorf("got %+v, %d refused", got, refused)
	}
}

// Commands that share a transaction make happen what they would one by one.
func TestBatchEqualsItsMembers(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		command := rapid.Custom(func(r *rapid.T) contest.Command {
			switch rapid.IntRange(0, 12).Draw(r, "command") {
			case 0:
				return contest.Stop{}
			case 1:
				return contest.Start{Question: "1", Restart: rapid.Bool().Draw(r, "restart")}
			case 2:
				return contest.Start{Question: "x"}
			case 3:
				return contest.Ban{Team: team(rapid.IntRange(0, 3).Draw(r, "banned")), Banned: rapid.Bool().Draw(r, "ban")}
			}
			submit := answer(team(rapid.IntRange(0, 3).Draw(r, "team")), rapid.SampledFrom([]float64{9e6, 1500, 2100}).Draw(r, "value"))
			submit.Key = rapid.SampledFrom([]string{"", "", submit.Body}).Draw(r, "key")
			return submit
		})
		compareBatch(t, rapid.SliceOfN(command, 1, 40).Draw(r, "commands"))
	})
}

// compareBatch runs commands one by one and as one batch.
func compareBatch(t *testing.T, commands []contest.Command) {
	single, _ := start(t, 4)
	defer single.Close()
	for _, c := range commands {
		_, err := single.Do(t.Context(), c, epoch)
		if reject := (*contest.Reject)(nil); err != nil && !errors.As(err, &reject) {
			t.Fatal(err)
		}
	}

	batched, log := start(t, 5)
	defer batched.Close()
	hold := make(chan struct{})
	log.set(func() { log.hold, log.writes = hold, nil })
	var all sync.WaitGroup
	all.Go(func() { do(t, batched, contest.Ban{Team: team(4), Banned: true}) })
	<-log.waits // the sequencer is busy with it
	for i, c := range commands {
		all.Go(func() { _, _ = batched.Do(t.Context(), c, epoch) })
		batched.Queued(i + 1) // in this order
	}
	log.set(func() { log.hold = nil })
	close(hold)
	all.Wait()

	want, got := single.Snapshot().Public, batched.Snapshot().Public
	for i := range want.Rows {
		for j := range want.Rows[i].Cells { // the numbers are others: what does not depend on each other may change places
			want.Rows[i].Cells[j].Scoring, got.Rows[i].Cells[j].Scoring = 0, 0
		}
		if fmt.Sprint(want.Rows[i]) != fmt.Sprint(got.Rows[i]) {
			t.Errorf("one by one: %+v\nas a batch: %+v", want.Rows[i], got.Rows[i])
		}
	}
}

// What several teams send at once is one transaction, and what one team sends at
// once does not hold the others up.
func TestTeamsShareATransaction(t *testing.T) {
	s, log := start(t, 50)
	hold := make(chan struct{})
	log.set(func() { log.hold, log.writes = hold, nil })
	var all sync.WaitGroup
	all.Go(func() { do(t, s, answer(team(0), 9e6)) })
	<-log.waits // the sequencer is busy with it
	n := 0
	send := func(i int) {
		all.Go(func() { do(t, s, answer(team(i), 9e6)) })
		n++
		s.Queued(n)
	}
	for range 3 {
		send(0)
	}
	for i := range 50 {
		send(i)
	}
	log.set(func() { log.hold = nil })
	close(hold)
	all.Wait()
	if got := fmt.Sprint(log.writes); got != "[1 50 1 1 1]" {
		t.Errorf("appends of %s events", got)
	}
}

func TestFailingJournalLosesNothingAcknowledged(t *testing.T) {
	for name, written := range map[string]bool{"not written": false, "written, and not known": true} {
		t.Run(name, func(t *testing.T) {
			s, log := start(t, 2)
			do(t, s, answer(team(0), 1500))
			log.set(func() { log.fail, log.after = true, written })
			submit := answer(team(1), 1500)
			submit.Key = "k"
			if _, err := s.Do(t.Context(), submit, epoch); !errors.Is(err, service.ErrUnavailable) || !errors.Is(err, errDisk) {
				t.Fatalf("got %v", err)
			}
			if s.Healthy() {
				t.Error("the service calls itself healthy")
			}
			log.set(func() { log.fail = false })
			if _, err := s.Do(t.Context(), submit, epoch); err != nil {
				t.Fatalf("afterwards: %v", err)
			}
			if !s.Healthy() && !written {
				t.Error("the service still calls itself unhealthy")
			}
			for i := range 2 {
				if got := own(s, team(i)); got.Attempts != 1 || got.Score == 0 {
					t.Errorf("team %d: %+v", i, got)
				}
			}
			if _, err := service.Verify(t.Context(), log); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRestartContinues(t *testing.T) {
	log := journal.NewMemory()
	now := epoch
	options := service.Options{Now: func() time.Time { return now }}
	s, err := service.New(t.Context(), log, opening, options)
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, contest.Register{ID: "a", Name: "A", TokenHash: service.HashToken("secret")})
	do(t, s, contest.Start{Question: "1"})
	do(t, s, answer("a", 9e6))
	before := s.Snapshot()
	s.Close()
	if _, err := s.Do(t.Context(), contest.Stop{}, now); !errors.Is(err, service.ErrUnavailable) {
		t.Errorf("a closed service answers %v", err)
	}
	now = now.Add(20 * time.Second)
	other := opening
	other.Contest = "another"
	again, err := service.New(t.Context(), log, other, options)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if after := again.Snapshot(); fmt.Sprint(after.Jury) != fmt.Sprint(before.Jury) {
		t.Errorf("before %+v\nafter %+v", before.Jury, after.Jury)
	}
	if got := again.Snapshot().Active.Remaining(again.Now()); got != 280*time.Second {
		t.Errorf("%v remain", got)
	}
	if found, ok := again.TeamByToken("secret"); !ok || found.ID != "a" {
		t.Error("the token no longer works")
	}
	again.Read(func(state *contest.State) {
		if state.Contest() != "c" {
			t.Errorf("the contest is %q", state.Contest())
		}
	})
}

// The default clock is never behind the journal, whatever the wall clock says.
func TestClockIsNotBehindTheJournal(t *testing.T) {
	log := journal.NewMemory()
	future := time.Now().Add(time.Hour)
	s, err := service.New(t.Context(), log, opening, service.Options{Now: func() time.Time { return future }})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	s, err = service.New(t.Context(), log, opening, service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	last := s.Now()
	for range 1000 {
		now := s.Now()
		if now.Before(future) || now.Before(last) {
			t.Fatalf("the clock says %v after %v and %v", now, future, last)
		}
		last = now
	}
}

func TestWaitAndSnapshot(t *testing.T) {
	s, _ := start(t, 1)
	seq := s.Durable()
	first := s.Snapshot()
	if first != s.Snapshot() || first.Seq != seq {
		t.Error("a snapshot was made again without a change")
	}
	renders := 0
	for range 3 {
		first.Rendered("k", func() any { renders++; return renders })
	}
	if renders != 1 {
		t.Errorf("rendered %d times", renders)
	}
	woken := make(chan contest.Seq)
	go func() {
		got, _ := s.Wait(context.Background(), seq)
		woken <- got
	}()
	do(t, s, answer(team(0), 1500))
	if got := <-woken; got != seq+1 {
		t.Errorf("woken at %d", got)
	}
	if second := s.Snapshot(); second.Seq != seq+1 || second.Public.Rows[0].Total == 0 || first.Public.Rows[0].Total != 0 {
		t.Errorf("the snapshots are %+v and %+v", first, second)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Wait(ended, seq+1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRateLimit(t *testing.T) {
	s, _ := start(t, 2)
	allowed := 0
	for range 1000 { // the clock stands
		if s.Allow(team(0)) {
			allowed++
		}
	}
	if allowed != 500 || !s.Allow(team(1)) {
		t.Errorf("%d allowed", allowed)
	}
	settings := contest.DefaultSettings()
	settings.RateBurst = 1
	do(t, s, contest.Configure{Settings: settings})
	if !s.Allow(team(1)) || s.Allow(team(1)) {
		t.Error("another limit does not reach a team that is known")
	}
}
