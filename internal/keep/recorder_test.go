package keep_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/internal/keep"
	"scorebook/internal/keep/keeptest"
)

func recorder(t *testing.T, store keep.Store) *keep.Recorder {
	t.Helper()
	r, err := keep.NewRecorder(t.Context(), store, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func kept(t *testing.T, store keep.Store) (logs []keep.Interaction) {
	t.Helper()
	for log, err := range store.Interactions(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, log)
	}
	return logs
}

// What was taken is written by the time the recorder is closed.
func TestRecorder(t *testing.T) {
	store := keep.NewMemory()
	r := recorder(t, store)
	logs := keeptest.Interactions(600)
	for _, log := range logs {
		if err := r.Add(log); err != nil {
			t.Fatal(err)
		}
	}
	r.Close()
	r.Close()
	if !slices.Equal(kept(t, store), logs) {
		t.Errorf("found %d of %d logs", len(kept(t, store)), len(logs))
	}
	if err := r.Add(logs[0]); !errors.Is(err, keep.ErrFull) {
		t.Errorf("closed, it says %v", err)
	}
}

// What was taken is written without more to come.
func TestRecorderWrites(t *testing.T) {
	store := keep.NewMemory()
	r := recorder(t, store)
	if err := r.Add(keeptest.Interactions(1)[0]); err != nil {
		t.Fatal(err)
	}
	for len(kept(t, store)) == 0 {
		time.Sleep(10 * time.Millisecond) // until the test's own time is over
	}
}

// A team that sends too much does not keep others from sending.
func TestRecorderBounds(t *testing.T) {
	store := &stuck{Memory: keep.NewMemory(), free: make(chan struct{})}
	r := recorder(t, store)
	log, other := keeptest.Interactions(2)[0], keeptest.Interactions(2)[1]
	n := 0
	for ; r.Add(log) == nil; n++ {
	}
	if n < 100 || n > 1000 {
		t.Errorf("a team may send %d logs at once", n)
	}
	if err := r.Add(other); err != nil {
		t.Errorf("another team is told %v", err)
	}
	log.Body = strings.Repeat("x", keep.MaxBody)
	log.At = log.At.Add(time.Hour)
	var err error
	for n = 0; err == nil; n++ {
		err = r.Add(log)
	}
	if !errors.Is(err, keep.ErrTooOften) || n > 40 { // what waits is bounded
		t.Errorf("after %d long logs: %v", n, err)
	}
	log.Body += "x"
	if err := r.Add(log); !errors.Is(err, keep.ErrFull) {
		t.Errorf("a log that is too long: %v", err)
	}
	close(store.free)
	r.Close()

	// What a team has is counted across restarts.
	again := recorder(t, store)
	log.Body = log.Body[1:]
	for n = 0; n < 100; n++ {
		log.At = log.At.Add(time.Second)
		if err = again.Add(log); errors.Is(err, keep.ErrFull) {
			break
		}
		if err != nil { // what waits is being written
			time.Sleep(time.Millisecond)
			n--
		}
	}
	if n >= 64 || n < 20 {
		t.Errorf("a team may keep %d long logs more", n)
	}
}

// stuck is a store on a disk that does not answer until it is free.
type stuck struct {
	*keep.Memory
	free chan struct{}
}

func (s *stuck) AddInteractions(ctx context.Context, logs []keep.Interaction) error {
	<-s.free
	return s.Memory.AddInteractions(ctx, logs)
}

// A disk that fails loses logs and nothing else.
func TestRecorderFails(t *testing.T) {
	r := recorder(t, failing{keep.NewMemory()})
	if err := r.Add(keeptest.Interactions(1)[0]); err != nil {
		t.Error(err)
	}
	r.Close()
}

type failing struct{ *keep.Memory }

func (failing) AddInteractions(context.Context, []keep.Interaction) error {
	return errors.New("no space left on device")
}
