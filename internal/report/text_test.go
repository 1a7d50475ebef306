package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"scorebook/exam"
	"scorebook/internal/report"
)

var style = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// bare takes the colours off.
func bare(text string) string { return style.ReplaceAllString(text, "") }

// lineWith returns the only line that begins with a word, without the colours.
func lineWith(t *testing.T, text, word string) string {
	t.Helper()
	var found []string
	for line := range strings.Lines(bare(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), word) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d lines begin with %q in\n%s", len(found), word, bare(text))
	}
	return found[0]
}

func model(status exam.State, index float64) *exam.ModelIndex {
	m := &exam.ModelIndex{Status: status, Coverage: exam.Coverage{Planned: 4, Observed: 4}}
	if status == exam.Incomplete {
		m.Coverage.Observed = 3
		m.Issues = []exam.Issue{{Code: exam.NoAttempt, Track: exam.Open, Item: "op", Message: "no adopted attempt"}}
		return m
	}
	m.Index = &index
	return m
}

// ranks returns rank and name of each line of the table.
func ranks(text string) (rows []string) {
	_, body, _ := strings.Cut(bare(text), "coverage\n")
	body, _, _ = strings.Cut(body, "\n\n")
	for line := range strings.Lines(body) {
		if f := strings.Fields(line); len(f) > 2 {
			rows = append(rows, f[0]+" "+f[1]+" "+f[2])
		}
	}
	return rows
}

func TestModelsStandByRankWithTiesMarkedAndIncompleteOnesLast(t *testing.T) {
	for _, test := range []struct {
		name   string
		models map[string]*exam.ModelIndex
		want   []string
	}{
		{"one", map[string]*exam.ModelIndex{"a": model(exam.Complete, 1)}, []string{"1 a 1.00"}},
		{"best first", map[string]*exam.ModelIndex{"a": model(exam.Complete, 1), "b": model(exam.Complete, 169.5)}, []string{"1 b 169.50", "2 a 1.00"}},
		{
			"ties",
			map[string]*exam.ModelIndex{"d": model(exam.Complete, 5), "c": model(exam.Provisional, 7), "b": model(exam.Complete, 7), "a": model(exam.Complete, 9)},
			[]string{"1 a 9.00", "2= b 7.00", "2= c 7.00", "4 d 5.00"},
		},
		{
			"what only looks equal is no tie",
			map[string]*exam.ModelIndex{"a": model(exam.Complete, 7.0001), "b": model(exam.Complete, 7.0002)},
			[]string{"1 b 7.00", "2 a 7.00"},
		},
		{
			"incomplete",
			map[string]*exam.ModelIndex{"z": model(exam.Complete, 0), "b": model(exam.Incomplete, 0), "a": model(exam.Incomplete, 0)},
			[]string{"1 z 0.00", "- a -", "- b -"},
		},
		{"incomplete alone", map[string]*exam.ModelIndex{"a": model(exam.Incomplete, 0)}, []string{"- a -"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := report.Index(&exam.IndexResult{Models: test.models})
			if got := ranks(text); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q in\n%s", got, test.want, bare(text))
			}
		})
	}
}

func TestIndexShowsMeansAndCoverage(t *testing.T) {
	m := model(exam.Incomplete, 0)
	m.Tracks.Theorem.Mean, m.Tracks.Solver.Mean = new(0.4), new(2.0/3)
	text := report.Index(&exam.IndexResult{Models: map[string]*exam.ModelIndex{"m": m}})
	line := lineWith(t, text, "-  m")
	if want := "- m - incomplete 0.4000 0.6667 - - 3/4"; strings.Join(strings.Fields(line), " ") != want {
		t.Errorf("got %q, want %q", line, want)
	}
}

// What is missing is listed, at most ten of it, and the rest is counted.
func TestIssuesAreListed(t *testing.T) {
	for n, more := range map[int]string{1: "", 10: "", 11: "and 1 more", 25: "and 15 more"} {
		m := model(exam.Incomplete, 0)
		m.ProvisionalAttempts, m.Issues = 2, nil
		for i := range n {
			m.Issues = append(m.Issues, exam.Issue{Track: exam.Solver, Item: fmt.Sprint("item-", i), Message: "no adopted attempt"})
		}
		text := report.Index(&exam.IndexResult{Models: map[string]*exam.ModelIndex{"m": m, "fine": model(exam.Complete, 1)}})
		lineWith(t, text, "m is incomplete")
		if got := lineWith(t, text, "adopted provisionally"); !strings.HasSuffix(got, " 2") {
			t.Errorf("got %q", got)
		}
		if got := strings.Count(text, "solver/item-"); got != min(n, 10) {
			t.Errorf("%d of %d are listed", got, n)
		}
		if strings.Contains(text, " more") != (more != "") || !strings.Contains(text, more) || strings.Contains(text, "fine is") {
			t.Errorf("%d: want %q in\n%s", n, more, bare(text))
		}
	}
}

func TestSolverCountsWhatItShows(t *testing.T) {
	r := &exam.SolverResult{
		Task: "t", Kind: exam.Objective, Direction: exam.Minimize, ReferenceID: "r", RelativeScore: 2.0 / 3, EligibleInstances: 6, FailedInstances: 1,
		Instances:         []exam.InstanceScore{{ScaleFrom: exam.FromSD}, {ScaleFrom: exam.FromSD}, {ScaleFrom: exam.FromSD}, {ScaleFrom: exam.FromRelative}, {ScaleFrom: exam.FromRelative}, {ScaleFrom: exam.FromAbsolute}},
		UnscoredInstances: []string{"a", "b"},
	}
	text := report.Solver(r)
	for word, want := range map[string]string{
		"task": "t (objective, minimize)", "relative score": "0.6666666666666666", "instances": "6 eligible, 1 failed, 2 unscored",
		"scale set by": "sd 3, relative floor 2, absolute floor 1",
	} {
		if got := lineWith(t, text, word); !strings.HasSuffix(got, "  "+want) {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
	if strings.Contains(text, "warnings") || strings.Contains(text, "suite") {
		t.Errorf("got\n%s", text)
	}
	r.Suite, r.Warnings = "s", []string{"w", "w"}
	if text := report.Solver(r); !strings.HasSuffix(lineWith(t, text, "warnings"), "  2") || !strings.HasSuffix(lineWith(t, text, "task"), "of the suite s") {
		t.Errorf("got\n%s", text)
	}
}

func TestFilesShowTheDigestOfInputsOnly(t *testing.T) {
	text := bare(report.Files([]report.File{
		{Path: "a.json", Format: exam.FormatRecords, Content: "3 records", Digest: "abc"},
		{Path: "b.json", Format: exam.FormatIndexResult, Content: "1 model"},
	}, nil))
	if lines := strings.Split(text, "\n"); len(lines) != 4 || !strings.Contains(lines[0], "a.json: records, 3 records") ||
		!strings.HasSuffix(lines[1], " abc") || !strings.Contains(lines[2], "b.json: score output, 1 model") {
		t.Errorf("got %q", text)
	}
}

var hostile = rapid.OneOf(
	rapid.SampledFrom([]string{
		"\x1b[2J\x1b[1;1H", "\x1b]0;title\a", "\u009b31m", "a\nb", "a\r\nb", "a\rb", "\u202egnp", "\u2066x\u2069", "a\u2028b", "a\u2029b", "\v\f\b\t\x00\x7f\u0085",
		strings.Repeat("x", 300), strings.Repeat("東", 300), "%s%d%!", "", " ",
	}),
	rapid.StringOfN(rapid.RuneFrom([]rune(" -%"), unicode.Latin, unicode.Han, unicode.Cc, unicode.Bidi_Control, unicode.Nd), 0, 20, -1),
	rapid.StringN(0, 20, -1),
)

// Names may hold anything: they neither move the cursor nor add a line.
func TestHostileNamesStayInTheirLine(t *testing.T) {
	index := func(a, b, c string) string {
		second := model(exam.Incomplete, 0)
		second.Issues[0].Item, second.Issues[0].Message = c, c
		return report.Index(&exam.IndexResult{Suite: c, ReferenceID: c, Protocol: exam.Online, Metric: "m", Models: map[string]*exam.ModelIndex{
			"1" + a: model(exam.Complete, 1), "2" + b: second,
		}})
	}
	renders := map[string]func(a, b, c string) string{
		"index": index,
		"solver": func(a, b, c string) string {
			return report.Solver(&exam.SolverResult{Task: a, Suite: b, ReferenceID: c})
		},
		"files": func(a, b, _ string) string {
			return report.Files([]report.File{{Path: a, Content: b, Format: exam.FormatSuite, Digest: "0"}}, []string{a})
		},
		"explanation": func(a, b, c string) string {
			e := objective()
			e.Score.Instance, e.Result.Task, e.Result.ReferenceID = a, b, c
			return report.Explanation(e)
		},
	}
	for name, render := range renders {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			text := render(hostile.Draw(t, "a"), hostile.Draw(t, "b"), hostile.Draw(t, "c"))
			if got, want := strings.Count(text, "\n"), strings.Count(render("a", "b", "c"), "\n"); got != want {
				t.Fatalf("%d lines, with harmless names %d: %q", got, want, text)
			}
			for _, r := range bare(text) {
				if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0) || strings.ContainsRune("\u061c\u200e\u200f\u2028\u2029", r) ||
					r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
					t.Fatalf("%q holds %U", text, r)
				}
			}
		}))
	}
	text := bare(index("\x1b[31m", strings.Repeat("x", 300), "c"))
	column := func(word string) int {
		for line := range strings.Lines(text) {
			if before, _, found := strings.Cut(line, word); found {
				return utf8.RuneCountInString(before)
			}
		}
		return -1
	}
	if a, b := column(" complete"), column(" incomplete"); a != b || a < 48 {
		t.Errorf("the statuses stand in columns %d and %d of\n%s", a, b, text)
	}
}
