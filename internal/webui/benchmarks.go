package webui

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/report"
	"scorebook/strict"
)

// Bounds on the folder of results.
const (
	maxResults     = 500      // files
	maxResultBytes = 64 << 20 // of a file
)

// benchmarksPage shows the results of benchmarks.
type benchmarksPage struct {
	*frame
	Given   bool // a folder was given
	Results []benchmarkLink
	Broken  []brokenResult
	Left    int // files beyond the bound
	Body    template.HTML
}

type benchmarkLink struct {
	Name, Link string
	Current    bool
}

type brokenResult struct{ Name, Message string }

// results are those of the folder, read again when it changes.
type results struct {
	mu      sync.Mutex
	state   string // names, sizes and times of the files that were read
	indexes []report.Named[*exam.IndexResult]
	solvers []report.Named[*exam.SolverResult]
	broken  []brokenResult
	left    int
	bodies  map[string]template.HTML // by the language and the result that is shown
}

func (s *site) benchmarks(v *visit) error {
	p := benchmarksPage{frame: s.frame(v, v.say("benchmarks.title")), Given: s.options.Results != nil}
	if !p.Given {
		return s.render(v, http.StatusOK, "benchmarks", p)
	}
	r := &s.results
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read(s.options.Results)
	asked := v.Query("result")
	var err error
	if p.Body, err = r.body(v.Lang, asked); err != nil {
		return err
	}
	p.Broken, p.Left = r.broken, r.left
	for _, named := range r.names() {
		p.Results = append(p.Results, benchmarkLink{named, "/benchmarks?result=" + url.QueryEscape(named), named == asked})
	}
	return s.render(v, http.StatusOK, "benchmarks", p)
}

// read reads the folder, unless nothing in it changed since.
func (r *results) read(folder fs.FS) {
	entries, unread := fs.ReadDir(folder, ".")
	var names []string
	var state strings.Builder
	fmt.Fprintln(&state, unread)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || path.Ext(entry.Name()) != ".json" {
			continue
		}
		names = append(names, entry.Name())
		fmt.Fprintln(&state, entry.Name(), info.Size(), info.ModTime().UnixNano())
	}
	if r.bodies != nil && r.state == state.String() {
		return
	}
	r.state, r.left, r.bodies = state.String(), max(0, len(names)-maxResults), map[string]template.HTML{}
	r.indexes, r.solvers, r.broken = nil, nil, nil
	if unread != nil {
		r.broken = append(r.broken, brokenResult{".", fmt.Sprintf("the folder cannot be read: %v", unread)})
	}
	for _, name := range names[:min(maxResults, len(names))] {
		r.take(folder, name)
	}
}

// take reads a file: a result, or one that cannot be shown.
func (r *results) take(folder fs.FS, name string) {
	broken := func(format string, args ...any) {
		r.broken = append(r.broken, brokenResult{name, fmt.Sprintf(format, args...)})
	}
	file, err := folder.Open(name)
	if err != nil {
		broken("%v", err)
		return
	}
	content, err := io.ReadAll(io.LimitReader(file, maxResultBytes+1))
	err = errors.Join(err, file.Close())
	if err != nil || len(content) > maxResultBytes {
		broken("found a file of more than %d MiB, or one that cannot be read", maxResultBytes>>20)
		return
	}
	source := func() *strict.Source { return strict.NewSource(name, bytes.NewReader(content), maxResultBytes) }
	var diags diag.List
	label := strings.TrimSuffix(name, ".json")
	switch exam.Recognise(source()) {
	case exam.FormatIndexResult:
		if result := exam.ParseIndexResult(source(), &diags); diags.OK() && result != nil {
			r.indexes = append(r.indexes, report.Named[*exam.IndexResult]{Name: label, Result: result})
		}
	case exam.FormatSolverResult:
		if result := exam.ParseSolverResult(source(), &diags); diags.OK() && result != nil {
			r.solvers = append(r.solvers, report.Named[*exam.SolverResult]{Name: label, Result: result})
		}
	default:
		return // records, references and other files may lie here too
	}
	if !diags.OK() {
		first, _, _ := strings.Cut(diags.Text(), "\n")
		broken("%s", first)
	}
}

func (r *results) names() (names []string) {
	for _, named := range r.indexes {
		names = append(names, named.Name)
	}
	for _, named := range r.solvers {
		names = append(names, named.Name)
	}
	return names
}

// body renders the result with a name, or else every Index, or the first solver
// result if there is none.
func (r *results) body(lang, name string) (template.HTML, error) {
	var b report.Benchmark
	for _, named := range r.indexes {
		if name == "" || named.Name == name {
			b.Indexes = append(b.Indexes, named)
		}
	}
	for i, named := range r.solvers {
		if named.Name == name || name == "" && len(r.indexes) == 0 && i == 0 {
			b.Solvers = append(b.Solvers, named)
		}
	}
	if len(b.Indexes)+len(b.Solvers) == 0 {
		return "", nil
	}
	if made, ok := r.bodies[lang+" "+name]; ok {
		return made, nil
	}
	made, err := report.Body(b, report.Language(lang))
	if err == nil {
		r.bodies[lang+" "+name] = made // one for each result and language at most
	}
	return made, err
}
