package exam_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

func source(text string) *strict.Source {
	return strict.NewSource("in", strings.NewReader(text), 0)
}

// parse reads a text that must have no error.
func parse[T any](t rapid.TB, text string, parser func(*strict.Source, *diag.List) T) T {
	t.Helper()
	var diags diag.List
	value := parser(source(text), &diags)
	if !diags.OK() {
		t.Fatalf("%s\n%s", text, diags.Text())
	}
	return value
}

// codes lists the codes of the diagnostics.
func codes(diags *diag.List) (names []string) {
	for _, d := range diags.Kept() {
		names = append(names, d.Code.String())
	}
	return names
}

// one fails unless there is exactly one diagnostic, and returns it.
func one(t rapid.TB, diags *diag.List, code diag.Code) diag.Diagnostic {
	t.Helper()
	if kept := diags.Kept(); len(kept) != 1 || kept[0].Code != code {
		t.Fatalf("want one %s, got:\n%s", code, diags.Text())
	}
	return diags.Kept()[0]
}

func rat(t rapid.TB, text string) *big.Rat {
	t.Helper()
	q, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return q
}

// row is an instance with its fixed outcomes and its record.
type row struct {
	name   string
	values []string
	status string
	value  string // A; empty: none
	solved string // true, false or empty: none
}

// sheet is a solver task of a reference, and the records of an attempt at it.
type sheet struct {
	kind, direction    string
	relative, absolute string
	rows               []row
	unscored           []string // names that the reference lists
	extra              []row    // records of instances that are not eligible
}

// reference renders the reference with its instances in the order of rows.
func (s sheet) reference(rows []row) string {
	var instances []string
	for _, r := range rows {
		instances = append(instances, fmt.Sprintf("%q: [%s]", r.name, strings.Join(r.values, ", ")))
	}
	var unscored []string
	for _, name := range s.unscored {
		unscored = append(unscored, fmt.Sprintf("%q", name))
	}
	return fmt.Sprintf(`{"reference_id": "r", "scale_floors": {"relative": %s, "absolute": %s}, "tasks": {"t": {"kind": %q, "direction": %q,
		"instances": {%s}, "unscored_reference_instances": [%s]}}}`,
		s.relative, s.absolute, s.kind, s.direction, strings.Join(instances, ", "), strings.Join(unscored, ", "))
}

// records renders the records of rows in their order.
func records(rows []row) string {
	var list []string
	for _, r := range rows {
		text := fmt.Sprintf(`{"instance": %q, "status": %q`, r.name, r.status)
		if r.value != "" {
			text += `, "A": ` + r.value
		}
		if r.solved != "" {
			text += `, "solved": ` + r.solved
		}
		list = append(list, text+"}")
	}
	return "[" + strings.Join(list, ",\n ") + "]"
}

func (s sheet) outcomes() []row { return slices.Concat(s.rows, s.extra) }

// score scores the sheet, which must have no error.
func (s sheet) score(t rapid.TB) *exam.SolverResult {
	t.Helper()
	return scoreTexts(t, s.reference(s.rows), records(s.outcomes()))
}

func scoreTexts(t rapid.TB, reference, outcomes string) *exam.SolverResult {
	t.Helper()
	var diags diag.List
	ref := parse(t, reference, exam.ParseReference)
	result := exam.ScoreSolver(ref, ref.Task("t"), parse(t, outcomes, exam.ParseRecords), &diags)
	if result == nil || !diags.OK() {
		t.Fatalf("%s\n%s\n%s", reference, outcomes, diags.Text())
	}
	return result
}

// change returns a copy of the sheet with every row replaced.
func (s sheet) change(replace func(row) row) sheet {
	s.rows, s.extra = slices.Clone(s.rows), slices.Clone(s.extra)
	for i := range s.rows {
		s.rows[i] = replace(s.rows[i])
	}
	for i := range s.extra {
		s.extra[i] = replace(s.extra[i])
	}
	return s
}

// with returns a copy of the sheet with one row replaced.
func (s sheet) with(i int, r row) sheet {
	s.rows = slices.Clone(s.rows)
	s.rows[i] = r
	return s
}

// decimals are numbers in several spellings; equal ones are not rare.
var decimals = rapid.OneOf(
	rapid.Map(rapid.IntRange(-3, 3), func(n int) string { return fmt.Sprint(n) }),
	rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%de%d", rapid.IntRange(-2000, 2000).Draw(t, "digits"), rapid.IntRange(-3, 3).Draw(t, "exponent"))
	}),
	rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%d.%02d", rapid.IntRange(-99, 99).Draw(t, "whole"), rapid.IntRange(0, 99).Draw(t, "hundredths"))
	}),
)

var failure = rapid.SampledFrom(exam.Failures)

// sheets draws sheets whose values of objective tasks are drawn from numbers.
func sheets(numbers *rapid.Generator[string]) *rapid.Generator[sheet] {
	return rapid.Custom(func(t *rapid.T) sheet {
		s := sheet{
			kind:      rapid.SampledFrom([]string{"objective", "objective", "solve"}).Draw(t, "kind"),
			direction: "maximize",
			relative:  rapid.SampledFrom([]string{"0", "0.02", "0.5", "3"}).Draw(t, "relative"),
			absolute:  rapid.SampledFrom([]string{"1e-9", "1", "0.25"}).Draw(t, "absolute"),
		}
		if s.kind == "objective" {
			s.direction = rapid.SampledFrom([]string{"maximize", "minimize"}).Draw(t, "direction")
		} else {
			numbers = rapid.SampledFrom([]string{"0", "1", "1.0", "0e5"})
		}
		draw := func(name string) row {
			r := row{name: name, values: rapid.SliceOfN(numbers, 2, 4).Draw(t, "values"), status: "ok"}
			if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
				r.status = failure.Draw(t, "failure")
			}
			switch {
			case r.status != "ok" && rapid.Bool().Draw(t, "without value"):
			case s.kind == "solve" && rapid.Bool().Draw(t, "by solved"):
				r.solved = rapid.SampledFrom([]string{"true", "false"}).Draw(t, "solved")
			case rapid.IntRange(0, 3).Draw(t, "as a fixed one") == 0:
				r.value = r.values[0]
			default:
				r.value = numbers.Draw(t, "A")
			}
			return r
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "instances") {
			s.rows = append(s.rows, draw(fmt.Sprint("i", i)))
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "extra") {
			s.extra = append(s.extra, draw(fmt.Sprint("x", i)))
			if rapid.Bool().Draw(t, "known") {
				s.unscored = append(s.unscored, fmt.Sprint("x", i))
			}
		}
		return s
	})
}
