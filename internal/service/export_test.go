package service

import "runtime"

// Queued returns when n commands wait for the sequencer.
func (s *Service) Queued(n int) {
	for len(s.queue) < n {
		runtime.Gosched()
	}
}
