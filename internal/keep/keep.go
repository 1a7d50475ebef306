// Package keep holds what is kept beside the journal of a contest: the passwords
// of its teams and the logs of what they did in their clients. No score depends
// on either, so neither is in the journal, which is handed to others whole.
package keep

import (
	"context"
	"errors"
	"iter"
	"time"

	"scorebook/contest"
)

// Store keeps it through restarts. Its methods may be called by several
// goroutines at once.
type Store interface {
	// Passwords returns the hashes of all passwords.
	Passwords(ctx context.Context) (map[contest.TeamID]string, error)
	// SetPassword replaces the hash of a team's password and returns when it is
	// durable.
	SetPassword(ctx context.Context, team contest.TeamID, hash string) error
	// AddInteractions adds logs, all or none. They may be lost if the machine
	// fails within seconds.
	AddInteractions(ctx context.Context, logs []Interaction) error
	// Interactions yields all logs in the order in which they were added. After
	// an error there is nothing more.
	Interactions(ctx context.Context) iter.Seq2[Interaction, error]
	// Sizes returns how many bytes of logs each team has.
	Sizes(ctx context.Context) (map[contest.TeamID]int64, error)
}

// Interaction is a log that a client sent: what its user asked for, or which
// results it showed.
type Interaction struct {
	Team contest.TeamID
	At   time.Time // when it arrived, in UTC
	Kind Kind
	Body string // a JSON object as it was sent, without the team's token
}

// Kind is what a log tells.
type Kind string

// The kinds of logs.
const (
	Query  Kind = "query"  // what was asked for
	Result Kind = "result" // what was shown
)

// Errors of a [Recorder]. Nothing was kept.
var (
	ErrTooOften = errors.New("the team sends logs too often")
	ErrFull     = errors.New("no more logs are kept")
)
