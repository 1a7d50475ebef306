package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/setup"
	"scorebook/strict"
)

// contestNames are the names that only a contest file has.
var contestNames = []string{"ground_truth", "rules", "limits", "registration", "teams", "rate_limit", "reveal", "time_zone"}

// rulesNames returns the names that only a ruleset has.
func rulesNames() (names []string) {
	var parameters map[string]any
	text, err := json.Marshal(preset())
	if err == nil {
		err = json.Unmarshal(text, &parameters)
	}
	if err != nil {
		panic(err) // plain data
	}
	delete(parameters, "name") // which a contest has too
	for name := range parameters {
		names = append(names, name)
	}
	return append(names, "extends")
}

// recognise reports whether a YAML or JSON file is a ruleset: it has names of
// one and none of a contest file. The file is read whole and kept, so that it
// can be a pipe.
func (a *app) recognise(ctx context.Context, path string) (isRules bool, err error) {
	var failed error
	text, err := cli.Parse(ctx, a.App, path, func(src *strict.Source, diags *diag.List) []byte {
		text, err := io.ReadAll(src)
		if !src.TooLarge(diags) {
			failed = err
		}
		return text
	})
	if err == nil {
		err = failed
	}
	if err != nil || !a.Diags.OK() {
		return false, err
	}
	if a.Buffered == nil {
		a.Buffered = map[string][]byte{}
	}
	a.Buffered[path] = text
	var ignored diag.List // told when the file is read as what it is
	root, ok := strict.ReadTree(strict.NewSource(path, bytes.NewReader(text), 0), &ignored, setup.CodeInvalid)
	if !ok || !root.IsObject() {
		return false, nil
	}
	contest, rules := 0, 0
	var members []strict.Member
	count := func(names []string, n *int) {
		for _, name := range names {
			members = append(members, strict.Member{Name: name, Read: func(*strict.Node) { *n++ }})
		}
	}
	count(contestNames, &contest)
	count(rulesNames(), &rules)
	root.Object("", members...)
	return contest == 0 && rules > 0, nil
}
