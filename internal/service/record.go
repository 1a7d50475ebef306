package service

import (
	"context"
	"fmt"

	"scorebook/contest"
	"scorebook/internal/journal"
)

// Record returns the record of an event from the journal.
func (s *Service) Record(ctx context.Context, seq contest.Seq) (journal.Record, error) {
	if seq == 0 || seq > s.Durable() {
		return journal.Record{}, fmt.Errorf("the journal has no event %d", seq)
	}
	for record, err := range s.log.Read(ctx, seq-1) {
		return record, err
	}
	return journal.Record{}, fmt.Errorf("the journal has no event %d", seq)
}
