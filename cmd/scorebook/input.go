package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/retrieval"
	"scorebook/setup"
	"scorebook/strict"
)

// rules returns a ruleset that was given by the name of a preset or by the path
// of a file. Faults of the file are in a.Diags.
func (a *app) rules(ctx context.Context, given string) (retrieval.Ruleset, error) {
	if rules, ok := retrieval.Preset(given); ok {
		return rules, nil
	}
	rules, err := cli.Parse(ctx, a.App, given, func(src *strict.Source, diags *diag.List) retrieval.Ruleset {
		name := strings.TrimSuffix(filepath.Base(src.File()), filepath.Ext(src.File()))
		rules, _ := retrieval.ParseRuleset(src, diags, name)
		return rules
	})
	if cli.ExitCode(err) == cli.ExitUsage && !strings.ContainsAny(given, `/\.`) {
		return rules, cli.Usage("there is neither a preset nor a file %q: the presets are %s", given, strings.Join(retrieval.Presets(), ", "))
	}
	return rules, err
}

// groundTruth reads a table of questions. Its faults are in a.Diags.
func (a *app) groundTruth(ctx context.Context, path string) ([]retrieval.Question, error) {
	return cli.Parse(ctx, a.App, path, func(src *strict.Source, diags *diag.List) []retrieval.Question {
		questions, _ := retrieval.ParseGroundTruth(src, diags)
		return questions
	})
}

// setup reads a contest file. Its faults are in a.Diags.
func (a *app) setup(ctx context.Context, path string) (*setup.Setup, error) {
	return cli.Parse(ctx, a.App, path, func(src *strict.Source, diags *diag.List) *setup.Setup {
		s, _ := setup.Parse(src, diags)
		return s
	})
}

// beside returns a path that a contest file names, as seen from here.
func beside(file, path string) string {
	if filepath.IsAbs(path) || file == cli.Stdio {
		return path
	}
	return filepath.Join(filepath.Dir(file), path)
}

// isPreset reports whether a text names a preset.
func isPreset(name string) bool { return slices.Contains(retrieval.Presets(), name) }
