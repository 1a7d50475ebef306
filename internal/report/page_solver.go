package report

import (
	"fmt"
	"strings"

	"scorebook/exam"
)

// Bounds of the lists of a solver result; the CSV has everything.
const (
	maxRows     = 500 // instances in the table
	maxWarnings = 10
	maxUnscored = 200
)

// solverView is the output of solver-score as the page shows it.
type solverView struct {
	ID, Name, Task, Suite  string
	Score, Exact           string
	Kind                   string
	Eligible, Failed       string
	Line                   string // what came of the instances
	Outside, WarningCount  string
	WarningHead            string
	Doubtful               bool // there are warnings
	Facts                  []fact
	Strip                  stripView
	Floors                 barView
	FloorKey               []floorView
	Rows                   []rowView
	RowsNote               string
	Warnings, Unscored     []string
	MoreWarnings, MoreLeft string
}

type floorView struct{ Class, Words, Count string }

type rowView struct{ Instance, Status, Value, Mu, S, Scale, From, Z, Score string }

// floorNames says in words what set the scale of an instance.
var floorNames = []struct {
	from  exam.ScaleSource
	words string
}{
	{exam.FromRelative, "relative floor"},
	{exam.FromSD, "spread of the reference"},
	{exam.FromAbsolute, "absolute floor"},
}

func newSolverView(w words, number int, named Named[*exam.SolverResult]) solverView {
	r := named.Result
	v := solverView{
		ID: fmt.Sprintf("solver-%d", number), Name: name(named.Name), Task: name(r.Task), Suite: name(r.Suite),
		Score: fixed(r.RelativeScore, 4), Exact: exact(r.RelativeScore),
		Kind:     name(string(r.Kind) + ", " + string(r.Direction)),
		Eligible: thousands(r.EligibleInstances), Failed: thousands(r.FailedInstances),
		Outside: thousands(len(r.UnscoredInstances)), WarningCount: thousands(len(r.Warnings)), WarningHead: w.count(len(r.Warnings), "1 warning", "%s warnings"), Doubtful: len(r.Warnings) > 0,
		Strip: newStrip(w, r),
	}
	v.Facts = append(v.Facts, fact{Text: v.Kind}, fact{What: w.say("reference"), Text: name(r.ReferenceID), Code: true})
	v.Facts = append(v.Facts, digests(w, &r.Provenance)...)
	v.Line = strings.Join(append([]string{
		w.count(r.EligibleInstances, "1 eligible instance", "%s eligible instances"), failures(w, r.FailedInstances), v.Strip.sides(w),
		w.say("%s outside the reference, not scored", thousands(len(r.UnscoredInstances))),
	}, v.Strip.Notes...), " · ")
	v.addFloors(w, r)
	for i := range r.Instances[:min(maxRows, len(r.Instances))] {
		in := &r.Instances[i]
		v.Rows = append(v.Rows, rowView{
			Instance: name(in.Instance), Status: name(in.Status), Value: maybeDigits(in.Value), Mu: digits(in.Mu), S: digits(in.S),
			Scale: digits(in.Scale), From: name(string(in.ScaleFrom)), Z: maybeDigits(in.Z), Score: fixed(in.Score, 4),
		})
	}
	v.RowsNote = w.say("Figures are rounded; the file has all digits.")
	if len(r.Instances) > maxRows {
		v.RowsNote = w.say("The first %d of %s instances; the file has all of them, with all digits.", maxRows, thousands(len(r.Instances)))
	}
	v.Warnings, v.MoreWarnings = firstFew(w, r.Warnings, maxWarnings)
	v.Unscored, v.MoreLeft = firstFew(w, r.UnscoredInstances, maxUnscored)
	return v
}

// failures says how many failed, and what that means.
func failures(w words, n int) string {
	if n == 0 {
		return w.say("none failed")
	}
	return w.count(n, "1 failed and scores 0", "%s failed and score 0")
}

// addFloors counts what set the scale of the instances.
func (v *solverView) addFloors(w words, r *exam.SolverResult) {
	count := map[exam.ScaleSource]int{}
	for i := range r.Instances {
		count[r.Instances[i].ScaleFrom]++
	}
	at := 0.0
	var label []string
	for _, f := range floorNames {
		n := count[f.from]
		text := w.say(f.words) + " " + thousands(n)
		label = append(label, text)
		width := share(float64(n), float64(len(r.Instances)))
		v.Floors.Parts = append(v.Floors.Parts, partView{Class: string(f.from), X: percent(at), Width: percent(width), Title: text})
		v.FloorKey = append(v.FloorKey, floorView{Class: string(f.from), Words: w.say(f.words), Count: thousands(n)})
		at += width
	}
	v.Floors.Label = w.say("What set the scale: %s", strings.Join(label, ", "))
}

// firstFew returns the first texts of a list, and how many more there are.
func firstFew(w words, all []string, few int) (shown []string, more string) {
	for _, s := range all[:min(few, len(all))] {
		shown = append(shown, name(s))
	}
	if len(all) > few {
		more = w.say("and %s more", thousands(len(all)-few))
	}
	return shown, more
}
