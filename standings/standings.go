// Package standings ranks competitors by their totals. It serves teams of a
// live contest and models of a benchmark alike and does not know who competes.
package standings

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Entry is what a competitor is ranked by.
type Entry struct {
	Name  string
	Total float64       // more is better; ignored if Unranked
	Time  time.Duration // less is better among equal totals; 0 where time plays no part
	// Unranked competitors have no total that may be compared. They come last.
	Unranked bool
}

// Row is a competitor's line of the table.
type Row struct {
	Entry
	Rank int  // from 1; 0 means unranked
	Tied bool // another row has the same rank
}

// Rank orders competitors by total, best first, and equal totals by time. Those
// equal in both share the best of their places, and the next rank leaves room
// for them: 1, 2, 2, 4. Rows of one rank, and the unranked ones at the end,
// stand in the order of their names.
func Rank(entries []Entry) []Row {
	rows := make([]Row, len(entries))
	for i, e := range entries {
		rows[i].Entry = e
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if a.Unranked != b.Unranked {
			if a.Unranked {
				return 1
			}
			return -1
		}
		if !a.Unranked {
			if c := better(a.Entry, b.Entry); c != 0 {
				return c
			}
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i := range rows {
		row := &rows[i]
		if row.Unranked {
			break
		}
		row.Rank = i + 1
		if i > 0 && better(rows[i-1].Entry, row.Entry) == 0 {
			row.Rank = rows[i-1].Rank
			row.Tied, rows[i-1].Tied = true, true
		}
	}
	return rows
}

// better compares what two ranked competitors are ranked by, the better first.
func better(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Time, b.Time))
}
