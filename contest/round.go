package contest

import (
	"time"

	"scorebook/retrieval"
)

// Status is where a question stands.
type Status string

// The statuses of a question.
const (
	StatusPending  Status = "pending"  // not started, or reset
	StatusRunning  Status = "running"  // submissions are judged
	StatusBuffer   Status = "buffer"   // the time is over, submissions still count with time factor 0
	StatusEnded    Status = "ended"    // the time is over, or the question was stopped
	StatusRevealed Status = "revealed" // ended, and everybody may see the ground truth
)

// Round is the last round of a question as everybody may see it.
type Round struct {
	Question retrieval.QuestionID
	Number   int // from 1; 0: never started
	Active   bool
	Started  time.Time
	Limit    time.Duration // with extensions
	Buffer   time.Duration
	Ended    time.Time // zero while the round runs
	Revealed bool
	Voided   bool
}

// Status returns where the round stands at a time.
func (r Round) Status(now time.Time) Status {
	switch {
	case r.Number == 0:
		return StatusPending
	case r.Revealed:
		return StatusRevealed
	case !r.Ended.IsZero():
		return StatusEnded
	}
	switch elapsed := now.Sub(r.Started); {
	case elapsed <= r.Limit:
		return StatusRunning
	case elapsed <= r.Limit+r.Buffer:
		return StatusBuffer
	}
	return StatusEnded
}

// Elapsed returns for how long the round has run, or had when it ended.
func (r Round) Elapsed(now time.Time) time.Duration {
	if r.Number == 0 {
		return 0
	}
	if !r.Ended.IsZero() {
		now = r.Ended
	}
	return max(0, now.Sub(r.Started))
}

// Remaining returns what is left of the time limit, without the buffer.
func (r Round) Remaining(now time.Time) time.Duration {
	if r.Number == 0 || !r.Ended.IsZero() {
		return 0
	}
	return max(0, r.Limit-r.Elapsed(now))
}

// Round returns the last round of a question. A question that was reset is as
// one that never started.
func (s *State) Round(id retrieval.QuestionID) Round {
	r := s.rounds[id]
	if r == nil || r.cleared {
		return Round{Question: id}
	}
	return Round{
		Question: id, Number: r.number, Active: r == s.active, Started: r.started,
		Limit: r.limit + r.extended, Buffer: r.buffer, Ended: r.ended, Revealed: r.revealed, Voided: r.voided,
	}
}

// deadline is when the last submission may arrive.
func (r *round) deadline() time.Time { return r.started.Add(r.limit + r.extended + r.buffer) }
