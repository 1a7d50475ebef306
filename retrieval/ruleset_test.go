package retrieval_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/internal/testkit"
	"scorebook/retrieval"
	"scorebook/strict"
)

func parseRuleset(text string) (retrieval.Ruleset, *diag.List, bool) {
	var diags diag.List
	r, ok := retrieval.ParseRuleset(strict.NewSource("rules.yaml", strings.NewReader(text), 0), &diags, "rules")
	return r, &diags, ok
}

// The table of the parameters and their defaults.
func TestPresets(t *testing.T) {
	plain := retrieval.Ruleset{
		Name: "aic2025", Mode: retrieval.ModeTolerance, PMax: 100, PBase: 50, PPenalty: 10, TimeLimit: 300, Buffer: 10,
		Tolerance: retrieval.Tolerance{KIS: 2500, QA: 2500, TR: 12}, QualityOver: retrieval.OverMatched, PartialThreshold: 0.5, PartialFactor: 0.5,
		FPS: 25, MaxScore: 100, DecayRate: 1, DistanceFrom: retrieval.FromMidpoint, Aggregation: retrieval.AggregateMean,
		AnswerMatch: retrieval.MatchExact, Feedback: retrieval.FeedbackCounts, Completion: retrieval.FirstCorrect,
	}
	visual, exact, decay := plain, plain, plain
	visual.Name, visual.TimeLimits.KIS = "aic2025-visual", 240
	exact.Name, exact.Mode = "aic2025-exact", retrieval.ModeExact
	decay.Name, decay.Mode, decay.Completion = "aic-decay", retrieval.ModeDecay, retrieval.Best
	want := []retrieval.Ruleset{plain, visual, exact, decay}
	var names []string
	for _, w := range want {
		names = append(names, w.Name)
		if got := *preset(w.Name); got != w {
			t.Errorf("%s: got %+v, want %+v", w.Name, got, w)
		}
		if err := w.Validate(); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
	if got := retrieval.Presets(); !slices.Equal(got, names) {
		t.Errorf("the presets are %q", got)
	}
	if _, ok := retrieval.Preset("AIC2025"); ok {
		t.Error("a preset has a second name")
	}
}

func TestRulesetForms(t *testing.T) {
	named := func(name, base string, change func(*retrieval.Ruleset)) retrieval.Ruleset {
		r := *preset(base)
		r.Name = name
		change(&r)
		return r
	}
	for _, test := range []struct {
		name, text string
		want       retrieval.Ruleset
		warnings   int
	}{
		{"a name", "name: Final 2026\n", named("Final 2026", "aic2025", func(*retrieval.Ruleset) {}), 0},
		{"some parameters", "p_penalty: 5\ntolerance: {kis: 500}\n", named("rules", "aic2025", func(r *retrieval.Ruleset) { r.PPenalty, r.Tolerance.KIS = 5, 500 }), 0},
		{"a preset", "extends: aic2025-exact\npartial_factor: 0.25\n", named("rules", "aic2025-exact", func(r *retrieval.Ruleset) { r.PartialFactor = 0.25 }), 0},
		{"the preset last", "fps: 30\nextends: aic-decay\n", named("rules", "aic-decay", func(r *retrieval.Ruleset) { r.FPS = 30 }), 0},
		{"completion follows the mode", "mode: decay\n", named("rules", "aic-decay", func(*retrieval.Ruleset) {}), 0},
		{"completion follows the mode back", "extends: aic-decay\nmode: tolerance\n", named("rules", "aic2025", func(*retrieval.Ruleset) {}), 0},
		{"JSON", `{"mode": "decay", "aggregation": "min", "tolerance": {"tr": 6}}`, named("rules", "aic-decay", func(r *retrieval.Ruleset) { r.Aggregation, r.Tolerance.TR = "min", 6 }), 0},
		{"bounds", "p_max: 0\np_base: -0\np_penalty: 0\ntime_limit: 86400\nbuffer: 3600\npartial_threshold: 1\npartial_factor: 0\n", named("rules", "aic2025", func(r *retrieval.Ruleset) {
			r.PMax, r.PBase, r.PPenalty, r.TimeLimit, r.Buffer, r.PartialThreshold, r.PartialFactor = 0, 0, 0, 86400, 3600, 1, 0
		}), 0},
		{"unused", "max_score: 30\ntolerance:\n  kis: 1\n  tr: 2\nmode: exact\nquality_over: all\n", named("rules", "aic2025-exact", func(r *retrieval.Ruleset) {
			r.MaxScore, r.Tolerance.KIS, r.Tolerance.TR, r.QualityOver = 30, 1, 2, "all"
		}), 4},
		{"unused, though the default", "mode: decay\np_penalty: 10\n", named("rules", "aic-decay", func(*retrieval.Ruleset) {}), 1},
	} {
		got, diags, ok := parseRuleset(test.text)
		if !ok || got != test.want || diags.Warnings() != test.warnings {
			t.Errorf("%s: got %+v, want %+v\n%s", test.name, got, test.want, diags.Text())
		}
	}
	if r, _, _ := parseRuleset("p_base: -0\n"); math.Signbit(r.PBase) {
		t.Error("-0 is kept")
	}
	if _, diags, _ := parseRuleset("mode: exact\nmax_score: 30\n"); diags.Text() != "rules.yaml:2:12: warning: max_score: plays no part in mode exact [rules/unused]\n" {
		t.Errorf("got %s", diags.Text())
	}
}

func TestRulesetFaults(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"extends: aic2024\n", "1:10: error: extends: found \"aic2024\", expected one of aic2025, aic2025-visual, aic2025-exact, aic-decay [rules/invalid]\n    hint: did you mean \"aic2025\"?"},
		{"extends: custom\nmode: fuzzy\n", "1:10: error: extends: found \"custom\""},
		{"mode: exakt\n", "1:7: error: mode: found \"exakt\", expected one of tolerance, exact, decay [rules/invalid]\n    hint: did you mean \"exact\"?"},
		{"\npmax: 10\n", "2:1: error: the ruleset: found the unknown name \"pmax\" [json/unknown-key]\n    hint: did you mean \"p_max\"?"},
		{"tolerance:\n  kiss: 1\n", "2:3: error: tolerance: found the unknown name \"kiss\""},
		{"tolerance: 500\n", "1:12: error: tolerance: found 500, expected an object"},
		{"tolerance:\n  kis: -1\n", "2:8: error: tolerance.kis: found -1, expected 0 to 9007199254740992"},
		{"tolerance: {qa: .inf}\n", "1:17: error: tolerance.qa: found .inf, expected a number"},
		{"tolerance: {tr: 12 frames}\n", "1:17: error: tolerance.tr: found 12 frames, expected a number"},
		{"p_max: 49\n", "1:8: error: p_max: found 49, expected at least p_base, which is 50"},
		{"p_base: 101\n", "1:1: error: p_max: found 100, expected at least p_base, which is 101"},
		{"p_max: 1000000001\n", "1:8: error: p_max: found 1000000001, expected 0 to 1000000000"},
		{"p_penalty: -10\n", "1:12: error: p_penalty: found -10, expected 0 to 1000000000"},
		{"p_penalty: ten\n", "1:12: error: p_penalty: found ten, expected a number"},
		{"p_penalty:\n", "1:11: error: p_penalty: found nothing, expected a number"},
		{"time_limit: 0\n", "1:13: error: time_limit: found 0, expected more than 0 and at most 86400"},
		{"time_limit: 86401\n", "1:13: error: time_limit: found 86401, expected more than 0 and at most 86400"},
		{"time_limit: 5m\n", "1:13: error: time_limit: found 5m, expected a number"},
		{"buffer: 3601\n", "1:9: error: buffer: found 3601, expected 0 to 3600"},
		{"partial_threshold: 0\n", "1:20: error: partial_threshold: found 0, expected more than 0 and at most 1"},
		{"partial_threshold: 50\n", "1:20: error: partial_threshold: found 50, expected more than 0"},
		{"partial_factor: 1.5\n", "1:17: error: partial_factor: found 1.5, expected 0 to 1"},
		{"fps: 0\n", "1:6: error: fps: found 0, expected more than 0 and at most 1000"},
		{"fps: 1001\n", "1:6: error: fps: found 1001, expected more than 0 and at most 1000"},
		{"max_score: -1\n", "1:12: error: max_score: found -1, expected 0 to 1000000000"},
		{"decay_rate: -1\n", "1:13: error: decay_rate: found -1, expected 0 to 1000000000"},
		{"distance_from: centre\n", "1:16: error: distance_from: found \"centre\", expected one of midpoint, boundary"},
		{"aggregation: max\n", "1:14: error: aggregation: found \"max\", expected one of mean, min, sum"},
		{"quality_over: none\n", "1:15: error: quality_over: found \"none\", expected one of matched, all"},
		{"answer_match: fuzzy\n", "1:15: error: answer_match: found \"fuzzy\", expected one of exact, folded"},
		{"feedback: full\n", "1:11: error: feedback: found \"full\", expected one of counts, verdict"},
		{"completion: last\n", "1:13: error: completion: found \"last\", expected one of first_correct, best"},
		{"completion: best\n", "1:13: error: completion: found best, expected first_correct in mode tolerance"},
		{"mode: decay\ncompletion: first_correct\n", "2:13: error: completion: found first_correct, expected best in mode decay"},
		{"name: ''\n", "1:7: error: name: found \"\", expected 1 to 100 visible characters"},
		{"name: ' '\n", "1:7: error: name: found \" \", expected 1 to 100 visible characters"},
		{"name: \"a\\nb\"\n", "1:7: error: name: found \"a\\nb\", expected 1 to 100 visible characters"},
		{"name: " + strings.Repeat("é", 101) + "\n", "1:7: error: name: found \"é"},
		{"name: [x]\n", "1:7: error: name: found a list, expected a text"},
		{"- mode\n", "1:1: error: the ruleset: found a list, expected an object"},
		{"mode: &m exact\n", "1:7: error: found an anchor"},
	} {
		r, diags, ok := parseRuleset(test.text)
		if ok || r != (retrieval.Ruleset{}) || !strings.HasPrefix(diags.Text(), "rules.yaml:"+test.want) {
			t.Errorf("%q: got\n%s\nwant\n%s", test.text, diags.Text(), test.want)
		}
	}
	_, diags, _ := parseRuleset("extends: x\nmode: y\np_max: -1\nfps: 0\nbuffer: z\nnmae: x\ncompletion: best\n")
	if diags.Errors() != 6 {
		t.Errorf("not all faults are told:\n%s", diags.Text())
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		change func(*retrieval.Ruleset)
		want   string
	}{
		{func(r *retrieval.Ruleset) { r.Mode = "" }, "mode: found \"\", expected one of tolerance, exact, decay"},
		{func(r *retrieval.Ruleset) { r.PMax = math.NaN() }, "p_max: found NaN, expected 0 to 1000000000"},
		{func(r *retrieval.Ruleset) { r.Tolerance.TR = math.Inf(1) }, "tolerance.tr: found +Inf, expected 0 to 9007199254740992"},
		{func(r *retrieval.Ruleset) { r.Completion = retrieval.Best }, "completion: found best, expected first_correct in mode tolerance"},
		{func(r *retrieval.Ruleset) { r.Name, r.PBase = "", 101 }, "name: found \"\", expected 1 to 100 visible characters\np_max: found 100, expected at least p_base, which is 101"},
		{func(r *retrieval.Ruleset) { r.Name = "\xff" }, "name: found \"\\xff\", expected 1 to 100 visible characters"},
	} {
		if err := preset("aic2025", test.change).Validate(); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if err := new(retrieval.Ruleset).Validate(); err == nil {
		t.Error("a ruleset without anything is taken")
	}
}

// validRuleset draws a ruleset that is in order, whatever its unused parameters.
func validRuleset(t *rapid.T) retrieval.Ruleset {
	amount := func(most float64, name string) float64 {
		return rapid.OneOf(rapid.SampledFrom([]float64{0, most, most / 2, 1}), rapid.Float64Range(0, most)).Draw(t, name)
	}
	above := func(most float64, name string) float64 { return max(amount(most, name), math.SmallestNonzeroFloat64) }
	r := *preset(rapid.SampledFrom(retrieval.Presets()).Draw(t, "preset"))
	if rapid.Bool().Draw(t, "as it is") {
		return r
	}
	r.Name = rapid.StringMatching(`[!-~ĐđẠ-ỹ東][ -~ĐđẠ-ỹ東]{0,20}`).Draw(t, "name")
	r.PBase, r.PPenalty = amount(1e9, "p_base"), amount(1e9, "p_penalty")
	r.PMax = max(r.PBase, amount(1e9, "p_max"))
	r.TimeLimit, r.Buffer = above(86400, "time_limit"), amount(3600, "buffer")
	r.Tolerance = retrieval.Tolerance{KIS: amount(1<<53, "kis"), QA: amount(1<<53, "qa"), TR: amount(1<<53, "tr")}
	r.PartialThreshold, r.PartialFactor = above(1, "partial_threshold"), amount(1, "partial_factor")
	r.FPS, r.MaxScore, r.DecayRate = above(1000, "fps"), amount(1e9, "max_score"), amount(1e9, "decay_rate")
	r.QualityOver = rapid.SampledFrom([]retrieval.QualityOver{"matched", "all"}).Draw(t, "quality_over")
	r.DistanceFrom = rapid.SampledFrom([]retrieval.DistanceFrom{"midpoint", "boundary"}).Draw(t, "distance_from")
	r.Aggregation = rapid.SampledFrom([]retrieval.Aggregation{"mean", "min", "sum"}).Draw(t, "aggregation")
	r.AnswerMatch = rapid.SampledFrom([]retrieval.AnswerMatch{"exact", "folded"}).Draw(t, "answer_match")
	r.Feedback = rapid.SampledFrom([]retrieval.Feedback{"counts", "verdict"}).Draw(t, "feedback")
	r.ItemOnly = rapid.Bool().Draw(t, "item_only")
	r.TimeLimits = retrieval.TimeLimits{KIS: amount(86400, "limit of kis"), QA: amount(86400, "limit of qa"), TR: amount(86400, "limit of tr")}
	return r
}

func writeRuleset(t rapid.TB, r *retrieval.Ruleset) string {
	t.Helper()
	var b bytes.Buffer
	if err := retrieval.WriteRuleset(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A ruleset that is written is read as an equal one, and written alike again.
func TestRulesetReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := validRuleset(t)
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		text := writeRuleset(t, &r)
		got, diags, ok := parseRuleset(text)
		if !ok || got != r || got.Digest() != r.Digest() {
			t.Fatalf("%s\nreads as %+v, not %+v\n%s", text, got, r, diags.Text())
		}
		if twice := writeRuleset(t, &got); twice != text {
			t.Fatalf("written the second time as %s", twice)
		}
		if _, preset := retrieval.Preset(r.Name); preset && diags.Warnings() > 0 {
			t.Fatalf("a preset as it is written has warnings:\n%s", diags.Text())
		}
	})
}

func TestWriteRuleset(t *testing.T) {
	const want = `name: 'it''s'
mode: exact
p_max: 100
p_base: 50
p_penalty: 10
time_limit: 300
buffer: 10
tolerance:
#   kis: 2500
  qa: 500
#   tr: 12
# quality_over: matched
partial_threshold: 0.5
partial_factor: 0.5
fps: 25
# max_score: 100
# decay_rate: 1
# distance_from: midpoint
# aggregation: mean
answer_match: exact
feedback: counts
completion: first_correct
item_only: false
time_limits:
  kis: 0
  qa: 0
  tr: 0
`
	got := writeRuleset(t, preset("aic2025-exact", func(r *retrieval.Ruleset) { r.Name, r.Tolerance.QA = "it's", 500 }))
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if all := writeRuleset(t, preset("aic2025-exact")); !strings.Contains(all, "\n# tolerance:\n#   kis: 2500\n#   qa: 2500\n#   tr: 12\n") {
		t.Errorf("got\n%s", all)
	}
}

// The digest tells every parameter apart, and never changes.
func TestDigest(t *testing.T) {
	for name, want := range map[string]string{
		"aic2025":        "fc2f93c3cd57",
		"aic2025-visual": "75277c7dcb2b",
		"aic2025-exact":  "adede124a1ec",
		"aic-decay":      "bd964e7ac87e",
	} {
		if got := preset(name).Digest(); len(got) != 64 || want == "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	plain := preset("aic2025")
	seen := map[string]string{plain.Digest(): "none"}
	note := func(field string, r *retrieval.Ruleset) {
		if other, twice := seen[r.Digest()]; twice {
			t.Errorf("a change of %s has the digest of a change of %s", field, other)
		}
		seen[r.Digest()] = field
	}
	for i := range reflect.TypeFor[retrieval.Ruleset]().NumField() {
		r := *plain
		value := reflect.ValueOf(&r).Elem().Field(i)
		name := reflect.TypeFor[retrieval.Ruleset]().Field(i).Name
		switch value.Kind() {
		case reflect.String:
			value.SetString("other")
		case reflect.Float64:
			value.SetFloat(value.Float() + 1)
		case reflect.Bool:
			value.SetBool(!value.Bool())
		default:
			for j := range value.NumField() {
				r = *plain
				value.Field(j).SetFloat(7)
				note(name, &r)
			}
			continue
		}
		note(name, &r)
	}
}

func FuzzRuleset(f *testing.F) {
	for _, seed := range []string{
		"", "extends: aic-decay\nfps: 30\n", "tolerance: {kis: 500, qa: 500, tr: 6}\n", `{"mode":"exact","p_max":1e2}`, "mode: decay\ncompletion: best\n",
		"name: 'x'\npartial_threshold: 0.6666666666666666\n", "p_max: 1e-320\np_base: 0\n", "tolerance:\n  kis: 1\n  kis: 2\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, diags, ok := parseRuleset(text)
		for _, d := range diags.Kept() {
			if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
				t.Fatalf("%q: %s", text, d.Text())
			}
		}
		if !ok {
			return
		}
		if err := r.Validate(); err != nil {
			t.Fatalf("%q reads as %+v: %v", text, r, err)
		}
		written := writeRuleset(t, &r)
		if again, diags, ok := parseRuleset(written); !ok || again != r {
			t.Fatalf("%q reads as %+v, not %+v\n%s", written, again, r, diags.Text())
		}
	})
}
