package dresfile

import (
	"regexp"
	"strconv"
	"strings"
)

// timecode is HH:MM:SS:FF or HH:MM:SS.mmm, of which what is on the left may be
// missing; the last part of the former is in frames.
var timecode = regexp.MustCompile(`^(?:(?:(?:(\d+):)?(\d{1,2}):)?(\d{1,2})(?:\.(\d{1,3})|:(\d+))|(\d+))$`)

// milliseconds returns a moment of a video with so many frames a second.
func (p point) milliseconds(fps float64) (ms float64, ok bool) {
	value := strings.TrimSpace(p.Value)
	if p.Unit == "TIMECODE" {
		return fromTimecode(value, fps)
	}
	number, err := strconv.ParseFloat(value, 64)
	switch p.Unit {
	case "FRAME_NUMBER":
		ms = number / fps * 1000
	case "SECONDS":
		ms = number * 1000
	case unitMilliseconds:
		ms = number
	default:
		return 0, false
	}
	return ms, err == nil && ms >= 0 && ms < 1<<53
}

func fromTimecode(text string, fps float64) (ms float64, ok bool) {
	parts := timecode.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	for i, weight := range []float64{3600e3, 60e3, 1e3, 1, 1000 / fps, 1000 / fps} {
		digits := parts[i+1]
		if digits == "" {
			continue
		}
		n, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return 0, false
		}
		ms += n * weight
	}
	return ms, ms < 1<<53
}

// inFrames reports whether a moment depends on the frames a second.
func (p point) inFrames() bool { return p.Unit == "FRAME_NUMBER" || p.Unit == "TIMECODE" }
