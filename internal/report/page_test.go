package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/exam"
	"scorebook/internal/look"
	"scorebook/internal/report"
)

func body(t rapid.TB, b report.Benchmark) string {
	t.Helper()
	html, err := report.Body(b, report.English)
	if err != nil {
		t.Fatal(err)
	}
	return string(html)
}

func oneIndex(models map[string]*exam.ModelIndex) report.Benchmark {
	r := &exam.IndexResult{Metric: exam.Metric, Suite: "s", Protocol: exam.Offline, ReferenceID: "r", Models: models}
	return report.Benchmark{Indexes: []report.Named[*exam.IndexResult]{{Name: "index", Result: r}}}
}

func oneSolver(instances ...exam.InstanceScore) report.Benchmark {
	r := &exam.SolverResult{
		Task: "t", Kind: exam.Objective, Direction: exam.Minimize, ReferenceID: "r", EligibleInstances: len(instances), Instances: instances,
	}
	for _, in := range instances {
		if in.Status != exam.StatusOK {
			r.FailedInstances++
		}
	}
	return report.Benchmark{Solvers: []report.Named[*exam.SolverResult]{{Name: "result", Result: r}}}
}

func ok(name string, z float64) exam.InstanceScore {
	return exam.InstanceScore{Instance: name, Status: exam.StatusOK, Z: &z, Score: 0.5, ScaleFrom: exam.FromSD}
}

// full returns a model with points and a task in each track.
func full(means ...float64) *exam.ModelIndex {
	m := model(exam.Complete, 0)
	for i, track := range exam.Tracks {
		t := m.Tracks.Of(track)
		points := means[i] * float64(track.Weight())
		*m.Index += points
		*t = exam.TrackMean{Mean: &means[i], Points: &points, Weight: track.Weight(), Planned: 1, Observed: 1}
		t.Tasks = []exam.TaskMean{{Item: "item-" + string(track), Mean: &means[i], Attempts: []exam.AttemptScore{{Attempt: "1", Score: &means[i]}}}}
	}
	return m
}

// element is a start tag of a page.
type element struct {
	name    string
	attrs   map[string]string
	content string // text in it up to the next tag
}

// elements reads a body as XML, which fails if it is not well formed.
func elements(t rapid.TB, text string) (all []element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	open := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attrs[a.Name.Local]; twice {
					t.Fatalf("<%s> has %s twice", e.name, a.Name.Local)
				}
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), true
		case xml.EndElement:
			open = false
		case xml.CharData:
			if open {
				all[len(all)-1].content += string(token)
			}
		}
	}
}

// withClass returns the elements of a name that have a class.
func withClass(all []element, tag, class string) (found []element) {
	for _, e := range all {
		if e.name == tag && strings.Contains(" "+e.attrs["class"]+" ", " "+class+" ") {
			found = append(found, e)
		}
	}
	return found
}

// everything is a benchmark with names to fill in and with every part of a page.
func everything(a, b, c string) report.Benchmark {
	lacking, doubtful := full(0.5, 0.5, 1.5, 0), full(1, 1, 1, 1)
	lacking.Status, lacking.Index, lacking.Tracks.Open.Mean, lacking.Tracks.Open.Points = exam.Incomplete, nil, nil, nil
	lacking.Tracks.Open.Tasks[0] = exam.TaskMean{Item: "z" + a}
	lacking.Issues = []exam.Issue{{Code: b, Track: exam.Open, Item: a, Attempt: b, Message: c}}
	doubtful.Status, doubtful.ProvisionalAttempts = exam.Provisional, 1
	doubtful.Tracks.Theorem.Tasks[0].Attempts[0].Provisional = true
	doubtful.Tracks.Theorem.Tasks[0].Item = "z" + c
	first := oneIndex(map[string]*exam.ModelIndex{"1" + a: full(0.1, 0.2, 3, 0.4), "2" + b: lacking, "3" + c: doubtful})
	r := first.Indexes[0].Result
	r.Suite, r.ReferenceID, r.Provenance = a, b, exam.Provenance{Tool: a, Version: b, SuiteSHA256: c, CohortSHA256: a}
	second := oneSolver(ok("1"+a, 1), ok("2"+b, -9), ok("3"+c, 9), ok("4", 0), exam.InstanceScore{Instance: "5" + a, Status: "timeout", ScaleFrom: exam.FromRelative})
	s := second.Solvers[0].Result
	s.Task, s.Suite, s.ReferenceID, s.Warnings, s.UnscoredInstances = a, b, c, []string{a, b}, []string{c}
	first.Solvers = []report.Named[*exam.SolverResult]{{Name: a, Result: s}, {Name: b, Result: s}}
	first.Indexes = append(first.Indexes, report.Named[*exam.IndexResult]{Name: c, Result: r})
	return first
}

// A strict policy for content refuses style attributes and scripts.
func TestBodyHasNeitherStyleAttributesNorScript(t *testing.T) {
	for _, e := range elements(t, body(t, everything("a", "b", "c"))) {
		if e.name == "script" || e.name == "style" {
			t.Errorf("found <%s>", e.name)
		}
		for attr := range e.attrs {
			if attr == "style" || strings.HasPrefix(attr, "on") {
				t.Errorf("<%s> has the attribute %s", e.name, attr)
			}
		}
		if e.name == "svg" && e.attrs["class"] != "swatch" && e.attrs["class"] != "mini" && !strings.HasPrefix(e.attrs["class"], "sign") &&
			(e.attrs["role"] != "img" || e.attrs["aria-label"] == "") {
			t.Errorf("a picture has no words: %v", e.attrs)
		}
	}
}

// Names may hold anything: they stay text, and add nothing to the page.
func TestHostileNamesStayText(t *testing.T) {
	shape := func(t rapid.TB, b report.Benchmark) string {
		var names []string
		for _, e := range elements(t, body(t, b)) {
			names = append(names, e.name)
		}
		return strings.Join(names, " ")
	}
	want := shape(t, everything("a", "b", "c"))
	markup := rapid.OneOf(hostile, rapid.SampledFrom([]string{
		"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</title></svg><script>", "{{.}}", "&lt;", "]]>", "' onload='x", "javascript:alert(1)", "`", "|",
	}))
	noncharacters := strings.NewReplacer("\ufffe", "", "\uffff", "") // HTML has them, XML does not
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := markup.Draw(t, "a"), markup.Draw(t, "b"), markup.Draw(t, "c")
		bench := everything(noncharacters.Replace("x"+a), noncharacters.Replace("x"+b), noncharacters.Replace("x"+c))
		if got := shape(t, bench); got != want {
			t.Fatalf("the page has other elements than with harmless names: %d bytes of names, want %d", len(got), len(want))
		}
		for _, r := range body(t, bench) {
			if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0 || r == 0x1b {
				t.Fatalf("the page holds %U", r)
			}
		}
	})
	long := strings.Repeat("long ", 60)
	for _, e := range withClass(elements(t, body(t, oneIndex(map[string]*exam.ModelIndex{long: full(1, 1, 1, 1)}))), "span", "name") {
		if e.attrs["title"] == long {
			return
		}
	}
	t.Error("the whole of a long name is nowhere")
}

func TestEqualResultsGiveEqualPages(t *testing.T) {
	want := body(t, everything("a", "b", "c"))
	for range 10 {
		if got := body(t, everything("a", "b", "c")); got != want {
			t.Fatal("the pages differ")
		}
	}
}

// An Index may exceed 100: the bars share a scale, and all fit.
func TestBarsCopeWithMoreThan100Points(t *testing.T) {
	for _, test := range []struct {
		mean  float64
		marks int
	}{{1, 0}, {4, 2}, {1e300, 2}} {
		page := elements(t, body(t, oneIndex(map[string]*exam.ModelIndex{"a": full(1, 1, test.mean, 1), "b": full(0, 0, 0.5, 0)})))
		var marks int
		for i, bar := range page {
			if bar.attrs["class"] != "bar" {
				continue
			}
			end := 0.0
			for _, e := range page[i+1:] {
				if e.name == "svg" {
					break
				}
				if e.attrs["class"] == "mark" {
					marks++
				}
				if strings.HasPrefix(e.attrs["class"], "part") {
					end = max(end, percentage(t, e.attrs["x"])+percentage(t, e.attrs["width"]))
				}
			}
			if end > 100.02 {
				t.Errorf("%v: a bar ends at %v%%", test.mean, end)
			}
		}
		if marks != test.marks {
			t.Errorf("%v: 100 points are marked %d times, want %d", test.mean, marks, test.marks)
		}
	}
}

func percentage(t testing.TB, s string) (f float64) {
	t.Helper()
	if _, err := fmt.Sscanf(s, "%g%%", &f); err != nil || math.IsNaN(f) {
		t.Fatalf("%q is no length: %v", s, err)
	}
	return f
}

func TestIncompleteModelsAreLastAndHaveNoIndex(t *testing.T) {
	lacking := full(1, 1, 1, 1)
	lacking.Status, lacking.Index, lacking.Tracks.Open.Mean, lacking.Tracks.Open.Points = exam.Incomplete, nil, nil, nil
	lacking.Tracks.Open.Tasks[0] = exam.TaskMean{Item: "item-open"}
	lacking.Issues = []exam.Issue{
		{Code: "no_attempt", Track: exam.Open, Item: "item-open", Message: "no adopted attempt"},
		{Code: "no_attempt", Track: exam.Open, Item: "item-open", Message: "no adopted attempt"},
	}
	page := body(t, oneIndex(map[string]*exam.ModelIndex{"a": lacking, "b": full(0, 0, 0, 0), "c": full(0, 0, 0, 0)}))
	all := elements(t, page)
	var got []string
	for _, e := range append(withClass(all, "td", "rank"), withClass(all, "td", "total")...) {
		got = append(got, e.content)
	}
	if want := "1= 1= – 0.00 0.00 not yet"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if missing := withClass(all, "td", "missing"); len(missing) != 1 || !strings.Contains(page, `<span class="figure">–</span>`) {
		t.Errorf("%d tasks are marked as missing", len(missing))
	}
	for _, part := range []string{"What keeps a incomplete", "2 of 4 planned results are missing", "no adopted attempt (2 times)"} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is missing in\n%s", part, page)
		}
	}
}

func TestNoZeroHasASign(t *testing.T) {
	zero := math.Copysign(0, -1)
	b := oneIndex(map[string]*exam.ModelIndex{"m": full(zero, zero, zero, zero)})
	b.Solvers = oneSolver(ok("i", zero), ok("j", -1e-9)).Solvers
	for i := range b.Solvers[0].Result.Instances {
		in := &b.Solvers[0].Result.Instances[i]
		in.Mu, in.S, in.Value = zero, zero, &zero
	}
	var table, text bytes.Buffer
	if err := errors.Join(report.CSV(&table, b), report.Markdown(&text, b)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{body(t, b), text.String(), table.String()} {
		if found := regexp.MustCompile(`[-−]0(\.0*)?([^\d.e]|$)`).FindString(strings.ReplaceAll(text, exam.Metric, "")); found != "" && found != "-0 0" {
			t.Errorf("found %q in\n%s", found, text)
		}
	}
}

func TestEmptyResultsGiveAPage(t *testing.T) {
	for _, b := range []report.Benchmark{
		{},
		{Indexes: []report.Named[*exam.IndexResult]{{Result: &exam.IndexResult{}}}},
		{Solvers: []report.Named[*exam.SolverResult]{{Result: &exam.SolverResult{}}}},
		oneIndex(map[string]*exam.ModelIndex{"m": {}}),
		oneIndex(map[string]*exam.ModelIndex{"m": model(exam.Incomplete, 0), "n": model(exam.Provisional, 3)}),
	} {
		page := body(t, b)
		elements(t, page)
		if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("got %s", page)
		}
		for _, write := range []func(io.Writer, report.Benchmark) error{report.HTML, report.Markdown, report.CSV} {
			if err := write(io.Discard, b); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAPageOfItsOwnNeedsNothingElse(t *testing.T) {
	var out bytes.Buffer
	b := everything("a", "b", "c")
	b.Title = "</title><script>alert(1)</script>"
	if err := report.HTML(&out, b); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, part := range []string{"<!doctype html>\n<html lang=\"en\">", "width=device-width", look.Style, report.Style, `href="data:image/svg+xml;base64,`, "<main>"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if strings.Contains(text, "<script") {
		t.Error("the title became markup")
	}
	if found := regexp.MustCompile(`(src|href)="[^#d]|url\(|@import|https?:`).FindString(text); found != "" {
		t.Errorf("the page asks for something: %q", found)
	}
}

func TestErrorsOfTheWriterOfAReportAreReturned(t *testing.T) {
	for _, write := range []func(io.Writer, report.Benchmark) error{report.HTML, report.Markdown, report.CSV} {
		if err := write(new(failing), everything("a", "b", "c")); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
	}
}
