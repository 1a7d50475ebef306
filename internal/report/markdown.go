package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes results as text with tables, in the dialect of GitHub: for
// each Index its table and what models lack, then a table of all solver
// results. Names are escaped, so that none becomes markup or breaks a row.
func Markdown(w io.Writer, b Benchmark) error {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("# %s", mark(b.heading(nil)))
	for i, named := range b.Indexes {
		v := newIndexView(nil, i+1, b.headed(), named)
		if len(b.Indexes) > 1 {
			line("\n## %s", mark(named.Result.Suite+" · "+string(named.Result.Protocol)))
		}
		line("\n%s\n\n%s\n", markFacts(append(v.Facts, v.Digests...)), v.Counts)
		head, rule := "| # | model | Index |", "| ---: | :--- | ---: |"
		for _, t := range v.Tracks {
			head += " " + t.Letter + " |"
			rule += " ---: |"
		}
		line("%s coverage | status |\n%s ---: | :--- |", head, rule)
		for _, m := range v.Models {
			row := fmt.Sprintf("| %s | %s | %s |", m.Rank, mark(m.Name), m.Index)
			for _, mean := range m.Means {
				row += " " + mean.Text + " |"
			}
			line("%s %s | %s |", row, m.Coverage, m.Status)
		}
		line("\nIndex = %s, over the means of the tracks: %s.", v.Formula, trackWords(v.Tracks))
		for _, t := range v.Trouble {
			line("\n### %s\n\n%s\n", mark(t.Heading), t.Line)
			for _, issue := range t.Issues {
				text := "- `" + strings.ReplaceAll(issue.Code, "`", "'") + "` " + mark(issue.Track) + " · " + mark(issue.Item)
				if issue.Attempt != "" {
					text += " · attempt " + mark(issue.Attempt)
				}
				if issue.Message != "" {
					text += ": " + mark(issue.Message)
				}
				line("%s", text)
			}
			if t.More != "" {
				line("\n%s", t.More)
			}
		}
	}
	if len(b.Solvers) > 0 {
		line("\n## Solver results\n\n| task | result | relative score | eligible | failed | outside | warnings | scale set by |\n" +
			"| :--- | :--- | ---: | ---: | ---: | ---: | ---: | :--- |")
	}
	for _, named := range b.Solvers {
		r := named.Result
		var v solverView
		v.addFloors(nil, r)
		var floors []string
		for _, f := range v.FloorKey {
			floors = append(floors, f.Words+" "+f.Count)
		}
		line("| %s | %s | %s | %s | %s | %s | %s | %s |", mark(r.Task), mark(named.Name), fixed(r.RelativeScore, 4), thousands(r.EligibleInstances),
			thousands(r.FailedInstances), thousands(len(r.UnscoredInstances)), thousands(len(r.Warnings)), strings.Join(floors, ", "))
	}
	if len(b.Indexes)+len(b.Solvers) == 0 {
		line("\nThere is nothing to show: no result was given.")
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func markFacts(facts []fact) string {
	var parts []string
	for _, f := range facts {
		text := mark(f.Text)
		if f.What != "" {
			text = f.What + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " · ")
}

// trackWords says what the letters of the tracks stand for.
func trackWords(heads []trackHead) string {
	var parts []string
	for _, t := range heads {
		parts = append(parts, t.Letter+" "+t.Words)
	}
	return strings.Join(parts, ", ")
}

// mark escapes what Markdown or HTML would take for markup, in a line.
func mark(s string) string {
	var b strings.Builder
	for _, r := range name(s) {
		if strings.ContainsRune("\\`*_{}[]<>#|~!&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
