package standings_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/standings"
)

// The rank of a point is the rank that Rank gives at that moment.
func TestSeriesAgreesWithRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var changes []standings.Entry
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			changes = append(changes, standings.Entry{
				Name:     fmt.Sprint("m", rapid.IntRange(0, 5).Draw(t, "who")),
				Total:    float64(rapid.IntRange(0, 4).Draw(t, "total")),
				Time:     time.Duration(rapid.IntRange(0, 2).Draw(t, "time")),
				Unranked: rapid.IntRange(0, 5).Draw(t, "unranked") == 0,
			})
		}
		now := map[string]standings.Entry{}
		points := standings.Series(changes)
		for i, change := range changes {
			now[change.Name] = change
			var entries []standings.Entry
			for _, entry := range now {
				entries = append(entries, entry)
			}
			for _, row := range standings.Rank(entries) {
				if row.Name == change.Name && (row.Rank != points[i].Rank || points[i].Entry != change) {
					t.Fatalf("change %d: %+v, want rank %d", i, points[i], row.Rank)
				}
			}
		}
	})
}

func TestTimeBreaksTies(t *testing.T) {
	rows := standings.Rank([]standings.Entry{
		{Name: "slow", Total: 5, Time: 3}, {Name: "quick", Total: 5, Time: 2}, {Name: "as quick", Total: 5, Time: 2}, {Name: "best", Total: 6, Time: 9},
	})
	if got, want := render(rows), "1best 2=as quick 2=quick 4slow"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
