package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"scorebook/exam"
	"scorebook/internal/cli"
)

// vector is one case of the independent program: see testdata/README.md.
type vector struct {
	ID            string          `json:"id"`
	Command       string          `json:"command"`
	Description   string          `json:"description"`
	Tags          []string        `json:"tags"`
	Task          string          `json:"task"`
	ReferenceText string          `json:"reference_text"`
	ReferenceFile string          `json:"reference_file"`
	RecordsText   string          `json:"records_text"`
	RecordsFile   string          `json:"records_file"`
	SuiteManifest json.RawMessage `json:"suite_manifest"`
	AttemptsCSV   string          `json:"attempts_csv"`
	CohortText    string          `json:"cohort_text"`
	Suite         string          `json:"suite"`
	Must          map[string]any  `json:"must"`
	Expect        json.RawMessage `json:"expect"`
}

// errorClasses maps the oracle's classes to codes of ours, one of which must
// be reported.
var errorClasses = map[string][]string{
	"E_JSON":               {"json/syntax", "json/duplicate-key", "json/not-a-number"},
	"E_VALUE":              {"records/value"},
	"E_RECORDS":            {"records/shape"},
	"E_STATUS_UNKNOWN":     {"records/unknown-status"},
	"E_INFRA_STATUS":       {"records/infrastructure-status"},
	"E_MISSING_INSTANCE":   {"records/missing-instance"},
	"E_DUPLICATE_INSTANCE": {"records/duplicate-instance"},
	"E_TASK":               {"reference/unknown-task"},
	"E_REFERENCE":          {"reference/invalid"},
	"E_CSV":                {"csv/syntax"},
	"E_HEADER":             {"csv/header"},
	"E_WHITESPACE":         {"csv/whitespace"},
	"E_UNKNOWN_MODEL":      {"attempts/unknown-model"},
	"E_UNKNOWN_TRACK":      {"attempts/unknown-track"},
	"E_UNKNOWN_ITEM":       {"attempts/unknown-item"},
	"E_UNKNOWN_ENUM":       {"attempts/unknown-value"},
	"E_DUPLICATE_ATTEMPT":  {"attempts/duplicate"},
	"E_EXCESS_REPETITIONS": {"attempts/excess-repetitions"},
	"E_SCORE_TYPE":         {"attempts/score-type"},
	"E_SCORE_VALUE":        {"attempts/score-value"},
	"E_SCORE_RANGE":        {"attempts/score-range"},
	"E_PROTOCOL_MISMATCH":  {"attempts/protocol"},
	"E_COHORT":             {"cohort/invalid"},
	"E_SUITE_MISMATCH":     {"cohort/suite"},
	"E_REFERENCE_MISMATCH": {"cohort/reference"},
}

const vectorFolder = "../../testdata/vectors"

// loadVectors reads every file of the folder; an unknown key, another kind of
// file or an empty folder fails.
func loadVectors(t *testing.T) []vector {
	t.Helper()
	entries, err := os.ReadDir(vectorFolder)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(vectorFolder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var v vector
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		if v.ID+".json" != e.Name() {
			t.Fatalf("%s holds the vector %q", e.Name(), v.ID)
		}
		vectors = append(vectors, v)
	}
	if len(vectors) != 69 {
		t.Fatalf("found %d vectors, want all 69", len(vectors))
	}
	return vectors
}

// runVector runs the program on a vector and returns what it wrote.
func runVector(t *testing.T, v vector) (code int, diagnostics []map[string]any, output []byte) {
	t.Helper()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	given := func(name, text, path string) string {
		if path != "" {
			return filepath.Join(vectorFolder, path)
		}
		return file(name, text)
	}
	out := filepath.Join(dir, "out.json")
	args := []string{v.Command, "--quiet", "--diagnostics", "json", "--output", out}
	switch v.Command {
	case "solver-score":
		args = append(args, "--task", v.Task,
			"--reference", given("reference.json", v.ReferenceText, v.ReferenceFile),
			"--records", given("records.json", v.RecordsText, v.RecordsFile))
	case "score":
		suite := v.Suite
		if suite == "" {
			suite = "lite"
		}
		file(suite+".suite.json", string(v.SuiteManifest))
		args = append(args, "--data", dir, "--suite", suite,
			"--attempts", file("attempts.csv", v.AttemptsCSV), "--cohort", file("cohort.json", v.CohortText))
	default:
		t.Fatalf("unknown command %q", v.Command)
	}
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
	if stdout.Len() > 0 {
		t.Errorf("stdout: %s", stdout.String())
	}
	for line := range strings.Lines(stderr.String()) {
		var d map[string]any
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("stderr is not JSON lines: %v\n%s", err, stderr.String())
		}
		diagnostics = append(diagnostics, d)
	}
	output, err := os.ReadFile(out)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("a temporary file is left: %s", e.Name())
		}
	}
	return code, diagnostics, output
}

func TestVectors(t *testing.T) {
	outputs := map[string][]byte{}
	for _, v := range loadVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			code, diagnostics, output := runVector(t, v)
			outputs[v.ID] = output
			var expect struct{ Error, Detail string }
			if err := json.Unmarshal(v.Expect, &expect); err == nil && expect.Error != "" {
				checkErrorVector(t, v, expect.Error, code, diagnostics, output)
				return
			}
			if code != cli.ExitOK {
				t.Fatalf("exit code %d: %v", code, diagnostics)
			}
			switch v.Command {
			case "solver-score":
				checkSolverVector(t, v, output)
			case "score":
				checkIndexVector(t, v, output)
			}
		})
	}
	for a, b := range map[string]string{"ss31_order_a": "ss31_order_b", "ix01_seed_55_5": "ix11_bom_crlf"} {
		if !bytes.Equal(outputs[a], outputs[b]) || len(outputs[a]) == 0 {
			t.Errorf("%s and %s differ:\n%s\n%s", a, b, outputs[a], outputs[b])
		}
	}
}

func checkErrorVector(t *testing.T, v vector, class string, code int, diagnostics []map[string]any, output []byte) {
	if must := v.Must["error"]; must != class {
		t.Errorf("the vector expects %q and must be %v", class, must)
	}
	if code != cli.ExitInput {
		t.Errorf("exit code %d, want %d", code, cli.ExitInput)
	}
	if len(output) > 0 {
		t.Errorf("an output stands beside the error: %s", output)
	}
	known, ok := errorClasses[class]
	if !ok {
		t.Fatalf("unknown error class %q", class)
	}
	for _, d := range diagnostics {
		line, _ := d["line"].(float64)
		if slices.Contains(known, fmt.Sprint(d["code"])) && line > 0 {
			return
		}
	}
	t.Errorf("none of %v with a position is reported: %v", known, diagnostics)
}

// sameFloat compares a float64 with a decimal of the oracle: the shortest one
// of a float64, or the exact value to 17 digits.
func sameFloat(t *testing.T, what string, got float64, want string) {
	t.Helper()
	f, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	if got != f {
		t.Errorf("%s is %v, want %s", what, got, want)
	}
}

type solverExpectation struct {
	ReferenceID       string          `json:"reference_id"`
	Scored            int             `json:"n_scored"`
	RelativeScore     string          `json:"relative_score"`
	RelativeScoreF64  string          `json:"relative_score_f64"`
	RelativeScoreIn   string          `json:"relative_score_f64in"` // from float64 inputs; ours are decimals
	Instances         json.RawMessage `json:"instances"`
	UnscoredInstances []string        `json:"unscored_instances"`
	Warnings          []string        `json:"warnings"`
}

type instanceExpectation struct {
	Status   string `json:"status"`
	Floor    string `json:"floor"`
	Scale    string `json:"scale"`
	Z        string `json:"z"`
	Score    string `json:"score"`
	ScoreF64 string `json:"score_f64"`
}

// strictly decodes with unknown keys fatal.
func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func checkSolverVector(t *testing.T, v vector, output []byte) {
	var got exam.SolverResult
	strictly(t, output, &got)
	var want solverExpectation
	strictly(t, v.Expect, &want)
	sameFloat(t, "relative_score", got.RelativeScore, want.RelativeScoreF64)
	if got.ReferenceID != want.ReferenceID || got.EligibleInstances != want.Scored || got.Task != v.Task {
		t.Errorf("got task %q, reference %q and %d instances", got.Task, got.ReferenceID, got.EligibleInstances)
	}
	if !reflect.DeepEqual(got.UnscoredInstances, want.UnscoredInstances) {
		t.Errorf("unscored %q, want %q", got.UnscoredInstances, want.UnscoredInstances)
	}
	// The oracle warns of unsolved instances with status ok only; we also warn
	// of instances that the reference does not know.
	for _, w := range want.Warnings {
		name, _, _ := strings.Cut(w, ":")
		if !slices.ContainsFunc(got.Warnings, func(g string) bool { return strings.Contains(g, strconv.Quote(name)+" is unsolved") }) {
			t.Errorf("warnings %q lack %q", got.Warnings, w)
		}
	}
	instances := map[string]exam.InstanceScore{}
	for _, in := range got.Instances {
		instances[in.Instance] = in
	}
	var wanted map[string]instanceExpectation
	if string(want.Instances) != `"omitted: 213 instances"` {
		strictly(t, want.Instances, &wanted)
		if len(wanted) != len(instances) {
			t.Errorf("%d instances, want %d", len(instances), len(wanted))
		}
	}
	for name, w := range wanted {
		in, ok := instances[name]
		if !ok {
			t.Errorf("no instance %q", name)
			continue
		}
		if in.Status != w.Status {
			t.Errorf("%s: status %q, want %q", name, in.Status, w.Status)
		}
		if w.Status != exam.StatusOK {
			if in.Score != 0 || in.Z != nil || w.Score != "0" {
				t.Errorf("%s: a failure scores %v with z %v", name, in.Score, in.Z)
			}
			continue
		}
		if string(in.ScaleFrom) != w.Floor {
			t.Errorf("%s: scale from %q, want %q", name, in.ScaleFrom, w.Floor)
		}
		sameFloat(t, name+" score", in.Score, w.ScoreF64)
		sameFloat(t, name+" scale", in.Scale, w.Scale)
		sameFloat(t, name+" z", *in.Z, w.Z)
	}
	for path, must := range v.Must {
		parts := strings.Split(path, "/")
		switch {
		case path == "relative_score_f64":
			sameFloat(t, path, got.RelativeScore, must.(string))
		case path == "n_scored":
			sameFloat(t, path, float64(got.EligibleInstances), must.(string))
		case len(parts) == 3 && parts[0] == "instances":
			in := instances[parts[1]]
			switch parts[2] {
			case "score_f64", "score":
				sameFloat(t, path, in.Score, must.(string))
			case "floor":
				if string(in.ScaleFrom) != must {
					t.Errorf("%s is %q, want %q", path, in.ScaleFrom, must)
				}
			case "z":
				sameFloat(t, path, *in.Z, must.(string))
			default:
				t.Errorf("unknown path %q", path)
			}
		default:
			t.Errorf("unknown path %q", path)
		}
	}
}

type indexExpectation struct {
	Metric string `json:"metric"`
	Models map[string]struct {
		Status   string             `json:"status"`
		Index    *string            `json:"index"`
		IndexF64 *string            `json:"index_f64"`
		Tracks   map[string]*string `json:"tracks"`
		Coverage struct {
			Valid   int `json:"valid_adopted"`
			Planned int `json:"planned"`
		} `json:"coverage"`
		Issues []string `json:"issues"`
	} `json:"models"`
}

func checkIndexVector(t *testing.T, v vector, output []byte) {
	var got exam.IndexResult
	strictly(t, output, &got)
	var want indexExpectation
	strictly(t, v.Expect, &want)
	if got.Metric != want.Metric || len(got.Models) != len(want.Models) {
		t.Errorf("metric %q with %d models", got.Metric, len(got.Models))
	}
	for name, w := range want.Models {
		m := got.Models[name]
		if m == nil {
			t.Errorf("no model %q", name)
			continue
		}
		if string(m.Status) != w.Status || m.Coverage.Observed != w.Coverage.Valid || m.Coverage.Planned != w.Coverage.Planned {
			t.Errorf("%s: %s with coverage %+v, want %s with %+v", name, m.Status, m.Coverage, w.Status, w.Coverage)
		}
		if (m.Index == nil) != (w.IndexF64 == nil) {
			t.Errorf("%s: index %v, want %v", name, m.Index, w.IndexF64)
		} else if m.Index != nil {
			sameFloat(t, name+" index", *m.Index, *w.IndexF64)
		}
		for track, mean := range w.Tracks {
			is := m.Tracks.Of(exam.Track(track)).Mean
			if (is == nil) != (mean == nil) {
				t.Errorf("%s: %s mean %v, want %v", name, track, is, mean)
			} else if is != nil {
				sameFloat(t, name+" "+track, *is, *mean)
			}
		}
		var issues []string
		for _, i := range m.Issues {
			what := i.Code
			if what == exam.NoAttempt {
				what = "no adopted attempt"
			}
			issues = append(issues, fmt.Sprintf("%s/%s: %s", i.Track, i.Item, what))
		}
		slices.Sort(issues)
		if !slices.Equal(issues, w.Issues) {
			t.Errorf("%s: issues %q, want %q", name, issues, w.Issues)
		}
	}
	for path, must := range v.Must {
		parts := strings.Split(path, "/")
		if len(parts) < 3 || parts[0] != "models" {
			t.Errorf("unknown path %q", path)
			continue
		}
		m := got.Models[parts[1]]
		switch field := strings.Join(parts[2:], "/"); field {
		case "index_f64":
			sameFloat(t, path, *m.Index, must.(string))
		case "index":
			if m.Index != nil || must != nil {
				t.Errorf("%s is %v, want %v", path, m.Index, must)
			}
		case "status":
			if string(m.Status) != must {
				t.Errorf("%s is %q, want %q", path, m.Status, must)
			}
		case "coverage/valid_adopted":
			sameFloat(t, path, float64(m.Coverage.Observed), must.(string))
		case "coverage/planned":
			sameFloat(t, path, float64(m.Coverage.Planned), must.(string))
		default:
			t.Errorf("unknown path %q", path)
		}
	}
}

// TestRealSettings holds the scores of two solver settings against the oracle:
// setting 12 is also a vector, setting 13 stands in testdata/README.md.
func TestRealSettings(t *testing.T) {
	for setting, want := range map[string]string{"12": "0.61961662413735421", "13": "0.61691081622650963"} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{
			"solver-score", "--quiet", "--task", "miplib2017", "--output", "-",
			"--reference", "../../testdata/data/miplib-highs.reference.json",
			"--records", "../../testdata/data/miplib-highs.miplib-" + setting + ".records.json",
		}, strings.NewReader(""), &stdout, &stderr)
		if code != cli.ExitOK {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		var got exam.SolverResult
		strictly(t, stdout.Bytes(), &got)
		sameFloat(t, "setting "+setting, got.RelativeScore, want)
	}
}
