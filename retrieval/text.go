package retrieval

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// sameMedia compares the names of two scenes or videos: case does not count,
// and `_` and `-` are equal.
func sameMedia(a, b string) bool {
	return a == b || mediaKey(a) == mediaKey(b)
}

func mediaKey(name string) string {
	return strings.ReplaceAll(cases.Fold().String(norm.NFC.String(strings.TrimSpace(name))), "_", "-")
}

// accepts reports whether a text is one of the accepted ones. If there are
// none, only the moment counts.
func accepts(match AnswerMatch, accepted []string, text string) bool {
	if len(accepted) == 0 {
		return true
	}
	key := answerKey(match, text)
	for _, a := range accepted {
		if answerKey(match, a) == key {
			return true
		}
	}
	return false
}

// answerKey returns what answers are compared by. A text of which folding would
// leave nothing, such as "?", is not folded: else no answer at all would equal it.
func answerKey(match AnswerMatch, text string) string {
	text = norm.NFC.String(strings.TrimSpace(text))
	if match != MatchFolded {
		return text
	}
	folded := strings.Map(func(r rune) rune {
		switch {
		case r == 'đ':
			return 'd'
		case unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFKD.String(cases.Fold().String(norm.NFKD.String(text))))
	if folded == "" {
		return text
	}
	return folded
}
