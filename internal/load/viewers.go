package load

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// viewers hold streams of the ranking open.
type viewers struct {
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu    sync.Mutex
	acked map[uint64]time.Time // when a submission was acknowledged, by its event
	seen  []map[uint64]time.Time
	lost  int // streams that ended by themselves
}

// watch opens the streams and returns when each has had its first frame.
func (r *run) watch(ctx context.Context) (*viewers, error) {
	ctx, cancel := context.WithCancel(ctx)
	v := &viewers{cancel: cancel, acked: map[uint64]time.Time{}}
	if r.Viewers > 0 {
		r.Progress("opening %d streams", r.Viewers)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: r.Viewers}}
	ready := make(chan error, r.Viewers)
	gate := make(chan struct{}, 100) // connections that are being made
	for range r.Viewers {
		seen := map[uint64]time.Time{}
		v.seen = append(v.seen, seen)
		v.all.Go(func() {
			gate <- struct{}{}
			told := false
			err := v.follow(ctx, client, r.Base.JoinPath("/events").String(), seen, func() {
				if !told {
					told = true
					<-gate
					ready <- nil
				}
			})
			if !told {
				<-gate
				ready <- err
			}
			if ctx.Err() == nil {
				v.mu.Lock()
				v.lost++
				v.mu.Unlock()
			}
		})
	}
	for range r.Viewers {
		if err := <-ready; err != nil {
			v.leave()
			return nil, fmt.Errorf("open a stream: %w", err)
		}
	}
	return v, nil
}

// follow reads a stream until it ends, and notes when it told of which event.
func (v *viewers) follow(ctx context.Context, client *http.Client, url string, seen map[uint64]time.Time, frame func()) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("found status %s", response.Status)
	}
	lines := bufio.NewReaderSize(response.Body, 16<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull { //nolint:errorlint // it is returned as it is
			return err
		}
		if id, ok := strings.CutPrefix(string(line[:min(len(line), 40)]), "id: "); ok {
			if seq, err := strconv.ParseUint(strings.TrimSpace(id), 10, 64); err == nil {
				v.mu.Lock()
				seen[seq] = time.Now()
				v.mu.Unlock()
				frame()
			}
		}
	}
}

// acknowledged notes when a submission was.
func (v *viewers) acknowledged(receipt string, at time.Time) {
	text, _, _ := strings.Cut(receipt, "-")
	if seq, err := strconv.ParseUint(text, 10, 64); err == nil {
		v.mu.Lock()
		v.acked[seq] = at
		v.mu.Unlock()
	}
}

// settle waits until the last frames have come.
func (v *viewers) settle() {
	if len(v.seen) > 0 {
		time.Sleep(3 * time.Second)
	}
}

func (v *viewers) leave() {
	v.cancel()
	v.all.Wait()
}

// report holds every acknowledged submission against the first frame of each
// viewer that covers it.
func (v *viewers) report() *Viewers {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.seen) == 0 {
		return nil
	}
	events := make([]uint64, 0, len(v.acked))
	for seq := range v.acked {
		events = append(events, seq)
	}
	slices.Sort(events)
	result := &Viewers{Open: len(v.seen), Lost: v.lost}
	var delays []time.Duration
	for _, seen := range v.seen {
		frames := make([]uint64, 0, len(seen))
		for seq := range seen {
			frames = append(frames, seq)
		}
		slices.Sort(frames)
		result.Frames += len(frames)
		next := 0
		for _, seq := range events {
			for next < len(frames) && frames[next] < seq {
				next++
			}
			if next == len(frames) {
				result.Missed++
				continue
			}
			delays = append(delays, max(0, seen[frames[next]].Sub(v.acked[seq])))
		}
	}
	slices.Sort(delays)
	at := func(share float64) float64 {
		if len(delays) == 0 {
			return 0
		}
		return delays[min(len(delays)-1, int(share*float64(len(delays))))].Seconds() * 1e3
	}
	result.P50, result.P99, result.Max = at(0.5), at(0.99), at(1)
	return result
}
