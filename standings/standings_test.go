package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/standings"
)

func render(rows []standings.Row) string {
	var parts []string
	for _, r := range rows {
		tied := ""
		if r.Tied {
			tied = "="
		}
		parts = append(parts, fmt.Sprintf("%d%s%s", r.Rank, tied, r.Name))
	}
	return strings.Join(parts, " ")
}

func TestRank(t *testing.T) {
	tests := []struct {
		name    string
		entries []standings.Entry
		want    string
	}{
		{"nobody", nil, ""},
		{"best first", []standings.Entry{{Name: "a", Total: 1}, {Name: "b", Total: 2}}, "1b 2a"},
		{"a tie takes two places", []standings.Entry{{Name: "d", Total: 1}, {Name: "c", Total: 2}, {Name: "b", Total: 2}, {Name: "a", Total: 3}}, "1a 2=b 2=c 4d"},
		{"zero is a total", []standings.Entry{{Name: "a"}, {Name: "b", Unranked: true}}, "1a 0b"},
		{"unranked come last whatever they hold", []standings.Entry{{Name: "z", Total: 9, Unranked: true}, {Name: "b", Total: 1}, {Name: "y", Total: 9, Unranked: true}}, "1b 0y 0z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := render(standings.Rank(test.entries)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRankLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		entries := make([]standings.Entry, n)
		for i := range entries {
			entries[i] = standings.Entry{
				Name:     fmt.Sprint("m", i),
				Total:    float64(rapid.IntRange(0, 4).Draw(t, "total")),
				Unranked: rapid.Bool().Draw(t, "unranked"),
			}
		}
		rows := standings.Rank(entries)
		for _, r := range rows {
			better := 0
			for _, o := range entries {
				if !o.Unranked && o.Total > r.Total {
					better++
				}
			}
			if !r.Unranked && r.Rank != better+1 {
				t.Fatalf("%s has rank %d with %d better ones", r.Name, r.Rank, better)
			}
		}
		shuffled := rapid.Permutation(entries).Draw(t, "shuffled")
		if again := standings.Rank(shuffled); !slices.Equal(rows, again) {
			t.Fatalf("another order gives %q, not %q", render(again), render(rows))
		}
	})
}
