package main

import (
	"slices"
	"strings"

	"scorebook/exam"
	"scorebook/internal/cli"
)

// mappings parses the values of a flag such as --map: WORD=STATUS, or several
// of them with commas between. A word may hold commas and equals signs itself:
// it ends where an equals sign, a status, and a comma or the end follow.
func mappings(flag string, values []string, statuses []string) (map[string]string, error) {
	all := map[string]string{}
	for _, value := range values {
		for rest := value; rest != ""; {
			word, status, after := cutMapping(rest, statuses)
			if status == "" {
				return nil, cli.Usage("--%s %q: expected WORD=STATUS with one of %s", flag, rest, strings.Join(statuses, ", "))
			}
			if before, twice := all[word]; twice && before != status {
				return nil, cli.Usage("--%s: %q is mapped to %s and to %s", flag, word, before, status)
			}
			all[word], rest = status, after
		}
	}
	return all, nil
}

// cutMapping takes the first WORD=STATUS from a text; status is empty if there
// is none.
func cutMapping(text string, statuses []string) (word, status, rest string) {
	for i := range len(text) {
		if text[i] != '=' {
			continue
		}
		found, rest, _ := strings.Cut(text[i+1:], ",")
		if slices.Contains(statuses, found) {
			return text[:i], found, rest
		}
	}
	return "", "", ""
}

// outcomes are the statuses that a table's own words may be mapped to.
var outcomes = append([]string{exam.StatusOK}, exam.Failures...)
