package setup

import (
	"math"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"scorebook/diag"
	"scorebook/retrieval"
	"scorebook/strict"
)

// reader fills a setup from the parts of its file.
type reader struct {
	*Setup
	diags *diag.List
}

// text reads a text of one line that is not empty.
func text(what string, into *Text) func(*strict.Node) {
	return func(n *strict.Node) {
		value, ok := n.String(what)
		switch {
		case !ok:
		case strings.TrimSpace(value) == "":
			n.Report(CodeInvalid, "%s: found an empty text, expected one", what)
		case strings.ContainsFunc(value, unicode.IsControl):
			n.Report(CodeInvalid, "%s: found %.200q, expected no control characters", what, value)
		default:
			*into = Text{value, n.Position()}
		}
	}
}

// secret reads a text that no message repeats. Whether it is fit is for its user
// to say.
func secret(what string, into *Text) func(*strict.Node) {
	return func(n *strict.Node) {
		if value, ok := n.Secret(what); ok {
			*into = Text{value, n.Position()}
		}
	}
}

// rules reads the name of rules or, from an object, the rules themselves.
func (r *reader) rules(n *strict.Node) {
	if !n.IsObject() {
		text("rules", &r.RulesName)(n)
		return
	}
	if rules, ok := retrieval.ReadRuleset(n, r.diags, "contest"); ok {
		r.Rules = &rules
	}
}

func (r *reader) limits(n *strict.Node) {
	of := func(name string, kind retrieval.Type) strict.Member {
		return strict.Member{Name: name, Read: func(n *strict.Node) { r.Limits[kind] = readLimits("limits."+name, n) }}
	}
	n.Object("limits", of("kis", retrieval.KIS), of("qa", retrieval.QA), of("tr", retrieval.TR))
}

func readLimits(what string, n *strict.Node) (l Limits) {
	n.Object(what,
		strict.Member{Name: "time_limit", Read: func(n *strict.Node) {
			var ok bool
			if l.TimeLimit, ok = seconds(what+".time_limit", n, 86400); ok && l.TimeLimit == 0 {
				n.Report(CodeInvalid, "%s.time_limit: found 0, expected more than 0 seconds", what)
			}
		}},
		strict.Member{Name: "buffer", Read: func(n *strict.Node) {
			l.Buffer, l.HasBuffer = seconds(what+".buffer", n, 3600)
		}},
	)
	return l
}

// seconds reads a time.
func seconds(what string, n *strict.Node, most float64) (time.Duration, bool) {
	value, ok := n.Number(what, 0, most)
	return time.Duration(math.Round(value * float64(time.Second))), ok
}

// registration reads a mode, or an object with more.
func (r *reader) registration(n *strict.Node) {
	modes := []string{"open", "code", "closed", "always"}
	var code Text
	var ok bool
	if !n.IsObject() {
		r.Registration, ok = n.Word("registration", modes...)
	} else {
		before := r.diags.Errors()
		n.Object("registration",
			strict.Member{Name: "mode", Required: true, Read: func(n *strict.Node) { r.Registration, _ = n.Word("registration.mode", modes...) }},
			strict.Member{Name: "code", Read: text("registration.code", &code)},
			strict.Member{Name: "max_teams", Read: func(n *strict.Node) { r.MaxTeams, _ = n.Int("registration.max_teams", 1, 1e6) }},
		)
		ok = r.diags.Errors() == before
	}
	switch {
	case !ok:
	case r.Registration == "code" && code.Value == "":
		n.Report(CodeInvalid, "registration: found mode code without a code, expected the invite code as registration.code")
	case r.Registration != "code" && code.Value != "":
		r.diags.Add(diag.At(code.At, CodeInvalid, "registration.code: found a code with mode %s, expected it with mode code only", r.Registration))
	}
	r.Code = code.Value
}

func (r *reader) rate(n *strict.Node) {
	n.Object("rate_limit",
		strict.Member{Name: "per_second", Required: true, Read: func(n *strict.Node) { r.RatePerSec, _ = n.Number("rate_limit.per_second", 0.01, 1e6) }},
		strict.Member{Name: "burst", Required: true, Read: func(n *strict.Node) { r.RateBurst, _ = n.Int("rate_limit.burst", 1, 1e6) }},
	)
}

// reveal reads a policy, or an object with it.
func (r *reader) reveal(n *strict.Node) {
	policies := []string{"manual", "at_stop"}
	if !n.IsObject() {
		r.Reveal, _ = n.Word("reveal", policies...)
		return
	}
	n.Object("reveal",
		strict.Member{Name: "policy", Required: true, Read: func(n *strict.Node) { r.Reveal, _ = n.Word("reveal.policy", policies...) }},
	)
}

// teams reads a list of names, or of objects with a name and perhaps a password.
func (r *reader) teams(n *strict.Node) {
	first := map[string]diag.Position{}
	n.List("teams", func(n *strict.Node) {
		var team Team
		if n.IsObject() {
			n.Object("a team",
				strict.Member{Name: "name", Required: true, Read: text("a team's name", &team.Name)},
				strict.Member{Name: "password", Read: secret("a team's password", &team.Password)},
			)
		} else {
			text("a team's name", &team.Name)(n)
		}
		name := team.Name
		if name.Value == "" {
			return
		}
		key := norm.NFC.String(cases.Fold().String(norm.NFC.String(name.Value)))
		if earlier, twice := first[key]; twice {
			r.diags.Add(diag.At(name.At, CodeTeam, "the team %q occurs twice", name.Value).WithRelated(earlier, "first here"))
			return
		}
		first[key] = name.At
		r.Teams = append(r.Teams, team)
	})
}
