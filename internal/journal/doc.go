// Package journal keeps what happened in a contest: an append-only log of
// events, each with a hash over itself and the one before, so that a record
// that was changed, removed or put in later is found.
package journal
