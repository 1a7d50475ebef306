package exam

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// RunColumns names the columns of a long table of runs: one row for each run
// and instance.
type RunColumns struct {
	Instance string
	Status   string
	Value    string // empty: only for solve tasks, where the status says it all
	By       string // tells the runs apart; empty: the table is one run
}

// RunRules says how to read a table of runs.
type RunRules struct {
	Kind    Kind
	Columns RunColumns
	// Statuses maps the table's own words to ok or a failure. Words that are
	// statuses already need no entry.
	Statuses map[string]string
	// Values maps values that are no outcome, such as "inf" or "N/A", to the
	// failure that they stand for in a row whose status counts as ok.
	Values map[string]string
}

// Runs is a long table of runs, read as outcomes on instances.
type Runs struct {
	File string
	rows []run // by run, then by instance
}

// run is one row; a failed one has no value.
type run struct {
	by, instance string
	status       status
	value        strict.Number
	at           strict.Place
}

// ParseRuns reads a long table of runs. It reports every fault, and each status
// that is not mapped once; the result is complete only if there was none.
func ParseRuns(src *strict.Source, rules RunRules, diags *diag.List) *Runs {
	t := &Runs{File: src.File()}
	columns := []string{rules.Columns.Instance, rules.Columns.Status}
	value, by := -1, -1
	if rules.Columns.Value != "" {
		value = len(columns)
		columns = append(columns, rules.Columns.Value)
	}
	if rules.Columns.By != "" {
		by = len(columns)
		columns = append(columns, rules.Columns.By)
	}
	c, ok := strict.NewCSV(src, diags, columns)
	if !ok {
		return t
	}
	values := map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(rules.Values)) {
		key := worth(word)
		if other, twice := values[key]; twice && other != rules.Values[word] {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(t.File), CodeRunsValue, "the value %q is mapped to %s and, in another spelling, to %s", word, rules.Values[word], other))
		}
		values[key] = rules.Values[word]
	}
	p := runParser{rules: rules, values: values, used: map[string]bool{}, unmapped: map[string]*grouped{}, unusable: map[string]*grouped{}}
	for c.Next() {
		r := run{instance: c.Field(0), at: c.Line()}
		if r.instance == "" {
			diags.Add(diag.At(c.Place(0).In(t.File), CodeRunsColumn, "found an empty %s", columns[0]))
		}
		if by >= 0 {
			if r.by = c.Field(by); r.by == "" {
				diags.Add(diag.At(c.Place(by).In(t.File), CodeRunsColumn, "found an empty %s", columns[by]))
			}
		}
		if r.status, ok = p.status(c.Field(1)); !ok {
			count(p.unmapped, c.Field(1), c.Place(1))
			continue
		}
		if r.status.OK() && value >= 0 {
			if !p.value(&r, c.Field(value)) {
				count(p.unusable, c.Field(value), c.Place(value))
			}
		}
		t.rows = append(t.rows, r)
	}
	p.report(t.File, rules.Columns.Value, diags)
	t.sort(diags)
	if len(t.rows) == 0 && diags.OK() {
		diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(t.File), CodeRunsSelection, "found no runs in the table, only a header"))
	}
	if diags.OK() { // else rows are missing here that the table has
		t.reportMissing(diags)
	}
	return t
}

// runParser reads the words of a table by the rules and remembers which of
// them it knew.
type runParser struct {
	rules              RunRules
	values             map[string]string // RunRules.Values by what a number is worth
	used               map[string]bool   // mappings, by "status WORD" and "value WORD"
	unmapped, unusable map[string]*grouped
}

// grouped counts the rows with the same fault.
type grouped struct {
	at   strict.Place // of the first
	rows int
}

func count(groups map[string]*grouped, word string, at strict.Place) {
	if groups[word] == nil {
		groups[word] = &grouped{at: at}
	}
	groups[word].rows++
}

// status returns what a word of the status column means.
func (p *runParser) status(word string) (s status, ok bool) {
	known := word
	if mapped, ok := p.rules.Statuses[word]; ok {
		p.used["status "+word] = true
		known = mapped
	}
	i := slices.Index(statuses, known)
	if i < 0 || slices.Contains(Infrastructure, known) {
		return 0, false
	}
	return status(i), true
}

// value reads the value of a run whose status is ok, or the failure that it
// stands for. A number is mapped by what it is worth: 1e20 is also 1e+20.
func (p *runParser) value(r *run, text string) (ok bool) {
	if len(p.values) > 0 {
		key := worth(text)
		if failure, ok := p.values[key]; ok {
			p.used["value "+key] = true
			r.status = status(slices.Index(statuses, failure))
			return true
		}
	}
	r.value, ok = runValue(text, p.rules.Kind)
	return ok
}

// worth returns the exact value of a number in one spelling, and any other text
// as it is.
func worth(text string) string {
	if n, ok := strict.ParseNumber(text); ok {
		return decimal(n).RatString()
	}
	return text
}

// report tells what was not understood, each word once, and the mappings that
// were not used.
func (p *runParser) report(file, column string, diags *diag.List) {
	for _, word := range slices.Sorted(maps.Keys(p.unmapped)) {
		u := p.unmapped[word]
		d := diag.At(u.at.In(file), CodeRunsStatus, "the status %q is not mapped (rows with it: %d)", word, u.rows)
		if slices.Contains(Infrastructure, word) {
			d = d.WithHint("it says that the judging failed: repair it, or leave these rows out")
		} else {
			argument := "STATUS=ok"
			if !strings.Contains(word, "'") {
				argument = "'" + word + "=ok'"
			}
			d = d.WithHint("say what it means: --map %s, or a failure: %s", argument, knownFailures)
		}
		diags.Add(d)
	}
	for _, text := range slices.Sorted(maps.Keys(p.unusable)) {
		u := p.unusable[text]
		diags.Add(diag.At(u.at.In(file), CodeRunsValue, "found %s %q in a run that counts as ok, expected %s (rows with it: %d)", column, text, valueForm(p.rules.Kind), u.rows).
			WithHint("correct it, or say which failure it stands for: --map-value VALUE=FAILURE"))
	}
	same := func(word string) string { return word }
	p.reportUnused(file, "status", p.rules.Statuses, same, diags)
	p.reportUnused(file, "value", p.rules.Values, worth, diags)
}

func (p *runParser) reportUnused(file, kind string, mapping map[string]string, key func(string) string, diags *diag.List) {
	for _, word := range slices.Sorted(maps.Keys(mapping)) {
		if !p.used[kind+" "+key(word)] {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(file), CodeRunsUnused, "no row has the %s %q, which is mapped to %s", kind, word, mapping[word]))
		}
	}
}

// reportMissing warns of runs that lack a row for some instance of the table.
func (t *Runs) reportMissing(diags *diag.List) {
	instances, have := map[string]bool{}, map[string]int{}
	for _, r := range t.rows {
		instances[r.instance] = true
		have[r.by]++
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if missing := len(instances) - have[name]; missing > 0 && name != "" {
			diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(t.File), CodeRunsMissing, "the run %q has no row for %d of the %d instances", name, missing, len(instances)))
		}
	}
}

func valueForm(kind Kind) string {
	if kind == Solve {
		return "0, 1, true or false"
	}
	return "a decimal number that a float64 can hold"
}

// runValue reads the value of a valid run.
func runValue(text string, kind Kind) (n strict.Number, ok bool) {
	if kind == Objective {
		return strict.ParseNumber(text)
	}
	switch text {
	case "1", "true":
		return "1", true
	case "0", "false":
		return "0", true
	}
	return "", false
}

func (t *Runs) sort(diags *diag.List) {
	slices.SortStableFunc(t.rows, func(a, b run) int {
		return cmp.Or(strings.Compare(a.by, b.by), strings.Compare(a.instance, b.instance))
	})
	var kept []run
	for _, r := range t.rows {
		last := len(kept) - 1
		if last < 0 || kept[last].by != r.by || kept[last].instance != r.instance {
			kept = append(kept, r)
			continue
		}
		of := ""
		if r.by != "" {
			of = " of the run " + r.by
		}
		diags.Add(diag.At(r.at.In(t.File), CodeRunsDuplicate, "the instance %q%s occurs twice", r.instance, of).
			WithRelated(kept[last].at.In(t.File), "first here"))
	}
	t.rows = kept
}

// Names returns the names of the runs.
func (t *Runs) Names() []string {
	var names []string
	for _, r := range t.rows {
		if len(names) == 0 || names[len(names)-1] != r.by {
			names = append(names, r.by)
		}
	}
	return names
}

// Split divides the runs into candidates, which are named, and the rest, which
// makes the reference. It reports names that the table does not have.
func (t *Runs) Split(candidates []string, diags *diag.List) (chosen, rest []string) {
	names := t.Names()
	for _, c := range candidates {
		if !slices.Contains(names, c) {
			diags.Add(suggest(diag.At(strict.Place{Line: 1, Column: 1}.In(t.File), CodeRunsSelection, "found no run %q in the table", c), c, names))
		}
	}
	for _, name := range names {
		if slices.Contains(candidates, name) {
			chosen = append(chosen, name)
		} else {
			rest = append(rest, name)
		}
	}
	return chosen, rest
}

// Records returns the outcomes of one run.
func (t *Runs) Records(name string, kind Kind) *Records {
	records := &Records{File: t.File}
	for _, r := range t.rows {
		if r.by != name {
			continue
		}
		record := Record{text: r.instance, name: int32(len(r.instance)), Status: r.status, at: r.at}
		switch {
		case !r.status.OK():
		case kind == Solve && r.value != "0":
			record.solved = 1
		case kind == Solve:
			record.solved = -1
		default:
			record.text += string(r.value)
		}
		records.add(record)
	}
	var none diag.List // a run has an instance only once
	records.sort(&none)
	return records
}

// Reference makes a reference with one task from the outcomes of the named
// runs. A failed run gives an objective task no value and a solve task the
// value 0. Instances with fewer than two values become unscored; that none is
// left is reported.
func (t *Runs) Reference(id string, floors Floors, task string, kind Kind, direction Direction, names []string, diags *diag.List) *Reference {
	chosen := map[string]bool{}
	for _, name := range names {
		chosen[name] = true
	}
	values := map[string][]strict.Number{}
	for _, r := range t.rows {
		if !chosen[r.by] {
			continue
		}
		vs := values[r.instance]
		switch {
		case kind == Solve && !r.status.OK():
			vs = append(vs, "0")
		case kind == Solve && r.value == "":
			vs = append(vs, "1")
		case r.status.OK():
			vs = append(vs, r.value)
		}
		values[r.instance] = vs
	}
	out := &Task{Name: task, Kind: kind, Direction: direction}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if vs := values[name]; len(vs) >= 2 {
			out.Instances = append(out.Instances, Instance{Name: name, Values: vs})
		} else {
			out.Unscored = append(out.Unscored, name)
		}
	}
	if len(out.Instances) == 0 {
		diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(t.File), CodeRunsSelection, "found no instance with at least two usable values in the %d runs for the reference", len(names)))
	}
	return &Reference{ID: id, Floors: floors, Tasks: []*Task{out}}
}
