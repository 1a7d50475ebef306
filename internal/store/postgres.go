package store

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"scorebook/internal/journal"
	"scorebook/internal/keep"
)

// Bounds on what may wait for the database. A replica that cannot reach it says so
// after this time, and another one is not held up by it for longer.
const (
	turnTime    = 5 * time.Second
	connectTime = 3 * time.Second
	pollTime    = time.Second // between two looks at the journal if nothing is told
	maxBackoff  = 5 * time.Second
)

// Postgres is a contest in a PostgreSQL database, which any number of processes
// may have open.
type Postgres struct {
	pool    *pgxpool.Pool
	contest string // its name in the database
	where   string // the address without the password, for errors
	closed  atomic.Bool
}

var (
	_ journal.Shared = (*Postgres)(nil)
	_ keep.Store     = (*Postgres)(nil)
)

// IsPostgres reports whether an address is one of a PostgreSQL database.
func IsPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// maxContestName bounds the name of a contest in a database, in bytes.
const maxContestName = 100

// OpenPostgres opens a contest in a database, and makes what it needs there. The
// address is a URL as libpq takes it; its parameter contest names the contest,
// which is main if it is missing.
func OpenPostgres(ctx context.Context, address string) (*Postgres, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address of the database is no URL, expected postgres://user@host/database?contest=NAME") // the error may hold the password
	}
	p := &Postgres{contest: "main", where: u.Redacted()}
	query := u.Query()
	if query.Has("contest") {
		p.contest = query.Get("contest")
		query.Del("contest")
		u.RawQuery = query.Encode()
	}
	if p.contest == "" || len(p.contest) > maxContestName || strings.ContainsFunc(p.contest, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("found the contest %.200q in the address, expected 1 to %d visible ASCII characters", p.contest, maxContestName)
	}
	config, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		return nil, fmt.Errorf("%s: the address of the database cannot be read, expected postgres://user@host/database?contest=NAME", p.where)
	}
	config.ConnConfig.ConnectTimeout = connectTime
	for name, value := range map[string]string{
		"application_name":                    "scorebook",
		"synchronous_commit":                  "on",
		"statement_timeout":                   milliseconds(turnTime),
		"lock_timeout":                        milliseconds(turnTime),
		"idle_in_transaction_session_timeout": milliseconds(turnTime), // of a process that is gone in the midst of a turn
	} {
		if config.ConnConfig.RuntimeParams[name] == "" {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if p.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, p.fault(err)
	}
	if err := p.prepare(ctx); err != nil {
		p.pool.Close()
		return nil, p.fault(err)
	}
	return p, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// postgresMigrations bring a database from the format version that is their index
// to the next. They are never changed, only added to.
var postgresMigrations = []string{
	`CREATE TABLE scorebook_contest (
		name  text PRIMARY KEY,
		seq   bigint NOT NULL DEFAULT 0, -- of the last record
		at_ns bigint NOT NULL DEFAULT 0, -- its time
		hash  bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (length(hash) = 32)
	);
	CREATE TABLE scorebook_journal (
		contest text NOT NULL REFERENCES scorebook_contest,
		seq     bigint NOT NULL CHECK (seq > 0),
		at_ns   bigint NOT NULL, -- nanoseconds since 1970, UTC
		kind    text NOT NULL,
		version integer NOT NULL,
		data    text NOT NULL, -- JSON, byte for byte
		hash    bytea NOT NULL CHECK (length(hash) = 32),
		PRIMARY KEY (contest, seq)
	);
	CREATE FUNCTION scorebook_keep() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'the journal is only appended to'; END $$;
	CREATE TRIGGER scorebook_journal_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON scorebook_journal
		FOR EACH STATEMENT EXECUTE FUNCTION scorebook_keep();
	CREATE TABLE scorebook_password (
		contest text NOT NULL REFERENCES scorebook_contest,
		team    text NOT NULL,
		hash    text NOT NULL,
		PRIMARY KEY (contest, team)
	);
	CREATE TABLE scorebook_interaction (
		contest text NOT NULL REFERENCES scorebook_contest,
		id      bigint GENERATED ALWAYS AS IDENTITY,
		at_ns   bigint NOT NULL,
		team    text NOT NULL,
		kind    text NOT NULL,
		bytes   integer NOT NULL,
		body    text NOT NULL,
		PRIMARY KEY (contest, id)
	);`,
}

// prepare brings the database to the newest format, and makes the contest's row.
// Processes that start at once do so one after the other.
func (p *Postgres) prepare(ctx context.Context) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		lock := fnv.New64a()
		lock.Write([]byte("scorebook migrations"))
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lock.Sum64())); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "CREATE TABLE IF NOT EXISTS scorebook_format (version integer NOT NULL)"); err != nil {
			return err
		}
		var found int
		if err := tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM scorebook_format").Scan(&found); err != nil {
			return err
		}
		if found > len(postgresMigrations) {
			return fmt.Errorf("found format version %d, expected at most %d: a newer scorebook wrote it, use that one", found, len(postgresMigrations))
		}
		for _, migration := range postgresMigrations[found:] {
			if _, err := tx.Exec(ctx, migration); err != nil {
				return err
			}
		}
		if found < len(postgresMigrations) {
			if _, err := tx.Exec(ctx, "DELETE FROM scorebook_format"); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO scorebook_format VALUES ($1)", len(postgresMigrations)); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "INSERT INTO scorebook_contest (name) VALUES ($1) ON CONFLICT DO NOTHING", p.contest)
		return err
	})
}

// Close implements [journal.Log].
func (p *Postgres) Close() error {
	p.closed.Store(true)
	p.pool.Close()
	return nil
}

// fault says in which database something failed.
func (p *Postgres) fault(err error) error {
	switch {
	case err == nil:
		return nil
	case p.closed.Load():
		return journal.ErrClosed
	}
	return fmt.Errorf("%s: %w", p.where, err)
}
