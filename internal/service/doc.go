// Package service runs a contest: it takes commands, has them decided one after
// the other, makes the outcome durable, and only then answers.
//
// One goroutine, the sequencer, is the only writer. It takes all commands that
// are waiting as one batch, decides each in turn, appends all their events to
// the journal in one transaction, and answers them all. Readers work on a second
// state that holds only what is durable, so they never see what could still be
// lost and never make the sequencer wait.
package service
