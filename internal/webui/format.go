package webui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// points writes points with one decimal, as the boards have it.
func points(p float64) string { return strconv.FormatFloat(round(p, 1), 'f', 1, 64) }

// exactly writes points with the two decimals that the API tells.
func exactly(p float64) string { return strconv.FormatFloat(round(p, 2), 'f', -1, 64) }

// signed writes a difference with its sign.
func signed(p float64) string {
	p = round(p, 1)
	switch {
	case p > 0:
		return "+" + points(p)
	case p < 0:
		return "−" + points(-p)
	}
	return "0"
}

func round(p float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(p*unit)/unit + 0 // not -0
}

// clock writes a time within a question: minutes and seconds.
func clock(d time.Duration) string {
	s := int(d / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// countdown writes what is left of a time: 0:00 only when nothing is.
func countdown(d time.Duration) string {
	return clock((d + time.Second - 1).Truncate(time.Second))
}

// title is what a question is called in the head of a column.
func title(id retrieval.QuestionID) string {
	const most = 6
	if _, err := strconv.Atoi(string(id)); err == nil {
		return "Q" + string(id)
	}
	if runes := []rune(string(id)); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(id)
}

// seconds writes a number of seconds as forms take it.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// zone returns the time zone of a contest.
func zone(settings contest.Settings) *time.Location {
	if at, err := time.LoadLocation(settings.TimeZone); err == nil {
		return at
	}
	return time.UTC
}

// pointsRule says in a line what a question is worth.
func pointsRule(lang string, rules *retrieval.Ruleset) string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	if rules.Mode == retrieval.ModeDecay {
		return say(lang, "board.rule_decay", number(rules.MaxScore), number(rules.DecayRate))
	}
	text := say(lang, "board.rule", number(rules.PMax), number(rules.PBase))
	if rules.PPenalty > 0 {
		text += ", " + say(lang, "board.rule_penalty", number(rules.PPenalty))
	}
	return text
}

// attemptValues writes what a team sent, for a line of a table.
func attemptValues(a *retrieval.Answer, kind retrieval.Type) string {
	const few = 4
	var parts []string
	for _, v := range a.Values[:min(few, len(a.Values))] {
		if kind == retrieval.TR {
			parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
		} else {
			parts = append(parts, strconv.FormatFloat(v/1000, 'f', -1, 64)+" s")
		}
	}
	if len(a.Values) > few {
		parts = append(parts, "…")
	}
	text := strings.Join(parts, ", ")
	video := a.Video
	if a.Scene != "" {
		video = a.Scene + "_" + a.Video
	}
	text = video + " · " + text
	if a.Text != "" {
		text = a.Text + " · " + text
	}
	return text
}
