package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/exam"
	"scorebook/internal/report"
)

func write(t rapid.TB, result any) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, result); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEqualResultsGiveEqualBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.String(), 0, 8, rapid.ID).Draw(t, "names")
		models := func(names []string) map[string]*exam.ModelIndex {
			m := map[string]*exam.ModelIndex{}
			for _, name := range names {
				m[name] = &exam.ModelIndex{Status: exam.Incomplete, ProvisionalAttempts: len(name)}
			}
			return m
		}
		a := write(t, &exam.IndexResult{Models: models(names)})
		b := write(t, &exam.IndexResult{Models: models(rapid.Permutation(names).Draw(t, "in another order"))})
		if a != b {
			t.Fatalf("%s\nand %s", a, b)
		}
	})
}

func TestModelsAreWrittenByName(t *testing.T) {
	text := write(t, &exam.IndexResult{Models: map[string]*exam.ModelIndex{"b": {}, "c": {}, "B": {}, "a": {}}})
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^ {4}"(\w+)": \{$`).FindAllStringSubmatch(text, -1) {
		got = append(got, m[1])
	}
	if want := []string{"B", "a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("got %q in %s", got, text)
	}
}

func TestFloatsReadBackToTheSameFloats(t *testing.T) {
	finite := rapid.OneOf(
		rapid.Float64().Filter(func(f float64) bool { return !math.Signbit(f) || f != 0 }),
		rapid.SampledFrom([]float64{0, 5e-324, math.MaxFloat64, 0.1, 1e21, 1e-7, 55.5, 2.0 / 3}),
	)
	rapid.Check(t, func(t *rapid.T) {
		want := exam.InstanceScore{
			Mu: finite.Draw(t, "mu"), S: finite.Draw(t, "s"), Scale: finite.Draw(t, "scale"), Score: finite.Draw(t, "score"),
			Value: new(finite.Draw(t, "value")), Z: new(finite.Draw(t, "z")),
		}
		text := write(t, &exam.SolverResult{RelativeScore: want.Score, Instances: []exam.InstanceScore{want}})
		var got exam.SolverResult
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		in := got.Instances[0]
		if *in.Value != *want.Value || *in.Z != *want.Z || got.RelativeScore != want.Score {
			t.Fatalf("%+v was written as %s", want, text)
		}
		in.Value, in.Z = want.Value, want.Z
		if in != want {
			t.Fatalf("%+v was written as %s", want, text)
		}
	})
}

func TestNumbersAreTheShortest(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 0.1: "0.1", 1e-9: "1e-9", 1e21: "1e+21", 55.5: "55.5", 100: "100"} {
		if got := strings.TrimSpace(write(t, f)); got != want {
			t.Errorf("%v is written as %s, want %s", f, got, want)
		}
	}
}

func TestAbsentListsAreEmptyAndAbsentNumbersNull(t *testing.T) {
	solver := write(t, &exam.SolverResult{})
	index := write(t, &exam.IndexResult{Models: map[string]*exam.ModelIndex{
		"m": {Tracks: exam.TrackMeans{Open: exam.TrackMean{Tasks: []exam.TaskMean{{Item: "i"}}}}},
	}})
	instance := write(t, &exam.SolverResult{Instances: []exam.InstanceScore{{}}})
	for _, test := range []struct{ text, part string }{
		{solver, `"instances": []`},
		{solver, `"unscored_instances": []`},
		{solver, `"warnings": []`},
		{index, `"issues": []`},
		{index, `"tasks": []`},
		{index, `"attempts": []`},
		{index, `"index": null`},
		{index, `"mean": null`},
		{index, `"points": null`},
		{instance, `"value": null`},
		{instance, `"z": null`},
		{write(t, &exam.IndexResult{}), `"models": {}`},
	} {
		if !strings.Contains(test.text, test.part) {
			t.Errorf("%s is missing in %s", test.part, test.text)
		}
	}
	if strings.Contains(solver, "null") || strings.Contains(solver, `"suite"`) {
		t.Errorf("got %s", solver)
	}
}

// The order is that of the tables in docs/formats.md.
func TestNamesStandInTheOrderOfTheDocument(t *testing.T) {
	keys := func(text string) (names []string) {
		for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		return names
	}
	for _, test := range []struct {
		value any
		want  string
	}{
		{
			exam.SolverResult{Suite: "s", Provenance: exam.Provenance{RecordsSHA256: "0", ReferenceSHA256: "0"}},
			"task suite reference_id kind direction relative_score eligible_instances failed_instances instances unscored_instances warnings " +
				"provenance tool version records_sha256 reference_sha256",
		},
		{exam.InstanceScore{}, "instance status value mu s scale scale_from z score"},
		{
			exam.IndexResult{Provenance: exam.Provenance{SuiteSHA256: "0", AttemptsSHA256: "0", CohortSHA256: "0"}},
			"metric suite solver_protocol solver_reference_id models provenance tool version suite_sha256 attempts_sha256 cohort_sha256",
		},
		{exam.TrackMean{}, "mean weight points planned observed tasks"},
		{exam.TaskMean{}, "item mean attempts"},
		{exam.AttemptScore{}, "attempt score score_status provisional"},
		{exam.Issue{}, "code track item attempt message"},
	} {
		if got := strings.Join(keys(write(t, test.value)), " "); got != test.want {
			t.Errorf("%T: got %s, want %s", test.value, got, test.want)
		}
	}
}

func TestTheTextIsIndentedByTwoAndEndsItsLine(t *testing.T) {
	if got, want := write(t, map[string][]int{"a": {1}}), "{\n  \"a\": [\n    1\n  ]\n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

var errDisk = errors.New("disk full")

// failing accepts a number of bytes.
type failing int

func (f *failing) Write(p []byte) (int, error) {
	if *f -= failing(len(p)); *f < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestErrorsOfTheWriterAndOfTheValueAreReturned(t *testing.T) {
	text := write(t, &exam.SolverResult{})
	for _, room := range []failing{0, failing(len(text) - 1)} {
		if err := report.JSON(&room, &exam.SolverResult{}); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1)} {
		if err := report.JSON(&bytes.Buffer{}, &exam.SolverResult{RelativeScore: f}); err == nil {
			t.Errorf("%v was written", f)
		}
	}
}
