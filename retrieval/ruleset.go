package retrieval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"scorebook/diag"
	"scorebook/strict"
)

// maxRulesName bounds the name of a ruleset, in characters.
const maxRulesName = 100

// ParseRuleset reads a ruleset from a YAML or JSON document; see [ReadRuleset].
func ParseRuleset(src *strict.Source, diags *diag.List, name string) (r Ruleset, ok bool) {
	root, ok := strict.ReadTree(src, diags, CodeRules)
	if !ok {
		return Ruleset{}, false
	}
	return ReadRuleset(root, diags, name)
}

// ReadRuleset reads a ruleset: the parameters that differ from those of the
// preset that `extends` names, or else of [DefaultPreset]. Completion is that of
// the mode unless it is given. A ruleset without a name gets the one that is
// handed in. All faults are reported; a parameter that cannot be read is never
// taken for its default, and one that the mode does not use is a warning.
func ReadRuleset(n *strict.Node, diags *diag.List, name string) (r Ruleset, ok bool) {
	before := diags.Errors()
	given, base := map[string]*strict.Node{}, DefaultPreset
	n.Object("the ruleset", rulesMembers(given, &base)...)
	r, _ = Preset(base)
	r.Name = name
	if node := given["name"]; node != nil {
		if text, ok := node.String("name"); ok {
			r.Name = text
		}
	}
	for _, p := range parameters {
		if node := given[p.name]; node != nil {
			p.read(&r, node)
		}
	}
	if given["completion"] == nil {
		r.Completion = defaultCompletion(r.Mode)
	}
	faults := r.faults()
	if diags.Errors() == before {
		faults = append(faults, r.conflicts()...) // else what is in conflict may only be misread
	}
	for _, fault := range faults {
		at := n
		if node := given[fault.parameter]; node != nil {
			at = node
		}
		at.Report(CodeRules, "%s", fault)
	}
	if diags.Errors() > before {
		return Ruleset{}, false
	}
	for _, p := range parameters {
		if node := given[p.name]; node != nil && !p.used(r.Mode) {
			node.Report(CodeRulesUnused, "%s: plays no part in mode %s", p.name, r.Mode)
		}
	}
	return r, true
}

// rulesMembers are the names of a ruleset. Reading them notes the nodes of the
// parameters, which can be read only when the preset is known.
func rulesMembers(given map[string]*strict.Node, base *string) []strict.Member {
	note := func(member, parameter string) strict.Member {
		return strict.Member{Name: member, Read: func(n *strict.Node) { given[parameter] = n }}
	}
	extends := func(n *strict.Node) {
		if preset, ok := n.Word("extends", Presets()...); ok {
			*base = preset
		}
	}
	members := []strict.Member{note("name", "name"), {Name: "extends", Read: extends}}
	groups := map[string][]strict.Member{}
	for _, p := range parameters {
		group, after, nested := strings.Cut(p.name, ".")
		if !nested {
			members = append(members, note(p.name, p.name))
			continue
		}
		if groups[group] == nil {
			members = append(members, strict.Member{Name: group, Read: func(n *strict.Node) { n.Object(group, groups[group]...) }})
		}
		groups[group] = append(groups[group], note(after, p.name))
	}
	return members
}

// defaultCompletion is the completion of a mode.
func defaultCompletion(mode Mode) Completion {
	if mode == ModeDecay {
		return Best
	}
	return FirstCorrect
}

// Validate returns what is wrong with a ruleset that was not read by
// [ReadRuleset], such as one of a journal.
func (r *Ruleset) Validate() error {
	var errs []error
	for _, fault := range append(r.faults(), r.conflicts()...) {
		errs = append(errs, errors.New(fault.String()))
	}
	return errors.Join(errs...)
}

// rulesFault is what is wrong with a parameter of a ruleset.
type rulesFault struct{ parameter, message string }

func (f rulesFault) String() string { return f.parameter + ": " + f.message }

// faults are those that a parameter shows by itself.
func (r *Ruleset) faults() (faults []rulesFault) {
	invisible := strings.ContainsFunc(r.Name, func(c rune) bool { return !unicode.IsGraphic(c) })
	if n := utf8.RuneCountInString(r.Name); n > maxRulesName || invisible || !utf8.ValidString(r.Name) || strings.TrimSpace(r.Name) == "" {
		faults = append(faults, rulesFault{"name", fmt.Sprintf("found %.200q, expected 1 to %d visible characters", r.Name, maxRulesName)})
	}
	for _, p := range parameters {
		if message := p.check(r); message != "" {
			faults = append(faults, rulesFault{p.name, message})
		}
	}
	return faults
}

// conflicts are faults between parameters.
func (r *Ruleset) conflicts() (faults []rulesFault) {
	if r.PMax < r.PBase {
		faults = append(faults, rulesFault{"p_max", fmt.Sprintf("found %s, expected at least p_base, which is %s", number(r.PMax), number(r.PBase))})
	}
	if slices.Contains(everyMode, r.Mode) && r.Completion != defaultCompletion(r.Mode) {
		faults = append(faults, rulesFault{"completion", fmt.Sprintf("found %s, expected %s in mode %s", r.Completion, defaultCompletion(r.Mode), r.Mode)})
	}
	return faults
}
