package look_test

import (
	"fmt"
	"math"
	"regexp"
	"testing"

	"scorebook/internal/look"
)

// Every text can be read, by day and by night: its colour stands
// off from what is behind it as level AA of the guidelines for the web asks.
func TestTextStandsOffFromWhatIsBehindIt(t *testing.T) {
	themes := regexp.MustCompile(`(?s):root[^{]*\{(.*?)\}`).FindAllStringSubmatch(look.Style, -1)
	if len(themes) < 3 {
		t.Fatalf("found %d themes", len(themes))
	}
	for i, theme := range themes[:3] {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([\w-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(theme[1], -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		var pairs [][2]string
		for _, text := range []string{"ink", "quiet", "half", "bad", "good", "accent", "line-1", "line-2", "line-3", "line-4", "line-5"} {
			pairs = append(pairs, [2]string{text, "paper"})
		}
		for _, text := range []string{"ink", "quiet", "half", "bad", "good", "accent"} {
			pairs = append(pairs, [2]string{text, "mark"}, [2]string{text, "raised"})
		}
		for _, pair := range pairs {
			a, known := colours[pair[0]]
			b, alsoKnown := colours[pair[1]]
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); !known || !alsoKnown || ratio < 4.5 {
				t.Errorf("theme %d: %s on %s has the contrast %.2f, want 4.5", i, pair[0], pair[1], ratio)
			}
		}
	}
}

// luminance returns how bright a colour is, from 0 to 1.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var r, g, b uint8
	if _, err := fmt.Sscanf(hex, "%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	linear := func(c uint8) float64 {
		f := float64(c) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
