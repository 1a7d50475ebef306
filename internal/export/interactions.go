package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"scorebook/contest"
	"scorebook/internal/keep"
)

// interaction is a line of the logs of clients.
type interaction struct {
	Received time.Time       `json:"received"`
	Team     contest.TeamID  `json:"team_id"`
	Name     string          `json:"team_name"`
	Kind     keep.Kind       `json:"kind"`
	Log      json.RawMessage `json:"log"`
}

// Interactions writes the logs that clients sent as JSON lines, in the order of
// their arrival, with the names that teams have now.
func Interactions(ctx context.Context, w io.Writer, store keep.Store, state *contest.State) error {
	names := map[contest.TeamID]string{}
	for _, team := range state.Teams() {
		names[team.ID] = team.Name
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for log, err := range store.Interactions(ctx) {
		if err != nil {
			return err
		}
		if err := out.Encode(interaction{log.At, log.Team, names[log.Team], log.Kind, json.RawMessage(log.Body)}); err != nil {
			return fmt.Errorf("a log of %s: %w", log.Team, err)
		}
	}
	return nil
}
