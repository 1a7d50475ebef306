package standings

import (
	"cmp"
	"slices"
	"strings"
)

// Point is where a competitor stands after a change of its total.
type Point struct {
	Entry     // after the change
	Rank  int // from 1; unranked competitors have 0
}

// Series returns, for each change in turn, the rank of the competitor that it
// belongs to. A change holds the competitor's new total and time. Who had no
// change yet is taken to have no points and no time.
func Series(changes []Entry) []Point {
	points := make([]Point, len(changes))
	now := map[string]Entry{} // by name
	var order []Entry         // the ranked ones of now, best first
	place := func(a, b Entry) int { return cmp.Or(better(a, b), strings.Compare(a.Name, b.Name)) }
	for i, change := range changes {
		if old, ok := now[change.Name]; ok && !old.Unranked {
			at, _ := slices.BinarySearchFunc(order, old, place)
			order = slices.Delete(order, at, at+1)
		}
		now[change.Name] = change
		points[i].Entry = change
		if change.Unranked {
			continue
		}
		ahead, _ := slices.BinarySearchFunc(order, change, better)
		points[i].Rank = ahead + 1
		at, _ := slices.BinarySearchFunc(order, change, place)
		order = slices.Insert(order, at, change)
	}
	return points
}
