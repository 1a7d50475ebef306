package strict

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the candidate that name was probably meant to be: the one
// with the fewest edits, if they are few for the length of the name. Case does
// not count as an edit. The first of equally near candidates wins.
func Nearest(name string, candidates []string) (string, bool) {
	const longest = 200 // the comparison takes time in the square of the length
	const most = 5000   // more candidates take too long, and few of them are mistyped
	if name == "" || len(name) > longest || len(candidates) > most {
		return "", false
	}
	best, least := "", 1+(len(name)+1)/3
	for _, c := range candidates {
		if len(c) > len(name)+least || len(name) > len(c)+least {
			continue
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best, best != ""
}
