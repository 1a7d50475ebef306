package report_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"scorebook/internal/report"
)

var verb = regexp.MustCompile(`%(\[\d+\])?[sdgqv]`)

// asked are the texts that the package asks for: in calls of say and count, in
// the template, and those that stand in tables.
func asked(t *testing.T) map[string]bool {
	t.Helper()
	texts := map[string]bool{
		"theorem proving": true, "solver engineering": true, "constructions": true, "open conjectures": true,
		"relative floor": true, "spread of the reference": true, "absolute floor": true,
		"suite": true, "cohort": true, "attempts": true, "records": true, "reference": true,
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "say" || f.Sel.Name == "count") {
				for _, argument := range call.Args[:min(3, len(call.Args))] {
					if literal, ok := argument.(*ast.BasicLit); ok && literal.Kind == token.STRING {
						text, err := strconv.Unquote(literal.Value)
						if err != nil {
							t.Fatal(err)
						}
						texts[text] = true
					}
				}
			}
			return true
		})
	}
	page, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\{\{t "([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		texts[m[1]] = true
	}
	return texts
}

// Each text has its Vietnamese, with the same places for arguments, and there is
// none that nobody asks for.
func TestEveryTextIsInVietnamese(t *testing.T) {
	content, err := os.ReadFile("vi.json")
	if err != nil {
		t.Fatal(err)
	}
	vi := map[string]string{}
	if err := json.Unmarshal(content, &vi); err != nil {
		t.Fatal(err)
	}
	texts := asked(t)
	if len(texts) < 80 {
		t.Errorf("found %d texts, expected more: are the calls still found?", len(texts))
	}
	for text := range texts {
		other, ok := vi[text]
		if !ok {
			t.Errorf("%q is missing", text)
			continue
		}
		want, got := verb.FindAllString(text, -1), verb.FindAllString(other, -1)
		for i := range got {
			got[i] = regexp.MustCompile(`\[\d+\]`).ReplaceAllString(got[i], "")
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%q: found the arguments %q in %q, expected %q", text, got, other, want)
		}
	}
	for text := range vi {
		if !texts[text] {
			t.Errorf("nothing asks for %q", text)
		}
	}
}

// A page in another language differs in words, and in no figure or name.
func TestPageInVietnamese(t *testing.T) {
	b := everything("alpha", "beta", "gamma")
	page, err := report.Body(b, report.Vietnamese)
	if err != nil {
		t.Fatal(err)
	}
	english, err := report.Body(b, report.English)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mô hình", "Từng bài một", "Điểm số từ đâu ra", "alpha"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, strange := range []string{"%!", "Task by task", "relative score", "planned"} {
		if strings.Contains(string(page), strange) {
			t.Errorf("found %q", strange)
		}
	}
	figure := regexp.MustCompile(`>[−0-9.,]+<`)
	if got, want := figure.FindAllString(string(page), -1), figure.FindAllString(string(english), -1); !slices.Equal(got, want) {
		t.Errorf("found the figures %q, expected %q", got, want)
	}
}
