package main

import (
	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/report"
	"scorebook/internal/sample"
	"scorebook/strict"
)

// sampleIndex returns the Index of the embedded benchmark as a table, which the
// demo shows beside the contest.
func sampleIndex(diags *diag.List) (string, error) {
	suite, err := embedded("sample.suite.json", diags, exam.ParseSuite)
	if err != nil {
		return "", err
	}
	cohort, err := embedded("cohort.json", diags, exam.ParseCohort)
	if err != nil {
		return "", err
	}
	attempts, err := embedded("attempts.csv", diags, exam.ParseAttempts)
	if err != nil || !diags.OK() {
		return "", err
	}
	cohort.CheckSuite(suite, "", diags)
	attempts.Check(suite, cohort, diags)
	if !diags.OK() {
		return "", nil
	}
	result := exam.ComputeIndex(suite, cohort, attempts, diags)
	if result == nil {
		return "", nil
	}
	return report.Index(result), nil
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
