package scorebook_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// The import law: which package may import what. This process reads the import
// clauses itself, so the test cache notices every change (it would not see what
// `go list` reads) and files for other systems count too.

// law is what a package may import. Its tests may import, besides, the package
// itself, what is for tests, sample, and whatever is not ours.
type law struct {
	ours  []string // packages of this module; see anyOf
	not   []string // exceptions from anyOf
	pure  bool     // a function of values: nothing of impure, and of third parties only what is named
	third []string // pure packages: these modules of others
	time  bool     // pure packages: package time for its values, but none of clock
	never []string // impure packages: these and everything below
	later bool     // not written yet; the mark goes when the package comes
}

const (
	module   = "scorebook"
	testkit  = "internal/testkit" // for tests only, whatever the table says
	sample   = "internal/sample"
	anyOf    = "*" // every package of the table but testkit, the root and the programs
	maxLines = 500 // of a source file

	levenshtein = "github.com/agnivade/levenshtein"
	goccy       = "github.com/goccy/go-yaml"
	gonum       = "gonum.org/v1/gonum"
	jsonModule  = "github.com/go-json-experiment/json"
	xtext       = "golang.org/x/text"
)

// impure is what a pure package must not import, with everything below. Package
// embed is not in it: embedded bytes are values.
var impure = []string{
	"C", "crypto/rand", "database/sql", "io/ioutil", "log", "math/rand", "net", "os", "syscall", "testing", "time", "unsafe",
}

// clock is what package time has besides values: the wall clock, the timers, and
// the time zones of the machine.
var clock = []string{
	"After", "AfterFunc", "LoadLocation", "Local", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until",
}

var house = map[string]law{
	".":         {pure: true},
	"diag":      {pure: true},
	"strict":    {pure: true, ours: []string{"diag"}, third: []string{goccy, jsonModule, levenshtein, xtext}},
	"stat":      {pure: true, third: []string{gonum}},
	"standings": {pure: true, time: true},
	"exam": {
		pure: true, ours: []string{"diag", "strict", "stat", "standings"},
		third: []string{jsonModule, levenshtein, xtext},
	},
	"retrieval": {pure: true, ours: []string{"diag", "strict"}, third: []string{jsonModule, xtext}, time: true},
	"contest":   {pure: true, ours: []string{"retrieval", "standings"}, third: []string{xtext}, time: true},
	"setup":     {pure: true, ours: []string{"diag", "strict", "retrieval"}, third: []string{xtext}, time: true},

	"internal/journal":             {ours: []string{"contest", "retrieval"}, never: []string{"database/sql", "net/http"}},
	"internal/journal/journaltest": {ours: []string{"contest", "internal/journal"}},
	"internal/keep":                {ours: []string{"contest"}, never: []string{"database/sql", "net/http", "os"}},
	"internal/keep/keeptest":       {ours: []string{"contest", "internal/keep"}},
	"internal/store":               {ours: []string{"contest", "internal/journal", "internal/keep"}, never: []string{"net/http"}},
	"internal/export":              {ours: []string{"contest", "retrieval", "internal/journal", "internal/keep"}, never: []string{"database/sql", "net/http", "os"}},
	"internal/service": {
		ours:  []string{"contest", "retrieval", "standings", "internal/journal", "internal/export"},
		never: []string{"database/sql", "net/http"},
	},
	"internal/service/servicetest": {ours: []string{"contest", "internal/journal", "internal/service"}},
	"internal/auth":                {ours: []string{"internal/service"}, never: []string{"database/sql", "os"}},
	"internal/intake":              {ours: []string{"retrieval", "contest", "internal/service"}, never: []string{"database/sql", "net/http"}},
	"internal/live":                {ours: []string{"retrieval", "contest", "internal/service"}, never: []string{"database/sql"}},
	"internal/httpapi": {
		ours: []string{anyOf}, not: []string{"internal/store", "internal/journal"},
		never: []string{"database/sql"},
	},
	"internal/dresapi": {
		ours: []string{anyOf}, not: []string{"internal/store", "internal/journal"},
		never: []string{"database/sql"},
	},
	"internal/bench":    {never: []string{"database/sql"}},
	"internal/conform":  {ours: []string{"diag", "retrieval"}, never: []string{"database/sql", "os"}},
	"internal/dresfile": {ours: []string{"diag", "strict", "retrieval", "contest", "setup"}, never: []string{"database/sql", "net", "os"}},
	"internal/load":     {never: []string{"database/sql"}},
	"internal/rivals":   {ours: []string{"retrieval"}, never: []string{"database/sql"}},
	"internal/webui": {
		ours:  []string{"diag", "strict", "exam", "retrieval", "contest", "standings", "internal/service", "internal/auth", "internal/intake", "internal/live", "internal/look", "internal/report"},
		never: []string{"database/sql"},
	},
	"internal/report": {ours: []string{"diag", "stat", "exam", "standings", "internal/look"}, never: []string{"database/sql", "net"}},
	"internal/look":   {never: []string{"database/sql", "net", "os"}},
	"internal/cli":    {ours: []string{"diag", "strict"}, never: []string{"database/sql", "net"}},
	sample:            {never: []string{"database/sql", "net", "os"}},
	testkit:           {},

	"cmd/scorebook": {ours: []string{anyOf}},
	"cmd/tcsexam":   {ours: []string{anyOf}},
}

func TestImportLaw(t *testing.T) {
	report(t, checkPackages(os.DirFS("."), house))
}

func TestNoPathsOfBuildMachines(t *testing.T) {
	report(t, checkPaths(os.DirFS(".")))
}

// The package comment lists the packages that exist, and no others.
func TestPackageCommentListsPackages(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for dir, law := range house {
		listed := bytes.Contains(doc, []byte("\n//\t"+dir+" "))
		if dir != "." && dir != testkit && listed == law.later {
			t.Errorf("doc.go: %s: listed is %t, later is %t", dir, listed, law.later)
		}
	}
}

func report(t *testing.T, faults []string) {
	t.Helper()
	for _, fault := range faults {
		t.Error(fault)
	}
}

// checkPackages holds every Go file of the tree against the table, and the table
// against the tree.
func checkPackages(tree fs.FS, table map[string]law) (faults []string) {
	found := map[string]bool{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && foreign(tree, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		dir := path.Dir(name)
		law, known := table[dir]
		switch {
		case found[dir]:
		case !known:
			faults = append(faults, fmt.Sprintf("%s: the package is not in the table", dir))
		case law.later:
			faults = append(faults, fmt.Sprintf("%s: the package exists: remove the mark `later` in the table", dir))
		}
		found[dir] = true
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if n := bytes.Count(source, []byte("\n")); n > maxLines {
			faults = append(faults, fmt.Sprintf("%s: %d lines, at most %d are allowed", name, n, maxLines))
		}
		if known {
			faults = append(faults, checkFile(name, source, law, table)...)
		}
		return nil
	})
	if err != nil {
		faults = append(faults, err.Error())
	}
	for dir, law := range table {
		if !found[dir] && !law.later {
			faults = append(faults, fmt.Sprintf("%s: the package is in the table and not in the tree", dir))
		}
	}
	slices.Sort(faults)
	return faults
}

// foreign reports whether a folder is none of this module's, as the go command
// sees it.
func foreign(tree fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	if base := path.Base(dir); base == "testdata" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(tree, path.Join(dir, "go.mod"))
	return err == nil
}

func checkFile(name string, source []byte, law law, table map[string]law) (faults []string) {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.ImportsOnly)
	if err != nil {
		return []string{err.Error()}
	}
	dir, isTest := path.Dir(name), strings.HasSuffix(name, "_test.go")
	fault := func(at token.Pos, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s:%d: ", name, positions.Position(at).Line)+fmt.Sprintf(format, args...))
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			fault(spec.Pos(), "%v", err)
			continue
		}
		first, _, _ := strings.Cut(imported, "/")
		switch {
		case first == module:
			if !law.allows(dir, imported, isTest, table) {
				fault(spec.Pos(), "%s must not import %s", dir, imported)
			}
		case isTest:
		case strings.Contains(first, "."):
			if law.pure && !within(imported, law.third) {
				fault(spec.Pos(), "%s is pure and must not import %s of a third party", dir, imported)
			}
		case law.pure && imported == "time" && law.time:
			for _, used := range clockUses(name, source, spec) {
				fault(spec.Pos(), "%s knows time but no clock: time.%s", dir, used)
			}
		case law.pure && within(imported, impure):
			fault(spec.Pos(), "%s is pure and must not import %s", dir, imported)
		case within(imported, law.never):
			fault(spec.Pos(), "%s must never import %s", dir, imported)
		}
	}
	return faults
}

// allows judges an import of a package of ours.
func (l law) allows(dir, imported string, isTest bool, table map[string]law) bool {
	target := strings.TrimPrefix(imported, module+"/")
	switch {
	case isTest && (forTests(target) || target == sample || target == dir):
		return true
	case forTests(target) && !forTests(dir):
		return false
	case slices.Contains(l.ours, target):
		return true
	}
	_, known := table[target]
	return slices.Contains(l.ours, anyOf) && known && !slices.Contains(l.not, target) && !within(target, []string{"cmd"})
}

// forTests reports whether a package is for tests only: testkit, and those named
// for what they test, such as servicetest.
func forTests(target string) bool {
	parent, name := path.Split(target)
	return target == testkit || name == path.Base(parent)+"test"
}

// within reports whether an import path is one of roots or below one.
func within(imported string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return imported == root || strings.HasPrefix(imported, root+"/")
	})
}

// clockUses finds the names of clock that a file takes from package time.
func clockUses(name string, source []byte, spec *ast.ImportSpec) (uses []string) {
	local := "time"
	if spec.Name != nil {
		local = spec.Name.Name
	}
	if local == "." {
		return []string{"* (a dot import hides what is used)"}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if from, ok := selector.X.(*ast.Ident); ok && from.Name == local && slices.Contains(clock, selector.Sel.Name) {
				uses = append(uses, selector.Sel.Name)
			}
		}
		return true
	})
	return uses
}

// buildPath matches an absolute path in the home or the work folder of some machine.
// Note: the slash must not follow a name, so parts of a URL or of a relative path do not match.
var buildPath = regexp.MustCompile(`(?m)(^|[^\w.~)}-])/(work|root|home|Users)/`)

// checkPaths looks for paths of a build machine in all text files outside testdata.
func checkPaths(tree fs.FS) (faults []string) {
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains([]string{".git", ".idea", ".vscode", "testdata"}, entry.Name()) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil // in a linked work tree .git is a file, with a path
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(content, 0) >= 0 {
			return nil // a binary
		}
		for _, at := range buildPath.FindAllIndex(content, -1) {
			line := 1 + bytes.Count(content[:at[1]], []byte("\n"))
			faults = append(faults, fmt.Sprintf("%s:%d: a path of a build machine: %q", name, line, content[at[0]:at[1]]))
		}
		return nil
	})
	if err != nil {
		faults = append(faults, err.Error())
	}
	return faults
}

// The checks see what they are for: each case changes one thing in a small tree
// without a fault.
func TestChecksReport(t *testing.T) {
	table := map[string]law{
		"diag":            {pure: true},
		"exam":            {pure: true, ours: []string{"diag"}, third: []string{xtext}},
		"contest":         {pure: true, time: true},
		"internal/store":  {ours: []string{"diag"}, never: []string{"net"}},
		"internal/rivals": {ours: []string{"retrieval"}, never: []string{"database/sql"}},
		"internal/webui":  {later: true},
		testkit:           {},
		"cmd/x":           {ours: []string{anyOf}, not: []string{"internal/store"}},
	}
	imports := func(paths ...string) string {
		return "package p\n\nimport (\n\t\"" + strings.Join(paths, "\"\n\t\"") + "\"\n)\n"
	}
	tests := []struct{ name, file, content, want string }{
		{"nothing", "go.mod", "", ""},
		{"ours, allowed", "exam/b.go", imports("scorebook/diag", "strings", "golang.org/x/text/unicode/norm"), ""},
		{"ours, backwards", "diag/b.go", imports("scorebook/exam"), "diag/b.go:4: diag must not import scorebook/exam"},
		{"ours, backwards in a test", "diag/b_test.go", imports("scorebook/exam"), "diag must not import scorebook/exam"},
		{"ours, the root", "diag/b.go", imports("scorebook"), "diag must not import scorebook"},
		{"any of ours", "cmd/x/b.go", imports("scorebook/exam", "scorebook/diag", "os"), ""},
		{"any of ours, but", "cmd/x/b.go", imports("scorebook/internal/store"), "cmd/x must not import scorebook/internal/store"},
		{"what a test may", "diag/b_test.go", imports("scorebook/diag", "scorebook/internal/testkit", "os", "pgregory.net/rapid"), ""},
		{"testkit outside tests", "cmd/x/b.go", imports("scorebook/internal/testkit"), "must not import scorebook/internal/testkit"},
		{"for tests, in a test", "diag/b_test.go", imports("scorebook/diag/diagtest"), ""},
		{"for tests, outside", "cmd/x/b.go", imports("scorebook/diag/diagtest"), "must not import scorebook/diag/diagtest"},
		{"impure", "diag/b.go", imports("os"), "diag is pure and must not import os"},
		{"impure, on another system", "diag/b_windows.go", imports("syscall"), "diag is pure and must not import syscall"},
		{"impure, below", "exam/b.go", imports("math/rand/v2"), "exam is pure and must not import math/rand/v2"},
		{"third party", "exam/b.go", imports("github.com/a/b"), "must not import github.com/a/b of a third party"},
		{"third party, similar", "exam/b.go", imports("golang.org/x/textual"), "must not import golang.org/x/textual"},
		{"third party, impure package", "internal/store/b.go", imports("github.com/a/b", "os", "time"), ""},
		{"never", "internal/store/b.go", imports("net/http"), "internal/store must never import net/http"},
		{"time without leave", "exam/b.go", imports("time"), "exam is pure and must not import time"},
		{"time", "contest/b.go", imports("time") + "\nvar x time.Duration = time.Second\n", ""},
		{"clock", "contest/b.go", imports("time") + "\nvar x = time.Now\n", "no clock: time.Now"},
		{"clock, renamed", "contest/b.go", "package p\n\nimport t \"time\"\n\nvar x = t.Since(t.Time{})\n", "no clock: time.Since"},
		{"clock, hidden", "contest/b.go", "package p\n\nimport . \"time\"\n", "dot import"},
		{"unknown package", "util/b.go", "package util\n", "util: the package is not in the table"},
		{"later package", "internal/webui/b.go", "package webui\n", "internal/webui: the package exists"},
		{"missing package", "exam/a.go", "", "exam: the package is in the table and not in the tree"},
		{"foreign: testdata", "diag/testdata/b.go", imports("os"), ""},
		{"foreign: hidden", ".ci/b.go", imports("os"), ""},
		{"foreign: module", "sub/go.mod", "module sub\n", ""},
		{"not Go", "diag/b.go", "pakcage diag\n", "diag/b.go:1:1: expected 'package'"},
		{"long", "diag/b_test.go", "package p\n" + strings.Repeat("\n", maxLines), "501 lines"},
		{"path", ".ci/x", "first\ncd /" + "work/main\n", ".ci/x:2: a path of a build machine"},
		{"path, quoted", "a.md", `"/` + `home/me/x"`, "a.md:1:"},
		{"path, none", "a.md", "https://example.org/" + "home/a ./" + "root/b $(pwd)/" + "work/c", ""},
		{"path, test data", "testdata/a", "/" + "root/x", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := fstest.MapFS{"sub/cmd/a.go": {Data: []byte(imports("unsafe"))}, "sub/go.mod": {Data: []byte("module sub")}}
			for dir, law := range table {
				if !law.later {
					tree[dir+"/a.go"] = &fstest.MapFile{Data: []byte("package p\n")}
				}
			}
			tree[test.file] = &fstest.MapFile{Data: []byte(test.content)}
			if test.content == "" {
				delete(tree, test.file)
			}
			faults := append(checkPackages(tree, table), checkPaths(tree)...)
			if test.want == "" && len(faults) == 0 {
				return
			}
			if test.want == "" || len(faults) != 1 || !strings.Contains(faults[0], test.want) {
				t.Errorf("got %q, want %q", faults, test.want)
			}
		})
	}
}
