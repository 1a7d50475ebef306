package retrieval

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Media are the names of videos that a contest knows. They serve to tell where
// a name begins in a text; which of them is right for a question plays no part.
type Media struct {
	known []mediaName // longest first
}

// mediaName is a way to write a video's name.
type mediaName struct {
	name         string
	key          string // as long as name
	scene, video string
}

// NewMedia returns the names of the videos of all questions: scene and video
// together, and the video alone.
func NewMedia(questions []Question) *Media {
	m := &Media{}
	seen := map[string]bool{}
	add := func(name, scene, video string) {
		if name != "" && !seen[name] {
			seen[name] = true
			m.known = append(m.known, mediaName{name, suffixKey(name), scene, video})
		}
	}
	for _, q := range questions {
		video := withoutExtension(q.Video)
		for _, name := range []string{video, withoutFolder(video)} {
			if q.Scene != "" {
				add(norm.NFC.String(q.Scene)+"_"+name, q.Scene, q.Video)
			}
			add(name, "", q.Video)
		}
	}
	slices.SortStableFunc(m.known, func(a, b mediaName) int { return cmp.Compare(len(b.name), len(a.name)) })
	return m
}

// suffixKey returns what names are compared by, byte for byte as long as the
// name: ASCII letters in lower case, and `_` as `-`.
func suffixKey(name string) string {
	key := []byte(name)
	for i, c := range key {
		switch {
		case c >= 'A' && c <= 'Z':
			key[i] = c + 'a' - 'A'
		case c == '_':
			key[i] = '-'
		}
	}
	return string(key)
}

// extensions of files of videos and of their frames.
var extensions = []string{"mp4", "mkv", "avi", "mov", "webm", "mpg", "mpeg", "m4v", "ts", "jpg", "jpeg", "png", "webp"}

// unknown matches scene and video in a name that is not known.
var unknown = regexp.MustCompile(`^([A-Za-z0-9]+)[_-]([A-Za-z0-9]+)$`)

// withoutExtension returns a name in NFC without blanks around it and without
// the extension of a file.
func withoutExtension(name string) string {
	name = norm.NFC.String(strings.TrimSpace(name))
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && slices.Contains(extensions, suffixKey(name[dot+1:])) {
		name = strings.TrimSpace(name[:dot])
	}
	return name
}

func withoutFolder(name string) string {
	return strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
}

// sameName reports whether two names are one however they are written. It does
// not depend on what is known, so that a refusal does not tell it.
func sameName(a, b string) bool {
	return a == b || suffixKey(withoutExtension(a)) == suffixKey(withoutExtension(b))
}

// Resolve returns scene and video of a name as clients write it: with or
// without scene, folder and extension. A name that is not known is taken apart
// by its form; without a scene in it, the scene is empty. The video is empty
// only if the name is, whatever is known.
func (m *Media) Resolve(name string) (scene, video string) {
	whole := withoutExtension(name)
	file := withoutFolder(whole)
	if file == "" {
		return "", ""
	}
	for _, name := range []string{whole, file} {
		if known, ok := m.find(name, func(text, suffix string) bool { return text == suffix }); ok {
			return known.scene, known.video
		}
	}
	if parts := unknown.FindStringSubmatch(file); parts != nil {
		return parts[1], parts[2]
	}
	return "", file
}

// find returns the longest known name for which match holds, an exactly equal
// one before one that differs in case or separator.
func (m *Media) find(text string, match func(text, suffix string) bool) (found mediaName, ok bool) {
	key := suffixKey(text)
	for _, known := range m.known {
		switch {
		case ok && len(known.name) < len(found.name):
			return found, true
		case match(text, known.name):
			return known, true
		case !ok && match(key, known.key):
			found, ok = known, true
		}
	}
	return found, ok
}

// cut takes the name of a video off the end of a text, behind a hyphen, and
// returns what is before it. Whether there are both does not depend on what is
// known; where the name begins does.
func (m *Media) cut(text string) (before, scene, video string, ok bool) {
	text = withoutExtension(text)
	at := strings.LastIndexByte(text, '-')
	if at < 0 || strings.TrimSpace(text[:at]) == "" {
		return "", "", "", false
	}
	if scene, video = m.Resolve(text[at+1:]); video == "" {
		return "", "", "", false
	}
	known, found := m.find(text, func(text, suffix string) bool {
		before, found := cutName(text, suffix)
		return found && before != ""
	})
	if found {
		at, scene, video = len(text)-len(known.name)-1, known.scene, known.video
	}
	return strings.TrimSpace(text[:at]), scene, video, true
}

// cutName takes a hyphen and a name off the end of a text, and the blanks
// around what is left.
func cutName(text, name string) (before string, found bool) {
	if before, found = strings.CutSuffix(text, name); !found {
		return "", false
	}
	before, found = strings.CutSuffix(before, "-")
	return strings.TrimSpace(before), found
}
