package store

import (
	"context"
	"fmt"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/keep"
)

// Copied says what was copied.
type Copied struct {
	Records, Passwords, Interactions int
	Head                             contest.Seq
	Hash                             journal.Hash
}

// Copy copies everything of a contest into a database that has none. The journal
// is copied record by record as it is, so that every hash and every receipt stays.
func Copy(ctx context.Context, from, to Database) (c Copied, err error) {
	if head, _, err := to.Head(ctx); err != nil || head > 0 {
		if err == nil {
			err = fmt.Errorf("found a contest of %d events where the copy is to go, expected none: give another file, or another contest=NAME", head)
		}
		return c, err
	}
	const batch = 1000
	var records []journal.Record
	flush := func() error {
		err := to.Restore(ctx, records)
		c.Records += len(records)
		records = records[:0]
		return err
	}
	for record, err := range from.Read(ctx, 0) {
		if err != nil {
			return c, err
		}
		if records = append(records, record); len(records) == batch {
			if err := flush(); err != nil {
				return c, err
			}
		}
	}
	if err := flush(); err != nil {
		return c, err
	}
	if c.Passwords, c.Interactions, err = copyKept(ctx, from, to); err != nil {
		return c, err
	}
	c.Head, c.Hash, err = to.Head(ctx)
	return c, err
}

func copyKept(ctx context.Context, from, to keep.Store) (passwords, interactions int, err error) {
	hashes, err := from.Passwords(ctx)
	if err != nil {
		return 0, 0, err
	}
	for team, hash := range hashes {
		if err := to.SetPassword(ctx, team, hash); err != nil {
			return passwords, 0, err
		}
		passwords++
	}
	const batch = 200
	var logs []keep.Interaction
	for log, err := range from.Interactions(ctx) {
		if err != nil {
			return passwords, interactions, err
		}
		if logs = append(logs, log); len(logs) == batch {
			if err := to.AddInteractions(ctx, logs); err != nil {
				return passwords, interactions, err
			}
			interactions += len(logs)
			logs = logs[:0]
		}
	}
	if len(logs) > 0 {
		err = to.AddInteractions(ctx, logs)
	}
	return passwords, interactions + len(logs), err
}
