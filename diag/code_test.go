package diag_test

import (
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
)

// The names are not defined in their order.
var (
	codeZulu  = diag.Define("zulu/last", diag.Warning, "a thing is odd", "look at it")
	codeAlpha = diag.Define("alpha/first", diag.Error, "a thing is wrong", "mend it")
	codeMike  = diag.Define("mike/middle", diag.Error, "a thing is missing", "add it")
)

func TestDefineRefuses(t *testing.T) {
	for name, define := range map[string]func(){
		"no slash":       func() { diag.Define("alpha", diag.Error, "m", "r") },
		"no area":        func() { diag.Define("/fault", diag.Error, "m", "r") },
		"no fault":       func() { diag.Define("area/", diag.Error, "m", "r") },
		"nothing":        func() { diag.Define("", diag.Error, "m", "r") },
		"no meaning":     func() { diag.Define("area/meaning", diag.Error, "", "r") },
		"no remedy":      func() { diag.Define("area/remedy", diag.Error, "m", "") },
		"repeated":       func() { diag.Define("alpha/first", diag.Error, "m", "r") },
		"other severity": func() { diag.Define("alpha/first", diag.Warning, "m", "r") },
	} {
		t.Run(name, func(t *testing.T) {
			before := len(diag.Catalogue())
			defer func() {
				if recover() == nil {
					t.Error("it was defined")
				}
				if after := len(diag.Catalogue()); after != before {
					t.Errorf("the catalogue has %d codes, before it had %d", after, before)
				}
			}()
			define()
		})
	}
}

func TestCatalogueHoldsEveryCodeByName(t *testing.T) {
	entries := diag.Catalogue()
	byName := func(a, b diag.Entry) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(entries, byName) {
		t.Errorf("not sorted: %v", entries)
	}
	for _, want := range []diag.Entry{
		{Name: "alpha/first", Severity: diag.Error, Meaning: "a thing is wrong", Remedy: "mend it"},
		{Name: "mike/middle", Severity: diag.Error, Meaning: "a thing is missing", Remedy: "add it"},
		{Name: "zulu/last", Severity: diag.Warning, Meaning: "a thing is odd", Remedy: "look at it"},
	} {
		if !slices.Contains(entries, want) {
			t.Errorf("%v is missing in %v", want, entries)
		}
	}
}

func TestCatalogueIsACopy(t *testing.T) {
	diag.Catalogue()[0].Name = "changed/name"
	if slices.ContainsFunc(diag.Catalogue(), func(e diag.Entry) bool { return e.Name == "changed/name" }) {
		t.Error("a caller changed the catalogue")
	}
}

func TestCodeKnowsItsNameAndSeverity(t *testing.T) {
	for _, test := range []struct {
		code     diag.Code
		name     string
		severity diag.Severity
		word     string
	}{
		{codeAlpha, "alpha/first", diag.Error, "error"},
		{codeZulu, "zulu/last", diag.Warning, "warning"},
		{diag.Code{}, "", diag.Error, "error"},
	} {
		if test.code.String() != test.name || test.code.Severity() != test.severity || test.code.Severity().String() != test.word {
			t.Errorf("got %q, %v (%s), want %+v", test.code, test.code.Severity(), test.code.Severity(), test)
		}
	}
}
