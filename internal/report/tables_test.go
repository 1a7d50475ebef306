package report_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/internal/report"
)

func markdown(t rapid.TB, b report.Benchmark) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Markdown(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// table reads the CSV as rows by column.
func table(t rapid.TB, b report.Benchmark) (rows []map[string]string) {
	t.Helper()
	var out bytes.Buffer
	if err := report.CSV(&out, b); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, column := range all[0] {
			row[column] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCSVHasEveryLevel(t *testing.T) {
	count := map[string]int{}
	var first map[string]string
	for _, row := range table(t, everything("a", "b", "c")) {
		count[row["level"]]++
		if first == nil {
			first = row
		}
	}
	for level, want := range map[string]int{"model": 6, "track": 24, "item": 24, "solver": 2, "instance": 10, "unscored": 2} {
		if count[level] != want {
			t.Errorf("found %d rows of the level %s, want %d", count[level], level, want)
		}
	}
	for column, want := range map[string]string{"source": "index", "level": "model", "model": "1a", "rank": "1", "index": "103", "planned": "4"} {
		if first[column] != want {
			t.Errorf("%s: got %q, want %q", column, first[column], want)
		}
	}
}

func TestNoCellIsAFormula(t *testing.T) {
	for _, sign := range []string{"=", "+", "-", "@", "＝", "\t"} {
		name := sign + "1+1"
		found := false
		for _, row := range table(t, everything(name, name, name)) {
			for column, cell := range row {
				found = found || cell == "'"+name
				if strings.HasPrefix(cell, sign) && column != "z" {
					t.Errorf("%s: found %q", column, cell)
				}
			}
		}
		if !found {
			t.Errorf("%q is nowhere", name)
		}
	}
}

// No name adds a row or a column to a table, or a heading.
func TestHostileNamesKeepTheirPlaceInMarkdown(t *testing.T) {
	shape := func(text string) string {
		var b strings.Builder
		for line := range strings.Lines(strings.ReplaceAll(text, `\|`, "")) {
			switch {
			case strings.HasPrefix(line, "#"):
				b.WriteByte('#')
			case strings.HasPrefix(line, "|"):
				b.WriteString(strings.Repeat("|", strings.Count(line, "|")))
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	want := shape(markdown(t, everything("a", "b", "c")))
	names := rapid.OneOf(hostile, rapid.SampledFrom([]string{"a|b", `\|`, `\`, "# a", "<b>", "![x](y)", "`x`", "a\n\n# b"}))
	rapid.Check(t, func(t *rapid.T) {
		text := markdown(t, everything("x"+names.Draw(t, "a"), "x"+names.Draw(t, "b"), "x"+names.Draw(t, "c")))
		if got := shape(strings.ReplaceAll(text, `\\`, "")); got != want {
			t.Fatalf("got\n%s\nwant\n%s\nin %s", got, want, text)
		}
		if strings.Contains(text, "<b>") && !strings.Contains(text, `\<b`) {
			t.Fatalf("markup in %s", text)
		}
	})
}
