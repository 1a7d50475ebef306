// Package setup reads contest.yaml, the file that describes an event: its name,
// where its ground truth is, its rules, limits, registration and teams.
//
// It reads the file alone. Whether a file that it names is there, a time zone is
// known or a name is fit for a team is for those to say who can; the values
// remember their places for that.
package setup

import (
	"time"

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
		"two teams of the list have the same name",
		"give every team a name of its own; case does not tell names apart")
)

// Text is a value with its place, for faults that only its user can find.
type Text struct {
	Value string // empty: nothing was said
	At    diag.Position
}

// Setup is a contest as its file describes it. What the file does not say is
// the zero value.
type Setup struct {
	Name         Text
	GroundTruth  Text                      // path, relative to the file
	RulesName    Text                      // a preset, or a path relative to the file; empty if Rules is set
	Rules        *retrieval.Ruleset        // written into the file itself
	Limits       map[retrieval.Type]Limits // by type of question, before those of the rules
	Registration string                    // open, code, closed or always
	Code         string                    // the invite code, in the clear; given exactly with mode code
	MaxTeams     int
	Teams        []Team  // no two names equal after folding
	RatePerSec   float64 // submissions of a team; given together with RateBurst
	RateBurst    int
	Reveal       string // manual or at_stop
	TimeZone     Text   // IANA name
}

// Team is a team that the organiser registers.
type Team struct {
	Name     Text
	Password Text // in the clear; empty: none
}

// Limits are the times of the questions of a type. 0 means that nothing was
// said.
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
	r := reader{Setup: &Setup{Limits: map[retrieval.Type]Limits{}}, diags: diags}
	root.Object("the contest",
		strict.Member{Name: "name", Required: true, Read: text("name", &r.Name)},
		strict.Member{Name: "ground_truth", Read: text("ground_truth", &r.GroundTruth)},
		strict.Member{Name: "rules", Read: r.rules},
		strict.Member{Name: "limits", Read: r.limits},
		strict.Member{Name: "registration", Read: r.registration},
		strict.Member{Name: "teams", Read: r.teams},
		strict.Member{Name: "rate_limit", Read: r.rate},
		strict.Member{Name: "reveal", Read: r.reveal},
		strict.Member{Name: "time_zone", Read: text("time_zone", &r.TimeZone)},
	)
	return r.Setup, diags.Errors() == before
}
