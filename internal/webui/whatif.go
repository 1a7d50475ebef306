package webui

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"scorebook/contest"
	"scorebook/retrieval"
)

// whatIf is how the standings would be under rules that are moved a little.
// Nothing is applied.
type whatIf struct {
	Moved    bool // something is other than the rules in force
	Controls []slider
	Over     retrieval.QualityOver
	Tolerant bool // the mode has a quality
	Changes  []rankChange
	Ranks    int // that would change
	Totals   int // likewise
	Of       int
}

// slider moves one parameter.
type slider struct {
	Name  string // of the field
	Label string // key of a message
	Now   string
	Value string
	Min   string
	Max   string
	Step  string
	Unit  string
	Moved bool
}

type rankChange struct {
	Name         string
	Before, Then string
	Difference   string
	Better       bool
	Worse        bool
}

// lever is a parameter that can be moved.
type lever struct {
	name, label, unit string
	step, most        float64
	factor            float64 // of the unit shown: 1000 for seconds of milliseconds
	modes             []retrieval.Mode
	field             func(*retrieval.Ruleset) *float64
}

var (
	withFormula = []retrieval.Mode{retrieval.ModeTolerance, retrieval.ModeExact}
	withSlack   = []retrieval.Mode{retrieval.ModeTolerance}
	withDecay   = []retrieval.Mode{retrieval.ModeDecay}
)

var levers = []lever{
	{"if_kis", "whatif.tolerance_kis", "s", 0.5, 30, 1000, withSlack, func(r *retrieval.Ruleset) *float64 { return &r.Tolerance.KIS }},
	{"if_qa", "whatif.tolerance_qa", "s", 0.5, 30, 1000, withSlack, func(r *retrieval.Ruleset) *float64 { return &r.Tolerance.QA }},
	{"if_tr", "whatif.tolerance_tr", "", 1, 100, 1, []retrieval.Mode{retrieval.ModeTolerance, retrieval.ModeDecay}, func(r *retrieval.Ruleset) *float64 { return &r.Tolerance.TR }},
	{"if_penalty", "whatif.penalty", "", 1, 50, 1, withFormula, func(r *retrieval.Ruleset) *float64 { return &r.PPenalty }},
	{"if_base", "whatif.base", "", 1, 100, 1, withFormula, func(r *retrieval.Ruleset) *float64 { return &r.PBase }},
	{"if_max", "whatif.max", "", 1, 200, 1, withFormula, func(r *retrieval.Ruleset) *float64 { return &r.PMax }},
	{"if_decay", "whatif.decay", "", 0.1, 10, 1, withDecay, func(r *retrieval.Ruleset) *float64 { return &r.DecayRate }},
}

// movedRules are the rules in force with what a form moves.
func movedRules(v *visit, rules retrieval.Ruleset, values url.Values) (retrieval.Ruleset, error) {
	for _, l := range levers {
		text := strings.TrimSpace(values.Get(l.name))
		if text == "" || !slices.Contains(l.modes, rules.Mode) {
			continue
		}
		moved, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return rules, &mistake{v.say("whatif.number", v.say(l.label), text)}
		}
		*l.field(&rules) = moved * l.factor
	}
	if over := values.Get("if_over"); over != "" && rules.Mode == retrieval.ModeTolerance {
		rules.QualityOver = retrieval.QualityOver(over)
	}
	if err := rules.Validate(); err != nil {
		return rules, &mistake{err.Error()}
	}
	return rules, nil
}

func whatIfOf(v *visit, state *contest.State, table *contest.Table, values url.Values) (*whatIf, error) {
	current := state.Rules()
	rules, err := movedRules(v, current, values)
	if err != nil {
		rules = current
	}
	w := &whatIf{Moved: rules != current, Over: rules.QualityOver, Tolerant: rules.Mode == retrieval.ModeTolerance, Of: len(table.Rows)}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	for _, l := range levers {
		if !slices.Contains(l.modes, rules.Mode) {
			continue
		}
		now, then := *l.field(&current)/l.factor, *l.field(&rules)/l.factor
		w.Controls = append(w.Controls, slider{
			Name: l.name, Label: l.label, Now: number(now), Value: number(then), Min: "0", Max: number(max(l.most, now, then)),
			Step: number(l.step), Unit: l.unit, Moved: now != then,
		})
	}
	if w.Moved {
		w.compare(table, state.Under(&rules))
	}
	return w, err
}

// compare lists the teams whose rank or total would change, the ones that move
// most first.
func (w *whatIf) compare(table *contest.Table, would contest.Table) {
	const most = 12
	before := map[contest.TeamID]*contest.Row{}
	for i := range table.Rows {
		before[table.Rows[i].ID] = &table.Rows[i]
	}
	type move struct {
		rankChange
		places int
		gain   float64
	}
	var moves []move
	for i := range would.Rows {
		then := &would.Rows[i]
		was := before[then.ID]
		if was == nil || was.Rank == then.Rank && was.Total == then.Total {
			continue
		}
		m := move{places: abs(was.Rank - then.Rank), gain: then.Total - was.Total}
		if m.places > 0 {
			w.Ranks++
		}
		if m.gain != 0 {
			w.Totals++
		}
		m.rankChange = rankChange{then.Name, rankText(was.Rank), rankText(then.Rank), signed(m.gain), m.gain > 0, m.gain < 0}
		moves = append(moves, m)
	}
	slices.SortStableFunc(moves, func(a, b move) int { return b.places - a.places })
	for _, m := range moves[:min(most, len(moves))] {
		w.Changes = append(w.Changes, m.rankChange)
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
