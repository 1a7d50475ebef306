package exam_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

const (
	digestRecords   = `[{"instance": "a", "status": "ok", "A": 12}, {"instance": "b", "status": "timeout"}]`
	digestReference = `{"reference_id": "r", "scale_floors": {"relative": 0.02, "absolute": 1e-9}, "tasks": {` +
		`"t": {"kind": "solve", "direction": "maximize", "instances": {"a": [1, 0], "b": [1, 1]}, "unscored_reference_instances": ["u", "v"]}, ` +
		`"w": {"kind": "objective", "direction": "maximize", "instances": {"a": [1, 0]}}}}`
	digestSuite  = `{"suite": "s", "solver_reference_id": "r", "tracks": {"theorem": ["a", "b"], "solver": ["c"], "construction": ["d"], "open": ["e"]}}`
	digestCohort = `{"suite": "s", "solver_protocol": "offline", "solver_reference_id": "r", "models": {"m": {"attempts_per_task": 1}, "n": {"attempts_per_task": 2}}}`
	digestTable  = attemptsHeader + "m,theorem,a,1,1,selected,valid,original_task_score,\nm,solver,c,1,0.25,selected,valid,fixed_reference_relative,offline\n"
)

func digestOf[T written](parser func(*strict.Source, *diag.List) T) func(rapid.TB, string) string {
	return func(t rapid.TB, text string) string { return parse(t, text, parser).Digest() }
}

var digests = map[string]struct {
	text string
	of   func(rapid.TB, string) string
}{
	"records":   {digestRecords, digestOf(exam.ParseRecords)},
	"reference": {digestReference, digestOf(exam.ParseReference)},
	"suite":     {digestSuite, digestOf(exam.ParseSuite)},
	"cohort":    {digestCohort, digestOf(exam.ParseCohort)},
	"attempts":  {digestTable, digestOf(exam.ParseAttempts)},
}

func TestDigestsAreHexadecimalAndDiffer(t *testing.T) {
	seen := map[string]string{}
	for name, d := range digests {
		digest := d.of(t, d.text)
		if other, twice := seen[digest]; twice || !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(digest) {
			t.Errorf("%s has %q, like %q", name, digest, other)
		}
		seen[digest] = name
	}
}

func TestDigestsIgnoreTheForm(t *testing.T) {
	replace := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	for _, test := range []struct {
		name, file string
		edit       func(string) string
	}{
		{"byte order mark", "", func(s string) string { return "\ufeff" + s }},
		{"white space of records", "records", replace(" ", "\r\n\t")},
		{"white space of a reference", "reference", replace(" ", "", ",", ",\r\n")},
		{"white space of a suite", "suite", replace(" ", "\n")},
		{"white space of a cohort", "cohort", replace(" ", "\n")},
		{"CRLF", "attempts", replace("\n", "\r\n")},
		{"no line end at the end", "attempts", func(s string) string { return strings.TrimSuffix(s, "\n") }},
		{"empty lines", "attempts", replace("\n", "\n\n")},
		{"quotes", "attempts", replace("selected,", `"selected",`)},
		{"order of rows", "attempts", func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return lines[0] + lines[2] + lines[1]
		}},
		{"other columns", "attempts", replace("solver_protocol\n", "solver_protocol,note\n", "score,\n", "score,,x\n", "offline\n", "offline,y\n")},
		{"order of records", "records", func(string) string {
			return `[{"instance": "b", "status": "timeout"}, {"instance": "a", "status": "ok", "A": 12}]`
		}},
		{"order of keys", "records", replace(`"instance": "a", "status": "ok", "A": 12`, `"A": 12, "status": "ok", "instance": "a"`)},
		{"other keys", "records", replace(`"A": 12`, `"A": 12, "seconds": [1, {"x": null}]`)},
		{"null", "records", replace(`"A": 12`, `"A": 12, "solved": null`, `"timeout"`, `"timeout", "A": null`)},
		{"escapes", "records", replace(`"timeout"`, `"\u0074imeout"`)},
		{"order of instances", "reference", replace(`"a": [1, 0], "b": [1, 1]`, `"b": [1, 1], "a": [1, 0]`)},
		{"order of unscored instances", "reference", replace(`"u", "v"`, `"v", "u"`)},
		{"empty list of unscored instances", "reference", replace(`{"a": [1, 0]}}}}`, `{"a": [1, 0]}, "unscored_reference_instances": []}}}`)},
		{"order of items", "suite", replace(`"a", "b"`, `"b", "a"`)},
		{"order of tracks", "suite", replace(`"solver": ["c"], "construction": ["d"]`, `"construction": ["d"], "solver": ["c"]`)},
		{"order of models", "cohort", replace(`"m": {"attempts_per_task": 1}, "n": {"attempts_per_task": 2}`, `"n": {"attempts_per_task": 2}, "m": {"attempts_per_task": 1}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			for file, d := range digests {
				if test.file != "" && test.file != file {
					continue
				}
				edited := test.edit(d.text)
				if edited == d.text {
					t.Fatal("nothing was changed")
				}
				if d.of(t, edited) != d.of(t, d.text) {
					t.Errorf("%s: the digest of %q differs", file, edited)
				}
			}
		})
	}
}

func TestDigestsTellFacts(t *testing.T) {
	for _, test := range []struct{ name, file, old, new string }{
		{"value", "records", "12", "13"},
		{"spelling of a number", "records", "12", "12.0"},
		{"status", "records", "timeout", "crash"},
		{"name", "records", `"b"`, `"B"`},
		{"value of a failure", "records", `"timeout"`, `"timeout", "A": 1`},
		{"solved instead of A", "records", `"A": 12`, `"solved": true`},
		{"id", "reference", `"r"`, `"r2"`},
		{"relative floor", "reference", "0.02", "0.020"},
		{"absolute floor", "reference", "1e-9", "1e-8"},
		{"kind", "reference", `"solve"`, `"objective"`},
		{"direction", "reference", `"objective", "direction": "maximize"`, `"objective", "direction": "minimize"`},
		{"order of values", "reference", "[1, 0]", "[0, 1]"},
		{"one more value", "reference", "[1, 1]", "[1, 1, 1]"},
		{"task", "reference", `"w"`, `"x"`},
		{"unscored instance", "reference", `, "v"`, ""},
		{"suite", "suite", `"s"`, `"S"`},
		{"reference of a suite", "suite", `"r"`, `"R"`},
		{"task of another track", "suite", `"b"], "solver": ["c"`, `"c"], "solver": ["b"`},
		{"suite of a cohort", "cohort", `"s"`, `"S"`},
		{"protocol", "cohort", "offline", "online"},
		{"reference of a cohort", "cohort", `"r"`, `"R"`},
		{"repetitions", "cohort", "2", "3"},
		{"model", "cohort", `"n"`, `"N"`},
		{"score", "attempts", "0.25", "0.250"},
		{"adoption", "attempts", "selected", "excluded"},
		{"attempt", "attempts", "c,1", "c,2"},
		{"protocol of a row", "attempts", "score,\n", "score,online\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := digests[test.file]
			edited := strings.Replace(d.text, test.old, test.new, 1)
			if d.of(t, edited) == d.of(t, d.text) {
				t.Errorf("the digest of %q is that of %q", edited, d.text)
			}
		})
	}
}

func TestOrderOfRecordsDoesNotChangeTheDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := sheets(decimals).Draw(t, "sheet").outcomes()
		shuffled := rapid.Permutation(rows).Draw(t, "records")
		of := digestOf(exam.ParseRecords)
		if of(t, records(shuffled)) != of(t, records(rows)) {
			t.Fatal("the digests differ")
		}
	})
}
