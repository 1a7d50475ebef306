package store

import (
	"context"

	"scorebook/internal/journal"
	"scorebook/internal/keep"
)

// Database holds a contest: its journal, and what is kept beside it.
type Database interface {
	journal.Log
	journal.Restorer
	keep.Store
}

// Open opens the database of an address for writing: a PostgreSQL database, or
// else the path of an SQLite file, which is made if it is missing.
func Open(ctx context.Context, address string) (Database, error) {
	if IsPostgres(address) {
		return OpenPostgres(ctx, address)
	}
	return OpenSQLite(ctx, address, Options{})
}

// OpenReadOnly opens a database that is there, also while servers use it.
func OpenReadOnly(ctx context.Context, address string) (Database, error) {
	if IsPostgres(address) {
		return OpenPostgres(ctx, address)
	}
	return OpenSQLiteReadOnly(ctx, address)
}
