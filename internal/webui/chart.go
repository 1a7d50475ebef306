package webui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"scorebook/contest"
)

// chart is how far the best teams were behind the leader, as step lines. Totals
// would all look alike. Lengths are in the units of its view box.
type chart struct {
	Width, Height float64
	Left, Right   float64 // of the plot
	Top, Bottom   float64
	Levels        []chartLabel // lines of equal gaps
	Questions     []chartLabel
	Lines         []chartLine
	Summary       []chartTeam // the same in words
	Leader        string
}

type chartLabel struct {
	At   float64
	Text string
}

type chartLine struct {
	Number int // from 1; it decides colour and dashes
	Path   string
	EndX   float64
	EndY   float64
	LabelX float64
	LabelY float64
	Name   string
	Whole  string // the name in full
}

type chartTeam struct{ Name, Gap string }

const (
	chartWidth  = 360.0
	chartHeight = 176.0
	chartLeft   = 30.0
	chartRight  = 256.0
	chartTop    = 12.0
	chartBottom = 152.0
	labelGap    = 12.5 // between two labels at least
)

// chartOf draws the teams that lead, or nothing before anybody has scored.
func chartOf(table *contest.Table, changes []contest.Change) *chart {
	played := playedColumns(table)
	teams, names := map[contest.TeamID]int{}, []string{}
	for i := range table.Rows {
		if r := &table.Rows[i]; r.Rank > 0 && r.Total > 0 && len(names) < teamsInChart {
			teams[r.ID] = len(names)
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 || len(played) == 0 {
		return nil
	}
	lines := behind(changes, played, teams)
	most := 0.0
	for _, line := range lines {
		most = max(most, slices.Max(line))
	}
	c := &chart{Width: chartWidth, Height: chartHeight, Left: chartLeft, Right: chartRight, Top: chartTop, Bottom: chartBottom, Leader: names[0]}
	unit := levelUnit(most)
	top := max(unit, math.Ceil(most/unit)*unit)
	y := func(gap float64) float64 { return tenth(chartTop + gap/top*(chartBottom-chartTop)) }
	x := func(place float64) float64 {
		return tenth(chartLeft + place/float64(len(played))*(chartRight-chartLeft))
	}
	for gap := 0.0; gap <= top+unit/2; gap += unit {
		c.Levels = append(c.Levels, chartLabel{y(gap), gapText(gap)})
	}
	every := (len(played) + 5) / 6 // labels that do not touch
	for i, column := range played {
		if i%every == 0 {
			c.Questions = append(c.Questions, chartLabel{x(float64(i) + 0.5), title(column.Question)})
		}
	}
	for i, line := range lines {
		now := line[len(line)-1]
		c.Lines = append(c.Lines, chartLine{
			Number: i + 1, Path: stepPath(line, x, y), EndX: chartRight, EndY: y(now), LabelX: chartRight + 6, Name: clip(names[i], 14), Whole: names[i],
		})
		c.Summary = append(c.Summary, chartTeam{names[i], gapText(now)})
	}
	spread(c.Lines)
	return c
}

// levelUnit is a round number that divides a range into two to five parts.
func levelUnit(most float64) float64 {
	if most <= 0 {
		return 10
	}
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	for _, factor := range []float64{5, 2, 1, 0.5, 0.2} {
		if most/(unit*factor) >= 2 {
			return unit * factor
		}
	}
	return unit
}

func gapText(gap float64) string {
	if gap == 0 {
		return "0"
	}
	return "−" + strconv.FormatFloat(round(gap, 1), 'f', -1, 64)
}

// stepPath goes along each question on the level that the team had after it.
func stepPath(line []float64, x, y func(float64) float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%g %g", x(0), y(0))
	for i, gap := range line {
		if i == 0 || gap != line[i-1] {
			fmt.Fprintf(&b, "V%g", y(gap))
		}
		fmt.Fprintf(&b, "H%g", x(float64(i)+1))
	}
	return b.String()
}

func tenth(f float64) float64 { return math.Round(f*10) / 10 }

// spread moves the labels at the ends of the lines apart.
func spread(lines []chartLine) {
	order := make([]*chartLine, len(lines))
	for i := range lines {
		lines[i].LabelY = lines[i].EndY
		order[i] = &lines[i]
	}
	slices.SortStableFunc(order, func(a, b *chartLine) int {
		switch {
		case a.EndY < b.EndY:
			return -1
		case a.EndY > b.EndY:
			return 1
		}
		return 0
	})
	for i := 1; i < len(order); i++ {
		order[i].LabelY = max(order[i].LabelY, order[i-1].LabelY+labelGap)
	}
	if n := len(order); n > 0 {
		order[n-1].LabelY = min(order[n-1].LabelY, chartBottom+labelGap)
	}
	for i := len(order) - 2; i >= 0; i-- {
		order[i].LabelY = min(order[i].LabelY, order[i+1].LabelY-labelGap)
	}
	for _, l := range order {
		l.LabelY = tenth(l.LabelY)
	}
}

// clip shortens a name to so many columns. Letters of East Asian scripts take
// two.
func clip(name string, most int) string {
	columns, fits := 0, 0
	for i, r := range name {
		if columns < most {
			fits = i // with the mark that something is left out
		}
		columns++
		if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			columns++
		}
		if columns > most {
			return name[:fits] + "…"
		}
	}
	return name
}
