package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/report"
	"scorebook/internal/sample"
	"scorebook/strict"
)

// sampleIndex returns the Index of the embedded benchmark, which the demo shows
// beside the contest; nil after a fault.
func sampleIndex(diags *diag.List) (*exam.IndexResult, error) {
	suite, err := embedded("sample.suite.json", diags, exam.ParseSuite)
	if err != nil {
		return nil, err
	}
	cohort, err := embedded("cohort.json", diags, exam.ParseCohort)
	if err != nil {
		return nil, err
	}
	attempts, err := embedded("attempts.csv", diags, exam.ParseAttempts)
	if err != nil || !diags.OK() {
		return nil, err
	}
	cohort.CheckSuite(suite, "", diags)
	attempts.Check(suite, cohort, diags)
	if !diags.OK() {
		return nil, nil
	}
	return exam.ComputeIndex(suite, cohort, attempts, diags), nil
}

// sampleScore returns the score of records of the embedded benchmark, which are
// named by model and task; nil after a fault.
func sampleScore(name string, diags *diag.List) (*exam.SolverResult, error) {
	ref, err := embedded("sample.reference.json", diags, exam.ParseReference)
	if err != nil {
		return nil, err
	}
	records, err := embedded("records/"+name, diags, exam.ParseRecords)
	if err != nil || !diags.OK() {
		return nil, err
	}
	_, task, _ := strings.Cut(strings.TrimSuffix(name, ".json"), ".")
	return exam.ScoreSolver(ref, ref.FindTask(task, diags), records, diags), nil
}

// writeSampleResults writes results of the embedded benchmark into a folder, as
// tcsexam would, for the pages to show.
func writeSampleResults(dir string, index *exam.IndexResult, diags *diag.List) error {
	const records = "sample-alpha.sample-miplib-primal.json"
	score, err := sampleScore(records, diags)
	if err != nil || !diags.OK() {
		return err
	}
	for name, result := range map[string]any{"index.json": index, records: score} {
		var text bytes.Buffer
		if err := report.JSON(&text, result); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// embedded reads a file of the sample.
func embedded[T any](name string, diags *diag.List, parse func(*strict.Source, *diag.List) T) (value T, err error) {
	file, err := sample.Files().Open(name)
	if err != nil {
		return value, err
	}
	defer file.Close() //nolint:errcheck // embedded
	return parse(strict.NewSource(name, file, 0), diags), nil
}
