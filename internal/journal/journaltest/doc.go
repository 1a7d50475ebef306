// Package journaltest has the contract of [journal.Log] as tests that every
// implementation passes, and what tests need of journals: events, and a journal
// that fails on demand. It is imported by tests only.
package journaltest
