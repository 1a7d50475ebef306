package store

import (
	"context"
	"errors"
	"iter"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// querier is a connection, or a pool of them.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// records returns a page of records behind a number.
func (p *Postgres) records(ctx context.Context, from querier, after contest.Seq) ([]journal.Record, error) {
	const pageSize = 2000
	rows, err := from.Query(ctx, recordsSQL, p.contest, int64(min(after, math.MaxInt64)), pageSize)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r journal.Record, err error) {
		var seq, at int64
		var data string
		var hash []byte
		var version int32
		if err = row.Scan(&seq, &at, &r.Kind, &version, &data, &hash); err == nil {
			r.Seq, r.At, r.Version, r.Data = contest.Seq(seq), time.Unix(0, at).UTC(), int(version), []byte(data)
			err = readHash(&r, hash)
		}
		return r, err
	})
}

// Read implements [journal.Log].
func (p *Postgres) Read(ctx context.Context, after contest.Seq) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for {
			page, err := p.records(ctx, p.pool, after)
			if err != nil {
				yield(journal.Record{}, p.ended(ctx, err))
				return
			}
			for _, record := range page {
				if err := ctx.Err(); err != nil {
					yield(journal.Record{}, err)
					return
				}
				if !yield(record, nil) {
					return
				}
				after = record.Seq
			}
			if len(page) == 0 {
				return
			}
		}
	}
}

// ended prefers the context's error to what it made of a query.
func (p *Postgres) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && !p.closed.Load() {
		return errors.Join(ctx.Err(), err)
	}
	return p.fault(err)
}

// Head implements [journal.Log].
func (p *Postgres) Head(ctx context.Context) (contest.Seq, journal.Hash, error) {
	last, err := scanHead(p.pool.QueryRow(ctx, headSQL, p.contest))
	if err != nil {
		return 0, journal.Hash{}, p.ended(ctx, err)
	}
	return last.Seq, last.Hash, nil
}

// Watch implements [journal.Shared]: it listens to what other processes tell, and
// looks by itself every second in case that gets lost.
func (p *Postgres) Watch(ctx context.Context, changed func()) {
	backoff := 50 * time.Millisecond
	for ctx.Err() == nil {
		if p.listen(ctx, changed, func() { backoff = 50 * time.Millisecond }) != nil && ctx.Err() == nil {
			changed() // that the database does not answer is seen by asking it
		}
		select {
		case <-time.After(backoff):
		case <-ctx.Done():
		}
		backoff = min(2*backoff, maxBackoff)
	}
}

// listen calls changed for each notification and each second, until the
// connection is gone.
func (p *Postgres) listen(ctx context.Context, changed, connected func()) error {
	config := p.pool.Config().ConnConfig.Copy()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it only listened
	if _, err := conn.Exec(ctx, "LISTEN "+journalChannel); err != nil {
		return err
	}
	connected()
	for {
		changed()
		for {
			waiting, cancel := context.WithTimeout(ctx, pollTime)
			told, err := conn.WaitForNotification(waiting)
			cancel()
			if err != nil && waiting.Err() == nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			if err != nil || told.Payload == p.contest {
				break
			}
		}
	}
}

// Clock is how far the clock of the database is ahead of this machine's.
type Clock struct {
	Offset      time.Duration
	Uncertainty time.Duration // the offset may be off by so much
}

// Clock measures the database's clock: of several questions, the one that was
// answered fastest tells most exactly.
func (p *Postgres) Clock(ctx context.Context) (best Clock, err error) {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return best, p.fault(err)
	}
	defer conn.Release()
	best.Uncertainty = math.MaxInt64
	for range 5 {
		var at time.Time
		asked := time.Now()
		if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&at); err != nil {
			return best, p.fault(err)
		}
		took := time.Since(asked)
		if uncertainty := took / 2; uncertainty < best.Uncertainty {
			best = Clock{at.Sub(asked.Add(took / 2)), uncertainty}
		}
	}
	return best, nil
}
