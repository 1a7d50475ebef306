package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"scorebook/internal/store"
)

// clockTime is between two looks at the clock of a database that is shared.
const clockTime = 10 * time.Second

// setClock makes the clock that of the database, which all servers share.
func (r *running) setClock(ctx context.Context, shared *store.Postgres) error {
	measured, err := shared.Clock(ctx)
	if err != nil {
		return fmt.Errorf("look at the clock of the database: %w", err)
	}
	r.clock.Set(measured.Offset, measured.Uncertainty)
	return nil
}

// follow keeps the clock right and the passwords as other servers have set them.
func (r *running) follow(ctx context.Context, shared *store.Postgres) error {
	for {
		if err := wait(ctx, clockTime); err != nil {
			return err
		}
		if err := r.setClock(ctx, shared); err != nil && ctx.Err() == nil {
			r.logger.Warn("the clock could not be held against the database's", "error", err)
		}
		r.passwords.Refresh(ctx)
	}
}

// shown is the address of a database without its password.
func shown(db string) string {
	if !store.IsPostgres(db) {
		return db
	}
	u, err := url.Parse(db)
	if err != nil {
		return "postgres"
	}
	return u.Redacted()
}
