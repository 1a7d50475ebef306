package retrieval

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
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
		if q.Scene != "" {
			add(q.Scene+"_"+q.Video, q.Scene, q.Video)
		}
		add(q.Video, "", q.Video)
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

var (
	extension = regexp.MustCompile(`(?i)\.(mp4|mkv|avi|mov|webm|mpg|mpeg|m4v|ts|jpg|jpeg|png|webp)$`)
	unknown   = regexp.MustCompile(`^([A-Za-z0-9]+)[_-]([A-Za-z0-9]+)$`)
)

// Resolve returns scene and video of a name as clients write it: with or
// without scene, folder and extension. A name that is not known is taken apart
// by its form; without a scene in it, the scene is empty.
func (m *Media) Resolve(name string) (scene, video string) {
	name = strings.TrimSpace(name)
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = extension.ReplaceAllString(name, "")
	if known, ok := m.find(name, func(text, suffix string) bool { return text == suffix }); ok {
		return known.scene, known.video
	}
	if parts := unknown.FindStringSubmatch(name); parts != nil {
		return parts[1], parts[2]
	}
	return "", name
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
// returns what is before it.
func (m *Media) cut(text string) (before, scene, video string, ok bool) {
	text = extension.ReplaceAllString(strings.TrimSpace(text), "")
	known, found := m.find(text, func(text, suffix string) bool {
		return strings.HasSuffix(text, suffix) && strings.HasSuffix(text[:len(text)-len(suffix)], "-")
	})
	if found {
		return text[:len(text)-len(known.name)-1], known.scene, known.video, true
	}
	at := strings.LastIndexByte(text, '-')
	if at < 0 {
		return "", "", "", false
	}
	scene, video = m.Resolve(text[at+1:])
	return text[:at], scene, video, video != ""
}
