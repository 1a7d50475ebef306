package contest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxNameLength is how many characters a team's name may have.
const MaxNameLength = 120

// CleanName returns a team's name as it is kept, in NFC and with single
// blanks, or what is wrong with it.
func CleanName(name string) (clean, fault string) {
	if !utf8.ValidString(name) {
		return "", "it is not valid UTF-8"
	}
	if len(name) > 16*MaxNameLength {
		return "", "it has more than 120 characters"
	}
	visible := false
	for _, r := range name {
		switch {
		case r == utf8.RuneError:
			return "", "it holds U+FFFD, which stands for a character that was broken on the way"
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029':
			return "", "it holds a control character"
		case unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !blank(r):
			visible = true
		}
	}
	clean = norm.NFC.String(strings.Join(strings.Fields(name), " "))
	switch {
	case !visible:
		return "", "it holds nothing visible"
	case utf8.RuneCountInString(clean) > MaxNameLength:
		return "", "it has more than 120 characters"
	}
	return clean, ""
}

// blank are letters and signs that show nothing.
func blank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u00ad', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// NameKey returns what names are compared by: two names with one key are the
// same to people. Case, compatibility forms and what shows nothing do not count.
func NameKey(name string) string {
	key := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if blank(r) {
			return -1
		}
		return r
	}, key)), " ")
}
