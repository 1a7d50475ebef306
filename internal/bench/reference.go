// Package bench holds what the speed of a server is measured against, and the
// clients that measure it. It is imported by benchmarks only.
package bench

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

// recordSize is how much the reference writes for a submission, in bytes.
const recordSize = 256

// Reference serves the least that a server of submissions can do: it reads the
// JSON, appends 256 bytes to a file with all others that wait, returns when they
// are on the disk, and replies. What it can do in a second is what the machine can.
func Reference(ctx context.Context, listener net.Listener, path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	queue := make(chan chan error, 4096)
	go commit(ctx, file, queue)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /submit", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			AnswerSets []struct {
				Answers []struct {
					Media string  `json:"mediaItemName"`
					Start float64 `json:"start"`
				} `json:"answers"`
			} `json:"answerSets"`
		}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		done := make(chan error, 1)
		queue <- done
		if err := <-done; err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"success":true,"correctness":"incorrect","score":0}`))
	})
	// The least that a server of one page can do: what was put there is written.
	var page atomic.Pointer[[]byte]
	mux.HandleFunc("PUT /page", func(_ http.ResponseWriter, r *http.Request) {
		if text, err := io.ReadAll(r.Body); err == nil {
			page.Store(&text)
		}
	})
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		text := *page.Load()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return server.Serve(listener)
}

// commit writes what waits, all of it at once.
func commit(ctx context.Context, file *os.File, queue <-chan chan error) {
	for {
		var waiting []chan error
		select {
		case first := <-queue:
			waiting = append(waiting, first)
		case <-ctx.Done():
			return
		}
		for more := true; more && len(waiting) < 1024; {
			select {
			case next := <-queue:
				waiting = append(waiting, next)
			default:
				more = false
			}
		}
		_, err := file.Write(make([]byte, recordSize*len(waiting)))
		if err == nil {
			err = datasync(file)
		}
		for _, done := range waiting {
			done <- err
		}
	}
}
