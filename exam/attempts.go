package exam

import (
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// AttemptColumns are the columns that a table of attempts must have.
var AttemptColumns = []string{
	"model", "track", "item", "attempt", "score", "adoption_status", "score_status", "score_type", "solver_protocol",
}

const (
	columnModel = iota
	columnTrack
	columnItem
	columnAttempt
	columnScore
	columnAdoption
	columnStatus
	columnType
	columnProtocol
	columnCount
)

// Words of the columns adoption_status, score_status and score_type.
const (
	Selected            = "selected"
	SelectedProvisional = "selected_provisional"
	Excluded            = "excluded"

	Valid = "valid"

	FixedReferenceRelative = "fixed_reference_relative"
	OriginalTaskScore      = "original_task_score"
)

// Unobserved lists the score statuses that leave a planned repetition without
// a result.
var Unobserved = []string{"judge_failed", "not_finished", "missing", "infrastructure_error", "cancelled"}

var words = [columnCount][]string{
	columnAdoption: {Selected, SelectedProvisional, Excluded},
	columnStatus:   append([]string{Valid}, Unobserved...),
	columnType:     {FixedReferenceRelative, OriginalTaskScore},
	columnProtocol: {"", string(Online), string(Offline)},
}

// Attempts is a table of attempts at the tasks of a suite.
type Attempts struct {
	File string
	Rows []Attempt // in the order of the file
}

// Attempt is one row of a table of attempts.
type Attempt struct {
	fields [columnCount]string
	line   strict.Place
	places [columnCount]strict.Place
}

// Model returns the competitor.
func (a *Attempt) Model() string { return a.fields[columnModel] }

// Track returns the track as the row has it.
func (a *Attempt) Track() Track { return Track(a.fields[columnTrack]) }

// Item returns the task.
func (a *Attempt) Item() string { return a.fields[columnItem] }

// Name returns the identifier of the attempt within its task.
func (a *Attempt) Name() string { return a.fields[columnAttempt] }

// Adopted reports whether the row counts towards its task.
func (a *Attempt) Adopted() bool {
	return a.fields[columnAdoption] == Selected || a.Provisional()
}

// Provisional reports whether the row is adopted provisionally.
func (a *Attempt) Provisional() bool { return a.fields[columnAdoption] == SelectedProvisional }

// Status returns the row's score_status.
func (a *Attempt) Status() string { return a.fields[columnStatus] }

// Score returns the score of a valid row; ok is false if it has none.
func (a *Attempt) Score() (n strict.Number, ok bool) {
	if a.Status() != Valid {
		return "", false
	}
	return strict.ParseNumber(a.fields[columnScore])
}

// ParseAttempts reads a table of attempts. It reports every fault that shows in
// a row by itself; the result is complete only if there was none.
func ParseAttempts(src *strict.Source, diags *diag.List) *Attempts {
	t := &Attempts{File: src.File()}
	c, ok := strict.NewCSV(src, diags, AttemptColumns)
	if !ok {
		return t
	}
	for c.Next() {
		a := Attempt{line: c.Line()}
		for i := range a.fields {
			a.fields[i], a.places[i] = c.Field(i), c.Place(i)
		}
		t.Rows = append(t.Rows, a)
		t.checkRow(&t.Rows[len(t.Rows)-1], diags)
	}
	return t
}

// position returns where a field of the row begins.
func (t *Attempts) position(a *Attempt, column int) diag.Position {
	return a.places[column].In(t.File)
}

func (t *Attempts) checkRow(a *Attempt, diags *diag.List) {
	if !slices.Contains(Tracks, a.Track()) {
		diags.Add(suggest(diag.At(t.position(a, columnTrack), CodeAttemptsTrack, "found the track %q, expected one of %s", a.Track(), trackNames()),
			string(a.Track()), strings.Split(trackNames(), ", ")))
	}
	known := true
	for column, list := range words {
		if word := a.fields[column]; list != nil && !slices.Contains(list, word) {
			known = false
			diags.Add(suggest(diag.At(t.position(a, column), CodeAttemptsValue, "found the %s %q, expected one of %s",
				AttemptColumns[column], word, strings.TrimPrefix(strings.Join(list, ", "), ", ")), word, list))
		}
	}
	for _, column := range []int{columnModel, columnItem, columnAttempt} {
		if a.fields[column] == "" {
			diags.Add(diag.At(t.position(a, column), CodeAttemptsValue, "found an empty %s, expected a name", AttemptColumns[column]))
		}
	}
	if known && a.Adopted() {
		t.checkAdopted(a, diags)
	}
}

// checkAdopted checks what does not matter in a row that is excluded.
func (t *Attempts) checkAdopted(a *Attempt, diags *diag.List) {
	want := OriginalTaskScore
	if a.Track() == Solver {
		want = FixedReferenceRelative
	}
	if got := a.fields[columnType]; got != want && slices.Contains(Tracks, a.Track()) {
		diags.Add(diag.At(t.position(a, columnType), CodeAttemptsScoreType, "found the score_type %q in a row of the track %s, expected %q", got, a.Track(), want))
	}
	if a.Status() != Valid {
		return
	}
	text := a.fields[columnScore]
	n, ok := strict.ParseNumber(text)
	if !ok {
		diags.Add(diag.At(t.position(a, columnScore), CodeAttemptsScoreValue,
			"found the score %q in a valid row, expected a decimal number such as 0.25", text))
		return
	}
	score, one := decimal(n), decimal("1")
	expected := ""
	switch a.Track() {
	case Theorem, Open:
		if score.Sign() != 0 && score.Cmp(one) != 0 {
			expected = "0 or 1"
		}
	case Solver:
		if score.Sign() < 0 || score.Cmp(one) > 0 {
			expected = "a score from 0 to 1"
		}
	case Construction:
		if score.Sign() < 0 {
			expected = "a score that is not negative"
		}
	}
	if expected != "" {
		diags.Add(diag.At(t.position(a, columnScore), CodeAttemptsScoreRange, "found the %s score %s, expected %s", a.Track(), text, expected))
	}
}

// Check reports rows that do not fit the suite or the cohort, or each other.
func (t *Attempts) Check(suite *Suite, cohort *Cohort, diags *diag.List) {
	models := make([]string, len(cohort.Models))
	for i, m := range cohort.Models {
		models[i] = m.Name
	}
	type task struct {
		model, item string
		track       Track
	}
	type identity struct {
		task
		attempt string
	}
	first := map[identity]*Attempt{}
	adopted := map[task][]*Attempt{}
	for i := range t.Rows {
		a := &t.Rows[i]
		model := cohort.Model(a.Model())
		if model < 0 && a.Model() != "" {
			d := diag.At(t.position(a, columnModel), CodeAttemptsModel, "found the model %q, which is not in the cohort", a.Model())
			if !diags.Full() {
				d = suggest(d, a.Model(), models)
			}
			diags.Add(d)
		}
		if slices.Contains(Tracks, a.Track()) && !suite.Has(a.Track(), a.Item()) && a.Item() != "" {
			t.unknownItem(a, suite, diags)
		}
		id := identity{task{a.Model(), a.Item(), a.Track()}, a.Name()}
		if other := first[id]; other != nil {
			diags.Add(diag.At(a.line.In(t.File), CodeAttemptsDuplicate, "attempt %q of %q at %s/%s occurs twice", a.Name(), a.Model(), a.Track(), a.Item()).
				WithRelated(other.line.In(t.File), "first here"))
			continue
		}
		first[id] = a
		if !a.Adopted() {
			continue
		}
		if a.Track() == Solver && a.fields[columnProtocol] != string(cohort.Protocol) && slices.Contains(words[columnProtocol], a.fields[columnProtocol]) {
			diags.Add(diag.At(t.position(a, columnProtocol), CodeAttemptsProtocol, "found the solver_protocol %q, but the cohort is %s", a.fields[columnProtocol], cohort.Protocol))
		}
		if model < 0 {
			continue
		}
		adopted[id.task] = append(adopted[id.task], a)
		before := adopted[id.task]
		if planned := cohort.Models[model].AttemptsPerTask; len(before) > planned {
			diags.Add(diag.At(a.line.In(t.File), CodeAttemptsExcess, "found adopted row %d of %q at %s/%s, but attempts_per_task is %d", len(before), a.Model(), a.Track(), a.Item(), planned).
				WithRelated(before[0].line.In(t.File), "adopted first"))
		}
	}
}

func (t *Attempts) unknownItem(a *Attempt, suite *Suite, diags *diag.List) {
	d := diag.At(t.position(a, columnItem), CodeAttemptsItem, "found the item %q, which is no %s task of the suite %q", a.Item(), a.Track(), suite.Name)
	for _, other := range Tracks {
		if suite.Has(other, a.Item()) {
			diags.Add(d.WithHint("it is a task of the track %s", other))
			return
		}
	}
	if !diags.Full() {
		d = suggest(d, a.Item(), suite.Items(a.Track()))
	}
	diags.Add(d)
}

// suggest adds the candidate that was probably meant.
func suggest(d diag.Diagnostic, found string, candidates []string) diag.Diagnostic {
	if near, ok := strict.Nearest(found, candidates); ok {
		return d.WithHint("did you mean %q?", near)
	}
	return d
}
