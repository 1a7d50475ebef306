// Package setup reads contest.yaml, the file that describes an event: its name,
// where its ground truth is, its rules, limits, registration and teams.
package setup

import (
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"scorebook/diag"
	"scorebook/retrieval"
	"scorebook/strict"
)

// Codes of faults in a contest file.
var (
	CodeInvalid = diag.Define("contest/invalid", diag.Error,
		"a contest file lacks a part, or a part of it is not as the format has it",
		"compare it with the example in docs/rules.md")
	CodeTeam = diag.Define("contest/team", diag.Error,
		"two teams of the list have the same name, or one has none",
		"give every team a name of its own; case does not tell names apart")
)

// Text is a value with its place, for faults that only its user can find.
type Text struct {
	Value string
	At    diag.Position
}

// Setup is a contest as its file describes it. What the file does not say is
// the zero value.
type Setup struct {
	Name         Text
	GroundTruth  Text                      // path, relative to the file
	RulesName    Text                      // a preset, or a path; empty if Rules is set or nothing is said
	Rules        *retrieval.Ruleset        // written into the file itself
	Limits       map[retrieval.Type]Limits // by type of question
	Registration string                    // open, code, closed or always
	Code         string                    // the invite code, in the clear
	MaxTeams     int
	Teams        []Text // names
	RatePerSec   float64
	RateBurst    int
	Reveal       string // manual or at_stop
	TimeZone     Text   // IANA name
}

// Limits are the times of the questions of a type.
type Limits struct {
	TimeLimit time.Duration
	Buffer    time.Duration
	HasBuffer bool // a buffer of 0 is meant
}

// Parse reads a contest file, YAML or JSON. All faults are reported; ok is false
// if there is an error among them.
func Parse(src *strict.Source, diags *diag.List) (s *Setup, ok bool) {
	root, ok := strict.ReadTree(src, diags, CodeInvalid)
	if !ok {
		return nil, false
	}
	before := diags.Errors()
	s = &Setup{Limits: map[retrieval.Type]Limits{}}
	root.Object("the contest",
		strict.Member{Name: "name", Required: true, Read: text("name", &s.Name)},
		strict.Member{Name: "ground_truth", Read: text("ground_truth", &s.GroundTruth)},
		strict.Member{Name: "rules", Read: func(n *strict.Node) {
			if !n.IsObject() {
				text("rules", &s.RulesName)(n)
				return
			}
			if rules, ok := retrieval.ReadRuleset(n, diags, "contest"); ok {
				s.Rules = &rules
			}
		}},
		strict.Member{Name: "limits", Read: s.limits},
		strict.Member{Name: "registration", Read: s.registration},
		strict.Member{Name: "teams", Read: func(n *strict.Node) { s.teams(n, diags) }},
		strict.Member{Name: "rate_limit", Read: s.rate},
		strict.Member{Name: "reveal", Read: func(n *strict.Node) { s.Reveal, _ = n.Word("reveal", "manual", "at_stop") }},
		strict.Member{Name: "time_zone", Read: text("time_zone", &s.TimeZone)},
	)
	return s, diags.Errors() == before
}

// text reads a text that is not empty.
func text(what string, into *Text) func(*strict.Node) {
	return func(n *strict.Node) {
		value, ok := n.String(what)
		if ok && value == "" {
			n.Report(CodeInvalid, "%s: found an empty text, expected one", what)
		}
		*into = Text{value, n.Position()}
	}
}

func (s *Setup) limits(n *strict.Node) {
	of := func(name string, kind retrieval.Type) strict.Member {
		return strict.Member{Name: name, Read: func(n *strict.Node) {
			var l Limits
			n.Object("limits."+name,
				strict.Member{Name: "time_limit", Read: func(n *strict.Node) {
					seconds, ok := n.Number("limits."+name+".time_limit", 0, 86400)
					if ok && seconds == 0 {
						n.Report(CodeInvalid, "limits.%s.time_limit: found 0, expected more than 0 seconds", name)
					}
					l.TimeLimit = time.Duration(seconds * float64(time.Second))
				}},
				strict.Member{Name: "buffer", Read: func(n *strict.Node) {
					seconds, ok := n.Number("limits."+name+".buffer", 0, 3600)
					l.Buffer, l.HasBuffer = time.Duration(seconds*float64(time.Second)), ok
				}},
			)
			s.Limits[kind] = l
		}}
	}
	n.Object("limits", of("kis", retrieval.KIS), of("qa", retrieval.QA), of("tr", retrieval.TR))
}

func (s *Setup) registration(n *strict.Node) {
	modes := []string{"open", "code", "closed", "always"}
	if !n.IsObject() {
		s.Registration, _ = n.Word("registration", modes...)
	} else {
		n.Object("registration",
			strict.Member{Name: "mode", Required: true, Read: func(n *strict.Node) { s.Registration, _ = n.Word("registration.mode", modes...) }},
			strict.Member{Name: "code", Read: func(n *strict.Node) { s.Code, _ = n.String("registration.code") }},
			strict.Member{Name: "max_teams", Read: func(n *strict.Node) { s.MaxTeams = whole(n, "registration.max_teams", 1, 1e6) }},
		)
	}
	if (s.Registration == "code") != (s.Code != "") {
		n.Report(CodeInvalid, "registration: found mode %q with a code of %d characters, expected a code with mode code and with no other", s.Registration, len(s.Code))
	}
}

// whole reads a whole number.
func whole(n *strict.Node, what string, least, most float64) int {
	value, ok := n.Number(what, least, most)
	if ok && value != float64(int(value)) {
		n.Report(CodeInvalid, "%s: found %v, expected a whole number", what, value)
	}
	return int(value)
}

func (s *Setup) rate(n *strict.Node) {
	n.Object("rate_limit",
		strict.Member{Name: "per_second", Required: true, Read: func(n *strict.Node) {
			s.RatePerSec, _ = n.Number("rate_limit.per_second", 0.01, 1e6)
		}},
		strict.Member{Name: "burst", Required: true, Read: func(n *strict.Node) { s.RateBurst = whole(n, "rate_limit.burst", 1, 1e6) }},
	)
}

func (s *Setup) teams(n *strict.Node, diags *diag.List) {
	first := map[string]diag.Position{}
	n.List("teams", func(n *strict.Node) {
		var team Text
		if n.IsObject() {
			n.Object("a team", strict.Member{Name: "name", Required: true, Read: text("name", &team)})
		} else {
			text("a team", &team)(n)
		}
		if team.Value == "" {
			return
		}
		key := cases.Fold().String(norm.NFC.String(team.Value))
		if earlier, twice := first[key]; twice {
			diags.Add(diag.At(team.At, CodeTeam, "the team %q occurs twice", team.Value).WithRelated(earlier, "first here"))
			return
		}
		first[key] = team.At
		s.Teams = append(s.Teams, team)
	})
}
