package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/standings"
)

// The rules of speech for tables: lower case, no full stop, figures as in the
// JSON where they are results and rounded where they only illustrate. Colour
// never says anything that the words do not; the writer that the text goes to
// drops it where it does not belong.

var (
	plain  = lipgloss.NewStyle()
	header = lipgloss.NewStyle().Bold(true)
	strong = lipgloss.NewStyle().Bold(true)
	dim    = lipgloss.NewStyle().Faint(true)
	good   = lipgloss.NewStyle().Foreground(lipgloss.Green)
	doubt  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
)

// Solver renders the result of solver-score as a short table.
func Solver(r *exam.SolverResult) string {
	from := map[exam.ScaleSource]int{}
	for _, in := range r.Instances {
		from[in.ScaleFrom]++
	}
	suite := ""
	if r.Suite != "" {
		suite = " of the suite " + r.Suite
	}
	facts := [][2]string{
		{"task", diag.Printable(fmt.Sprintf("%s (%s, %s)%s", r.Task, r.Kind, r.Direction, suite))},
		{"reference", diag.Printable(r.ReferenceID)},
		{"relative score", strong.Render(number(r.RelativeScore))},
		{"instances", fmt.Sprintf("%d eligible, %d failed, %d unscored", r.EligibleInstances, r.FailedInstances, len(r.UnscoredInstances))},
		{"scale set by", fmt.Sprintf("sd %d, relative floor %d, absolute floor %d", from[exam.FromSD], from[exam.FromRelative], from[exam.FromAbsolute])},
	}
	if n := len(r.Warnings); n > 0 {
		facts = append(facts, [2]string{"warnings", doubt.Render(strconv.Itoa(n))})
	}
	return pairs(facts)
}

// Index renders the result of score: the models by rank, incomplete ones last
// and unranked, and what is missing.
func Index(r *exam.IndexResult) string {
	var b strings.Builder
	b.WriteString(pairs([][2]string{
		{"suite", diag.Printable(fmt.Sprintf("%s, %s solver protocol", r.Suite, r.Protocol))},
		{"reference", diag.Printable(r.ReferenceID)},
		{"metric", r.Metric + " (" + weights() + ")"},
	}))
	head := []string{"rank", "model", "index", "status"}
	for _, track := range exam.Tracks {
		head = append(head, string(track))
	}
	head = append(head, "coverage")
	var lines [][]string
	ranked := Ranking(r)
	for _, row := range ranked {
		m := r.Models[row.Name]
		rank := "-"
		if row.Rank > 0 {
			rank = strconv.Itoa(row.Rank)
			if row.Tied {
				rank += "="
			}
		}
		line := []string{rank, short(row.Name), maybe(m.Index, "%.2f"), state(m.Status)}
		for _, track := range exam.Tracks {
			line = append(line, maybe(m.Tracks.Of(track).Mean, "%.4f"))
		}
		lines = append(lines, append(line, fmt.Sprintf("%d/%d", m.Coverage.Observed, m.Coverage.Planned)))
	}
	b.WriteString("\n" + grid(head, lines, 1, 3))
	for _, row := range ranked {
		b.WriteString(issues(row.Name, r.Models[row.Name]))
	}
	return b.String()
}

// weights says what a track mean of 1 is worth.
func weights() string {
	var parts []string
	for _, track := range exam.Tracks {
		parts = append(parts, fmt.Sprintf("%d %s", track.Weight(), track))
	}
	return strings.Join(parts, " + ")
}

// Ranking orders the models of a result; incomplete ones are unranked.
func Ranking(r *exam.IndexResult) []standings.Row {
	var entries []standings.Entry
	for name, m := range r.Models {
		e := standings.Entry{Name: name, Unranked: m.Index == nil}
		if m.Index != nil {
			e.Total = *m.Index
		}
		entries = append(entries, e)
	}
	return standings.Rank(entries)
}

// issues lists why a model is not simply complete.
func issues(model string, m *exam.ModelIndex) string {
	var b strings.Builder
	if m.Status == exam.Complete {
		return ""
	}
	fmt.Fprintf(&b, "\n%s is %s:\n", short(model), state(m.Status))
	if m.ProvisionalAttempts > 0 {
		fmt.Fprintf(&b, "  adopted provisionally: %d\n", m.ProvisionalAttempts)
	}
	const few = 10
	lines := 0
	for i := 0; i < len(m.Issues); lines++ {
		if lines == few {
			fmt.Fprintf(&b, "  and %d more\n", len(m.Issues)-i)
			break
		}
		issue, same := m.Issues[i], 0
		for ; i < len(m.Issues) && m.Issues[i] == issue; i++ {
			same++
		}
		times := ""
		if same > 1 {
			times = fmt.Sprintf(" (%d times)", same)
		}
		fmt.Fprintf(&b, "  %s/%s: %s%s\n", issue.Track, diag.Printable(issue.Item), diag.Printable(issue.Message), times)
	}
	return b.String()
}

func state(s exam.State) string {
	if s == exam.Complete {
		return good.Render(string(s))
	}
	return doubt.Render(string(s))
}

// number formats a result as the JSON does.
func number(f float64) string {
	return string(jsontext.AppendFloat(nil, f, 64))
}

// maybe formats a value that may be absent.
func maybe(f *float64, format string) string {
	if f == nil {
		return "-"
	}
	return fmt.Sprintf(format, *f)
}

// pairs renders names and values in two columns.
func pairs(rows [][2]string) string {
	var b strings.Builder
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "%s  %s\n", dim.Render(fmt.Sprintf("%-*s", width, row[0])), row[1])
	}
	return b.String()
}

// grid renders a table without lines; the columns named are aligned to the
// left, the others to the right.
//
// Note: lipgloss has a table of its own. It wraps cells with another idea of
// their width than it measures them with, so that some scripts break a row.
func grid(head []string, rows [][]string, left ...int) string {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	var b strings.Builder
	write := func(row []string, style lipgloss.Style) {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			blanks := strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
			if slices.Contains(left, i) {
				line.WriteString(style.Render(cell) + blanks)
			} else {
				line.WriteString(blanks + style.Render(cell))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	write(head, header)
	for _, row := range rows {
		write(row, plain)
	}
	return b.String()
}

// short makes a name fit a cell: printable, and cut if it is very long.
func short(s string) string {
	const widest = 48
	return ansi.Truncate(diag.Printable(s), widest, "...")
}
