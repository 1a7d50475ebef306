package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Closed is what clients saw who each wait for a reply before they ask again.
type Closed struct {
	Requests int
	Took     time.Duration
	Times    []time.Duration // of each request, ascending
}

// PerSecond is the throughput.
func (c *Closed) PerSecond() float64 { return float64(c.Requests) / c.Took.Seconds() }

// Percentile returns the time within which a share of the requests was answered.
func (c *Closed) Percentile(share float64) time.Duration {
	if len(c.Times) == 0 {
		return 0
	}
	return c.Times[min(len(c.Times)-1, int(share*float64(len(c.Times))))]
}

// ClosedLoop asks over so many connections for a time. Request returns what is
// written on a connection for the n-th request, ready as bytes: a client that
// costs little leaves the machine to the server.
func ClosedLoop(ctx context.Context, host string, connections int, lasting time.Duration, request func(n int) []byte) (*Closed, error) {
	var n atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	result := &Closed{}
	var failed error
	began := time.Now()
	for range connections {
		all.Go(func() {
			times, err := ask(ctx, host, began.Add(lasting), func() []byte { return request(int(n.Add(1))) })
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			result.Times = append(result.Times, times...)
		})
	}
	all.Wait()
	result.Took, result.Requests = time.Since(began), len(result.Times)
	slices.Sort(result.Times)
	return result, failed
}

func ask(ctx context.Context, host string, until time.Time, request func() []byte) (times []time.Duration, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close() //nolint:errcheck // only read
	reader := bufio.NewReader(conn)
	for now := time.Now(); now.Before(until); {
		if _, err := conn.Write(request()); err != nil {
			return times, err
		}
		if err := readReply(reader); err != nil {
			return times, err
		}
		after := time.Now()
		times = append(times, after.Sub(now))
		now = after
	}
	return times, nil
}

// readReply reads a reply with the status 200 and a Content-Length, and nothing of
// it is kept.
func readReply(reader *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("found the status line %.200q", line)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
		}
		if len(line) == 0 {
			break
		}
	}
	if length < 0 {
		return errors.New("found a reply without a Content-Length")
	}
	_, err := reader.Discard(length)
	return err
}
