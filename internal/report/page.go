package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"scorebook/exam"
	"scorebook/internal/look"
)

// Style is the style sheet of what [Body] writes. It stands behind
// [look.Style], whose colours it uses.
//
//go:embed report.css
var Style string

//go:embed page.html
var pageText string

// pages holds the template by language.
var pages = map[Language]*template.Template{English: parsePage(English), Vietnamese: parsePage(Vietnamese)}

func parsePage(lang Language) *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"t": wordings[lang].say}).Parse(pageText))
}

// Benchmark is what one report shows.
type Benchmark struct {
	Title   string // heading; if empty, what the results are of
	Indexes []Named[*exam.IndexResult]
	Solvers []Named[*exam.SolverResult]
}

// Named is a result and the name under which people know it, such as that of
// its file. A solver result does not say whose it is, so its name should. The
// result is not nil.
type Named[T any] struct {
	Name   string
	Result T
}

// heading returns the title, or what the results are of.
func (b *Benchmark) heading(w words) string {
	switch {
	case b.Title != "":
		return b.Title
	case len(b.Indexes) > 0:
		first := b.Indexes[0].Result
		for _, other := range b.Indexes[1:] {
			if other.Result.Suite != first.Suite || other.Result.Protocol != first.Protocol {
				return w.say("Benchmark results")
			}
		}
		return first.Suite + " · " + string(first.Protocol)
	case len(b.Solvers) > 0:
		first := b.Solvers[0].Result
		for _, other := range b.Solvers[1:] {
			if other.Result.Task != first.Task {
				return w.say("Solver results")
			}
		}
		return first.Task
	}
	return w.say("No results")
}

// headed reports whether a heading names the suite and protocol of each Index:
// the title does for a single one, and each of several has its own.
func (b *Benchmark) headed() bool { return b.Title == "" || len(b.Indexes) > 1 }

// Body renders results as a part of a page: HTML with its pictures as SVG,
// without script and without style attributes. It is well-formed XML too. Equal
// results give equal bytes.
func Body(b Benchmark, lang Language) (template.HTML, error) {
	var out bytes.Buffer
	if err := pages[lang].Execute(&out, newPage(wordings[lang], &b)); err != nil {
		return "", fmt.Errorf("render report: %w", err)
	}
	return template.HTML(out.String()), nil //nolint:gosec // it is what the template has escaped
}

// HTML writes results as one file that needs nothing else: a page in English with
// its style sheet and its icon.
func HTML(w io.Writer, b Benchmark) error {
	body, err := Body(b, English)
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>" + template.HTMLEscapeString(name(b.heading(nil))) + "</title>\n" +
		"<link rel=\"icon\" href=\"data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(look.Icon)) + "\">\n" +
		"<style>\n" + look.Style + Style + "</style>\n</head>\n<body>\n<main>\n")
	out.WriteString(string(body))
	out.WriteString("</main>\n</body>\n</html>\n")
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// pageView is what the template shows; every text in it is ready to be read.
type pageView struct {
	Title   string
	Alone   *indexView // the only Index: its facts stand below the title
	Indexes []indexView
	Summary []solverView // of more than one solver result
	Solvers []solverView
}

func newPage(w words, b *Benchmark) pageView {
	p := pageView{Title: name(b.heading(w))}
	for i, named := range b.Indexes {
		p.Indexes = append(p.Indexes, newIndexView(w, i+1, b.headed(), named))
	}
	if len(p.Indexes) == 1 {
		p.Alone = &p.Indexes[0]
	}
	for i, named := range b.Solvers {
		p.Solvers = append(p.Solvers, newSolverView(w, i+1, named))
	}
	if len(p.Solvers) > 1 {
		p.Summary = p.Solvers
	}
	return p
}

// fact is a text of a line of facts, with what it is short for.
type fact struct {
	What  string // before it, quiet
	Text  string
	Whole string // shown by the pointer; may be empty
	Code  bool   // set in the type of code
}
