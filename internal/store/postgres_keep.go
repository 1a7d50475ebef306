package store

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"scorebook/contest"
	"scorebook/internal/keep"
)

// Passwords implements [keep.Store].
func (p *Postgres) Passwords(ctx context.Context) (map[contest.TeamID]string, error) {
	hashes := map[contest.TeamID]string{}
	rows, err := p.pool.Query(ctx, "SELECT team, hash FROM scorebook_password WHERE contest = $1", p.contest)
	if err == nil {
		var team, hash string
		_, err = pgx.ForEachRow(rows, []any{&team, &hash}, func() error {
			hashes[contest.TeamID(team)] = hash
			return nil
		})
	}
	return hashes, p.fault(err)
}

// SetPassword implements [keep.Store].
func (p *Postgres) SetPassword(ctx context.Context, team contest.TeamID, hash string) error {
	_, err := p.pool.Exec(ctx, "INSERT INTO scorebook_password VALUES ($1, $2, $3) ON CONFLICT (contest, team) DO UPDATE SET hash = excluded.hash", p.contest, string(team), hash)
	return p.fault(err)
}

// AddInteractions implements [keep.Store]. Nobody waits for the disk.
func (p *Postgres) AddInteractions(ctx context.Context, logs []keep.Interaction) error {
	n := len(logs)
	times, sizes := make([]int64, n), make([]int32, n)
	teams, kinds, bodies := make([]string, n), make([]string, n), make([]string, n)
	for i, log := range logs {
		times[i], teams[i], kinds[i], sizes[i], bodies[i] = log.At.UnixNano(), string(log.Team), string(log.Kind), int32(len(log.Body)), log.Body
	}
	return p.fault(pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO scorebook_interaction (contest, at_ns, team, kind, bytes, body) SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[])",
			p.contest, times, teams, kinds, sizes, bodies)
		return err
	}))
}

// Sizes implements [keep.Store].
func (p *Postgres) Sizes(ctx context.Context) (map[contest.TeamID]int64, error) {
	sizes := map[contest.TeamID]int64{}
	rows, err := p.pool.Query(ctx, "SELECT team, sum(bytes)::bigint FROM scorebook_interaction WHERE contest = $1 GROUP BY team", p.contest)
	if err == nil {
		var team string
		var size int64
		_, err = pgx.ForEachRow(rows, []any{&team, &size}, func() error {
			sizes[contest.TeamID(team)] = size
			return nil
		})
	}
	return sizes, p.fault(err)
}

// Interactions implements [keep.Store].
func (p *Postgres) Interactions(ctx context.Context) iter.Seq2[keep.Interaction, error] {
	return func(yield func(keep.Interaction, error) bool) {
		for after := int64(0); ; {
			rows, err := p.pool.Query(ctx, "SELECT id, at_ns, team, kind, body FROM scorebook_interaction WHERE contest = $1 AND id > $2 ORDER BY id LIMIT $3", p.contest, after, pageRows)
			var page []keep.Interaction
			if err == nil {
				var at int64
				var team, kind, body string
				_, err = pgx.ForEachRow(rows, []any{&after, &at, &team, &kind, &body}, func() error {
					page = append(page, keep.Interaction{Team: contest.TeamID(team), At: time.Unix(0, at).UTC(), Kind: keep.Kind(kind), Body: body})
					return nil
				})
			}
			if err != nil {
				yield(keep.Interaction{}, p.ended(ctx, err))
				return
			}
			for _, log := range page {
				if !yield(log, nil) {
					return
				}
			}
			if len(page) < pageRows {
				return
			}
		}
	}
}
