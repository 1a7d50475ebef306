package service

import (
	"context"
	"io"

	"scorebook/internal/export"
)

// Export writes everything durable for readers; see [export.Zip]. It works on a
// state of its own, so that nothing waits for a slow reader.
func (s *Service) Export(ctx context.Context, w io.Writer, simulated bool) error {
	state, err := Replay(ctx, s.log, nil)
	if err != nil {
		return err
	}
	return export.Zip(ctx, w, s.log, state, simulated)
}
