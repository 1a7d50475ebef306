// Package store keeps journals in databases: the only SQL of the program. Every
// implementation passes the tests of package journaltest.
package store
