// Package live keeps pages and programs up to date: it knows which rows of a
// table changed since a client saw it, and holds the event streams open on which
// that is told.
package live
