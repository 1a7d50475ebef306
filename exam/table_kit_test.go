package exam_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/exam"
)

const attemptsHeader = "model,track,item,attempt,score,adoption_status,score_status,score_type,solver_protocol\n"

// attempt is a row of a table of attempts.
type attempt struct {
	model, track, item, name, score, adoption, status string
}

func (a attempt) adopted() bool { return a.adoption != "excluded" }

func (a attempt) line() string {
	kind, protocol := "original_task_score", ""
	if a.track == "solver" {
		kind, protocol = "fixed_reference_relative", "offline"
	}
	return strings.Join([]string{a.model, a.track, a.item, a.name, a.score, a.adoption, a.status, kind, protocol}, ",") + "\n"
}

// contest is a suite, a cohort and a table of attempts.
type contest struct {
	items   map[string][]string // by track
	planned map[string]int      // by model
	rows    []attempt
}

var trackNames = []string{"theorem", "solver", "construction", "open"}

func (c contest) suite() string {
	var tracks []string
	for _, track := range trackNames {
		tracks = append(tracks, fmt.Sprintf("%q: %s", track, strings.ReplaceAll(fmt.Sprintf("%q", c.items[track]), " ", ", ")))
	}
	return `{"suite": "s", "solver_reference_id": "r", "tracks": {` + strings.Join(tracks, ", ") + "}}"
}

func (c contest) cohort() string {
	var models []string
	for name, n := range c.planned {
		models = append(models, fmt.Sprintf(`%q: {"attempts_per_task": %d}`, name, n))
	}
	return `{"suite": "s", "solver_protocol": "offline", "solver_reference_id": "r", "models": {` + strings.Join(models, ", ") + "}}"
}

func table(rows []attempt) string {
	text := attemptsHeader
	for _, row := range rows {
		text += row.line()
	}
	return text
}

// check parses everything and holds it against each other.
func (c contest) check(t rapid.TB) (*exam.Suite, *exam.Cohort, *exam.Attempts, *diag.List) {
	t.Helper()
	var diags diag.List
	suite, cohort := parse(t, c.suite(), exam.ParseSuite), parse(t, c.cohort(), exam.ParseCohort)
	attempts := exam.ParseAttempts(source(table(c.rows)), &diags)
	cohort.CheckSuite(suite, "s", &diags)
	attempts.Check(suite, cohort, &diags)
	return suite, cohort, attempts, &diags
}

// index computes the Index of a contest that must have no error.
func (c contest) index(t rapid.TB) *exam.IndexResult {
	t.Helper()
	suite, cohort, attempts, diags := c.check(t)
	result := exam.ComputeIndex(suite, cohort, attempts, diags)
	if result == nil || !diags.OK() {
		t.Fatalf("%s\n%s", table(c.rows), diags.Text())
	}
	return result
}

var scoresOf = map[string]*rapid.Generator[string]{
	"theorem": rapid.SampledFrom([]string{"0", "1", "1.0", "-0", "0e3"}),
	"open":    rapid.SampledFrom([]string{"0", "1", "10e-1"}),
	"solver": rapid.OneOf(rapid.SampledFrom([]string{"0", "1", "0.5", "1e-300"}),
		rapid.Map(rapid.IntRange(0, 9999), func(n int) string { return fmt.Sprintf("0.%04d", n) })),
	"construction": rapid.OneOf(rapid.SampledFrom([]string{"0", "1e3", "1e-17", "0.1"}),
		rapid.Map(rapid.IntRange(0, 5000), func(n int) string { return fmt.Sprintf("%de-3", n) })),
}

// contests draws contests without a fault; a model may lack results.
var contests = rapid.Custom(func(t *rapid.T) contest {
	c := contest{items: map[string][]string{}, planned: map[string]int{}}
	for _, track := range trackNames {
		for i := range rapid.IntRange(1, 3).Draw(t, "items") {
			c.items[track] = append(c.items[track], fmt.Sprint(track[:1], i))
		}
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "models") {
		model := fmt.Sprint("m", i)
		c.planned[model] = rapid.IntRange(1, 3).Draw(t, "planned")
		holes := rapid.Bool().Draw(t, "holes")
		provisional := rapid.Bool().Draw(t, "provisional")
		for _, track := range trackNames {
			for _, item := range c.items[track] {
				c.rows = append(c.rows, attemptsAt(t, attempt{model: model, track: track, item: item}, c.planned[model], holes, provisional)...)
			}
		}
	}
	return c
})

// attemptsAt draws the rows of a model at a task.
func attemptsAt(t *rapid.T, at attempt, planned int, holes, provisional bool) (rows []attempt) {
	for k := range planned {
		at.name, at.score, at.adoption, at.status = fmt.Sprint(k), scoresOf[at.track].Draw(t, "score"), "selected", "valid"
		if provisional && rapid.Bool().Draw(t, "provisional row") {
			at.adoption = "selected_provisional"
		}
		if holes {
			switch rapid.IntRange(0, 9).Draw(t, "hole") {
			case 0:
				continue
			case 1:
				at.status = rapid.SampledFrom(exam.Unobserved).Draw(t, "status")
				at.score = rapid.SampledFrom([]string{"", "7", "n/a"}).Draw(t, "not looked at")
			}
		}
		rows = append(rows, at)
	}
	if rapid.IntRange(0, 3).Draw(t, "excluded") == 0 {
		rows = append(rows, excluded(t, at, "x"))
	}
	return rows
}

// excluded draws a row that does not count.
func excluded(t *rapid.T, at attempt, name string) attempt {
	at.name, at.adoption = name, "excluded"
	at.score = rapid.SampledFrom([]string{"", "0.25", "1e300", "NaN"}).Draw(t, "excluded score")
	at.status = rapid.SampledFrom(slices.Concat([]string{"valid"}, exam.Unobserved)).Draw(t, "excluded status")
	return at
}
