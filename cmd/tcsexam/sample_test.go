package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/sample"
	"scorebook/strict"
)

var update = flag.Bool("update", false, "write generated files anew instead of comparing them")

const sampleFolder = "../../internal/sample/files"

// sampleTask is a solver task of the sample and how it is made from runs.csv.
type sampleTask struct {
	name      string
	direction exam.Direction
	rules     exam.RunRules
}

func sampleTasks() []sampleTask {
	finished := map[string]string{"Optimal": "ok", "Infeasible": "ok", "Time limit reached": "timeout"}
	always := map[string]string{"Optimal": "ok", "Infeasible": "ok", "Time limit reached": "ok"}
	found := map[string]string{"feasible": "ok", "-": "timeout"}
	rules := func(kind exam.Kind, status, value string, statuses, values map[string]string) exam.RunRules {
		return exam.RunRules{Kind: kind, Statuses: statuses, Values: values, Columns: exam.RunColumns{Instance: "instance", Status: status, Value: value, By: "run"}}
	}
	return []sampleTask{
		{"sample-miplib-dual", exam.Maximize, rules(exam.Objective, "status", "dual_bound", always, map[string]string{"inf": "no_solution", "-inf": "no_solution"})},
		{"sample-miplib-feasible", exam.Maximize, rules(exam.Solve, "solution_status", "", found, nil)},
		{"sample-miplib-optimal", exam.Maximize, rules(exam.Solve, "status", "", finished, nil)},
		{"sample-miplib-primal", exam.Minimize, rules(exam.Objective, "solution_status", "primal_bound", found, nil)},
		{"sample-miplib-time", exam.Minimize, rules(exam.Objective, "status", "run_time_s", finished, map[string]string{"N/A": "error"})},
	}
}

// sampleSettings says which run of the table plays which model.
var sampleSettings = map[string]string{"sample-alpha": "miplib-12", "sample-beta": "miplib-13", "sample-gamma": "miplib-12"}

// gammaLacks are the solver tasks that sample-gamma has no records of.
var gammaLacks = []string{"sample-miplib-optimal", "sample-miplib-time"}

// compareFile holds a generated file against the stored one, or stores it.
func compareFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is generated: run make golden and read the difference", path)
	}
}

// TestSample makes the sample's reference, records and solver rows anew from
// the table of runs and compares them with the embedded files.
func TestSample(t *testing.T) {
	table, err := fs.ReadFile(sample.Files(), "runs.csv")
	if err != nil {
		t.Fatal(err)
	}
	ref := &exam.Reference{ID: "sample-highs1120-settings-01-11", Floors: exam.Floors{Relative: "0.02", Absolute: "1e-9"}}
	scores := map[[2]string]string{}
	records := map[[2]string]*exam.Records{}
	for _, task := range sampleTasks() {
		var diags diag.List
		runs := exam.ParseRuns(strict.NewSource("runs.csv", bytes.NewReader(table), 0), task.rules, &diags)
		_, settings := runs.Split([]string{"miplib-12", "miplib-13"}, &diags)
		made := runs.Reference(ref.ID, ref.Floors, task.name, task.rules.Kind, task.direction, settings, &diags)
		ref.Tasks = append(ref.Tasks, made.Tasks...)
		for model, setting := range sampleSettings {
			if model == "sample-gamma" && strings.Contains(strings.Join(gammaLacks, " "), task.name) {
				continue
			}
			key := [2]string{model, task.name}
			records[key] = runs.Records(setting, task.rules.Kind)
			result := exam.ScoreSolver(ref, made.Tasks[0], records[key], &diags)
			if result == nil {
				t.Fatal(diags.Text())
			}
			scores[key] = strconv.FormatFloat(result.RelativeScore, 'g', -1, 64)
		}
		if !diags.OK() {
			t.Fatal(diags.Text())
		}
	}
	var b bytes.Buffer
	if err := ref.Write(&b); err != nil {
		t.Fatal(err)
	}
	compareFile(t, filepath.Join(sampleFolder, "sample.reference.json"), b.Bytes())
	for key, r := range records {
		b.Reset()
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		compareFile(t, filepath.Join(sampleFolder, "records", key[0]+"."+key[1]+".json"), b.Bytes())
	}
	compareFile(t, filepath.Join(sampleFolder, "attempts.csv"), sampleAttempts(t, scores))
	// The real task of the sample is the one of the oracle's vector.
	if got := scores[[2]string{"sample-alpha", "sample-miplib-primal"}]; got != "0.6196166241373542" {
		t.Errorf("sample-alpha scores %s at the real task", got)
	}
}

// sampleAttempts makes the table of attempts: computed solver scores, made-up
// ones for the other tracks.
func sampleAttempts(t *testing.T, scores map[[2]string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := func(fields ...string) {
		if err := w.Write(fields); err != nil {
			t.Fatal(err)
		}
	}
	row(exam.AttemptColumns...)
	made := map[string]map[string][]string{
		"sample-alpha": {"theorem": {"1", "0", "1", "0", "0"}, "construction": {"1.2", "1", "0.85", "1.4", "0"}, "open": {"0", "0", "0", "1", "0"}},
		"sample-beta":  {"theorem": {"1", "1", "0", "0", "0"}, "construction": {"0.9", "1", "1", "0.75", "0.4"}, "open": {"0", "0", "0", "0", "0"}},
		"sample-gamma": {"theorem": {"1", "0", "0", "0", "0"}, "construction": {"1", "0.5", "0.95", "1.1", "0.2"}, "open": {"0", "0", "0", "0", ""}},
	}
	for _, model := range []string{"sample-alpha", "sample-beta", "sample-gamma"} {
		for _, track := range []string{"theorem", "construction", "open"} {
			for i, score := range made[model][track] {
				item := "sample-" + track + "-" + strconv.Itoa(i+1)
				adoption := "selected"
				if model == "sample-beta" && track == "theorem" && i < 2 {
					adoption = "selected_provisional"
				}
				if score == "" {
					continue
				}
				if model == "sample-gamma" && item == "sample-construction-2" {
					row(model, track, item, "1", "", adoption, "judge_failed", "original_task_score", "")
					continue
				}
				row(model, track, item, "1", score, adoption, "valid", "original_task_score", "")
			}
		}
		for _, task := range sampleTasks() {
			if score, ok := scores[[2]string{model, task.name}]; ok {
				row(model, "solver", task.name, "1", score, "selected", "valid", "fixed_reference_relative", "offline")
			}
		}
	}
	row("sample-alpha", "theorem", "sample-theorem-2", "first-try", "0", "excluded", "valid", "original_task_score", "")
	w.Flush()
	return b.Bytes()
}

// TestSampleStates makes sure that the sample shows the three states.
func TestSampleStates(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{
		"score", "--quiet", "--suite", sampleFolder + "/sample.suite.json", "--cohort", sampleFolder + "/cohort.json",
		"--attempts", sampleFolder + "/attempts.csv", "--output", "-",
	}, strings.NewReader(""), &stdout, &stderr)
	if code != cli.ExitOK {
		t.Fatal(stderr.String())
	}
	var result exam.IndexResult
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]exam.State{"sample-alpha": exam.Complete, "sample-beta": exam.Provisional, "sample-gamma": exam.Incomplete} {
		if got := result.Models[model].Status; got != want {
			t.Errorf("%s is %s, want %s", model, got, want)
		}
	}
}
