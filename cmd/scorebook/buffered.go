package main

import (
	"bufio"
	"bytes"
	"io"
	"sync"
	"time"
)

// buffered is a log that is written a few times a second, so that no request waits
// for who reads it. What is more than information is written at once.
type buffered struct {
	mu      sync.Mutex
	out     *bufio.Writer
	waiting bool
}

const (
	logBuffer = 64 << 10
	logDelay  = 200 * time.Millisecond
)

func newBuffered(out io.Writer) *buffered { return &buffered{out: bufio.NewWriterSize(out, logBuffer)} }

// Write implements io.Writer for one line at a time.
func (b *buffered) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.out.Write(line)
	switch {
	case err != nil:
	case bytes.Contains(line, []byte("level=WARN")), bytes.Contains(line, []byte("level=ERROR")):
		err = b.out.Flush()
	case !b.waiting:
		b.waiting = true
		time.AfterFunc(logDelay, func() { _ = b.Flush() })
	}
	return n, err
}

// Flush writes what waits.
func (b *buffered) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = false
	return b.out.Flush()
}
