package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"scorebook/contest"
	"scorebook/internal/journal"
)

const (
	// The row of the contest is the lock of its journal. Numbers are given while
	// it is held, so that they are dense and in the order of the commits: who has
	// read up to a number has seen all before it.
	lockSQL        = "SELECT seq, at_ns, hash FROM scorebook_contest WHERE name = $1 FOR UPDATE"
	headSQL        = "SELECT seq, at_ns, hash FROM scorebook_contest WHERE name = $1"
	recordsSQL     = "SELECT seq, at_ns, kind, version, data, hash FROM scorebook_journal WHERE contest = $1 AND seq > $2 ORDER BY seq LIMIT $3"
	appendSQL      = "INSERT INTO scorebook_journal (contest, seq, at_ns, kind, version, data, hash) SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::integer[], $6::text[], $7::bytea[])"
	moveSQL        = "UPDATE scorebook_contest SET seq = $2, at_ns = $3, hash = $4 WHERE name = $1"
	notifySQL      = "SELECT pg_notify($1, $2)"
	journalChannel = "scorebook"
)

// Turn implements [journal.Shared]. It takes two round trips: one to lock, and
// one to append and commit.
func (p *Postgres) Turn(ctx context.Context, after contest.Seq, decide journal.Decide) (records []journal.Record, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), turnTime) // what was begun is finished
	defer cancel()
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return nil, p.fault(err)
	}
	defer conn.Release()
	var decided error
	records, err = p.turn(ctx, conn, after, func(news []journal.Record) (events []contest.Recorded, err error) {
		events, decided = decide(news)
		return events, decided
	})
	if err != nil {
		// The server ends the transaction when it is asked to or the connection is
		// gone, whatever it was in the midst of.
		if _, undone := conn.Exec(ctx, "ROLLBACK"); undone != nil {
			err = errors.Join(err, conn.Conn().Close(ctx))
		}
	}
	var wrong *chainError
	switch {
	case decided != nil:
		return nil, decided
	case errors.As(err, &wrong):
		return nil, wrong.error
	}
	return records, p.fault(err)
}

// chainError is what is wrong with events, and not with the database.
type chainError struct{ error }

func (p *Postgres) turn(ctx context.Context, conn *pgxpool.Conn, after contest.Seq, decide journal.Decide) ([]journal.Record, error) {
	var lock pgx.Batch
	var last journal.Record
	lock.Queue("BEGIN")
	lock.Queue(lockSQL, p.contest).QueryRow(func(row pgx.Row) (err error) {
		last, err = scanHead(row)
		return err
	})
	if err := conn.SendBatch(ctx, &lock).Close(); err != nil {
		return nil, err
	}
	var news []journal.Record
	switch {
	case last.Seq < after:
		return nil, fmt.Errorf("the journal ends with record %d, and record %d was there before: the database is an older copy, stop all servers and look", last.Seq, after)
	case last.Seq > after:
		for from := after; from < last.Seq; from = news[len(news)-1].Seq {
			page, err := p.records(ctx, conn, from)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				return nil, fmt.Errorf("the journal has no record behind %d, expected %d: it was changed", from, last.Seq)
			}
			news = append(news, page...)
		}
	}
	events, err := decide(news)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		_, err := conn.Exec(ctx, "ROLLBACK")
		return nil, err
	}
	records, err := journal.Chain(last, events)
	if err != nil {
		return nil, &chainError{err}
	}
	return records, p.commit(ctx, conn, records)
}

// commit appends records in the transaction that holds the lock, and ends it.
func (p *Postgres) commit(ctx context.Context, conn *pgxpool.Conn, records []journal.Record) error {
	n := len(records)
	seqs, times, versions := make([]int64, n), make([]int64, n), make([]int32, n)
	kinds, data, hashes := make([]string, n), make([]string, n), make([][]byte, n)
	for i := range records {
		r := &records[i]
		seqs[i], times[i], kinds[i], versions[i], data[i], hashes[i] = int64(r.Seq), r.At.UnixNano(), r.Kind, int32(r.Version), string(r.Data), r.Hash[:]
	}
	last := &records[n-1]
	var batch pgx.Batch
	batch.Queue(appendSQL, p.contest, seqs, times, kinds, versions, data, hashes)
	batch.Queue(moveSQL, p.contest, int64(last.Seq), last.At.UnixNano(), last.Hash[:])
	batch.Queue(notifySQL, journalChannel, p.contest) // the number is read back
	batch.Queue("COMMIT")
	return conn.SendBatch(ctx, &batch).Close()
}

// Restore implements [journal.Restorer].
func (p *Postgres) Restore(ctx context.Context, records []journal.Record) error {
	if len(records) == 0 {
		return nil
	}
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return p.fault(err)
	}
	defer conn.Release()
	var lock pgx.Batch
	var last journal.Record
	lock.Queue("BEGIN")
	lock.Queue(lockSQL, p.contest).QueryRow(func(row pgx.Row) (err error) {
		last, err = scanHead(row)
		return err
	})
	if err = conn.SendBatch(ctx, &lock).Close(); err == nil {
		if err = journal.Follow(last, records); err == nil {
			err = p.commit(ctx, conn, records)
		}
	}
	if err != nil {
		_ = conn.Conn().Close(ctx) // which ends the transaction
	}
	return p.fault(err)
}

func scanHead(row pgx.Row) (last journal.Record, err error) {
	var seq, at int64
	var hash []byte
	if err = row.Scan(&seq, &at, &hash); err == nil && seq > 0 {
		last.Seq, last.At = contest.Seq(seq), time.Unix(0, at).UTC()
		err = readHash(&last, hash)
	}
	return last, err
}

// Append implements [journal.Log].
func (p *Postgres) Append(ctx context.Context, previous contest.Seq, events []contest.Recorded) ([]journal.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	head, _, err := p.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head != previous {
		return nil, &journal.ConflictError{Found: head, Expected: previous}
	}
	return p.Turn(ctx, previous, func(news []journal.Record) ([]contest.Recorded, error) {
		if n := len(news); n > 0 {
			return nil, &journal.ConflictError{Found: news[n-1].Seq, Expected: previous}
		}
		return events, nil
	})
}
