package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/internal/keep"
	"scorebook/internal/service"
	"scorebook/retrieval"
	"scorebook/setup"
)

func (a *app) checkCommand() *cobra.Command {
	var asRules bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Tell every fault of contest files, ground truth and rules",
		Long: `Reads contest files and what they name, tables of ground truth (.csv) and
rulesets, and tells every fault with its line, and then what would be played. A
YAML or JSON file is a ruleset if it has names of one and none of a contest file,
or if --rules says so.`,
		Example: "  scorebook check contest.yaml",
		Args:    cli.Arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var said strings.Builder
			for _, path := range args {
				if err := a.checkFile(cmd.Context(), path, asRules, &said); err != nil {
					return err
				}
			}
			if !a.Diags.OK() {
				return nil
			}
			return a.Tell("", said.String())
		},
	}
	cmd.Flags().BoolVar(&asRules, "rules", false, "the YAML and JSON files are rulesets")
	return cmd
}

func (a *app) checkFile(ctx context.Context, path string, asRules bool, said *strings.Builder) error {
	if filepath.Ext(path) == ".csv" {
		questions, err := a.groundTruth(ctx, path)
		fmt.Fprintf(said, "%s: %s\n", diag.Printable(path), describe(questions))
		return err
	}
	if !asRules {
		before := a.Diags.Errors()
		var err error
		if asRules, err = a.recognise(ctx, path); err != nil || a.Diags.Errors() > before {
			return err
		}
	}
	if asRules {
		rules, err := a.rules(ctx, path)
		fmt.Fprintf(said, "%s: rules %s, mode %s, digest %.12s\n", diag.Printable(path), diag.Printable(rules.Name), rules.Mode, rules.Digest())
		return err
	}
	plan, err := a.plan(ctx, path)
	if err != nil || !a.Diags.OK() {
		return err
	}
	plan.summary(said, path)
	return nil
}

// plannedTeam is a team of the list of a contest file.
type plannedTeam struct{ name, password string }

// plan is a contest as it shall be opened.
type plan struct {
	open       contest.Open
	teams      []plannedTeam
	configured bool // a contest file was given
	ruled      bool // rules were given, in the contest file or beside it
}

// summary tells what would be played.
func (p *plan) summary(said *strings.Builder, path string) {
	settings, rules := p.open.Settings, p.open.Rules
	fmt.Fprintf(said, "%s: %s\n", diag.Printable(path), diag.Printable(settings.Name))
	fmt.Fprintf(said, "  questions     %s\n", describe(p.open.Questions))
	fmt.Fprintf(said, "  rules         %s, mode %s, digest %.12s\n", diag.Printable(rules.Name), rules.Mode, rules.Digest())
	var state contest.State
	if err := state.Apply(contest.Recorded{Seq: 1, Event: contest.Opened(p.open)}); err != nil {
		panic(err) // every contest can be opened
	}
	var times []string
	for _, kind := range []retrieval.Type{retrieval.KIS, retrieval.QA, retrieval.TR} {
		limit, buffer := state.Limits(&retrieval.Question{Type: kind})
		times = append(times, fmt.Sprintf("%s %v + %v s", kind, limit.Seconds(), buffer.Seconds()))
	}
	fmt.Fprintf(said, "  time + buffer %s\n", strings.Join(times, ", "))
	fmt.Fprintf(said, "  registration  %s, at most %d teams\n", settings.Registration, settings.MaxTeams)
	fmt.Fprintf(said, "  teams         %d in the list\n", len(p.teams))
	fmt.Fprintf(said, "  a team sends  at most %v submissions a second, %d at once\n", settings.RatePerSec, settings.RateBurst)
	fmt.Fprintf(said, "  ground truth  is shown %s\n", map[contest.RevealPolicy]string{
		contest.RevealManual: "when the organiser reveals it", contest.RevealAtStop: "as soon as a question is closed",
	}[settings.Reveal])
	if settings.TimeZone != "" {
		fmt.Fprintf(said, "  time zone     %s\n", diag.Printable(settings.TimeZone))
	}
}

// describe counts questions by their type.
func describe(questions []retrieval.Question) string {
	count := map[retrieval.Type]int{}
	for _, q := range questions {
		count[q.Type]++
	}
	return fmt.Sprintf("%s: %d KIS, %d QA, %d TR", cli.Count(len(questions), "question"), count[retrieval.KIS], count[retrieval.QA], count[retrieval.TR])
}

// Codes of faults that only the program that reads the files can find.
var (
	codeTimeZone = diag.Define("contest/time-zone", diag.Error,
		"the time zone of a contest file is not known",
		"give an IANA name such as Asia/Ho_Chi_Minh")
	codeNoFile = diag.Define("contest/no-file", diag.Error,
		"a file that a contest file names is not there",
		"give its path as seen from the contest file")
	codeTeamName = diag.Define("contest/team-name", diag.Error,
		"a team of the list cannot have this name",
		"give it 1 to 120 visible characters, and no two teams names that look the same")
	codePassword = diag.Define("contest/password", diag.Error,
		"a team of the list cannot have this password",
		"give it 8 to 128 characters, or none: the team's token is a password too")
)

// plan reads a contest file and what it names. Faults are in a.Diags.
func (a *app) plan(ctx context.Context, path string) (*plan, error) {
	p := &plan{open: contest.Open{Settings: contest.DefaultSettings()}}
	p.open.Rules, _ = retrieval.Preset(retrieval.DefaultPreset)
	s, err := a.setup(ctx, path)
	if err != nil || s == nil {
		return p, err
	}
	if s.GroundTruth.Value != "" {
		file := beside(path, s.GroundTruth.Value)
		p.open.Questions, err = a.groundTruth(ctx, file)
		if err := a.named(err, s.GroundTruth); err != nil {
			return p, err
		}
	}
	p.configured, p.ruled = true, s.Rules != nil || s.RulesName.Value != ""
	switch {
	case s.Rules != nil:
		p.open.Rules = *s.Rules
	case s.RulesName.Value != "":
		given := s.RulesName.Value
		if !isPreset(given) {
			given = beside(path, given)
		}
		rules, err := a.rules(ctx, given)
		if err := a.named(err, s.RulesName); err != nil {
			return p, err
		}
		p.open.Rules = rules
	}
	a.settings(s, &p.open.Settings)
	p.teams = a.teamList(s.Teams)
	return p, nil
}

// named makes a diagnostic of a file that is not there, at the line that names
// it.
func (a *app) named(err error, by setup.Text) error {
	if cli.ExitCode(err) != cli.ExitUsage {
		return err
	}
	a.Diags.Add(diag.At(by.At, codeNoFile, "found %q: %s", by.Value, err))
	return nil
}

// settings takes over what a contest file says.
func (a *app) settings(s *setup.Setup, into *contest.Settings) {
	into.Name = s.Name.Value
	if s.Registration != "" {
		into.Registration = contest.RegistrationMode(s.Registration)
	}
	if s.Code != "" {
		into.CodeHash = service.HashToken(s.Code)
	}
	if s.MaxTeams > 0 {
		into.MaxTeams = s.MaxTeams
	}
	if s.RatePerSec > 0 {
		into.RatePerSec, into.RateBurst = s.RatePerSec, s.RateBurst
	}
	if s.Reveal != "" {
		into.Reveal = contest.RevealPolicy(s.Reveal)
	}
	for kind, limits := range s.Limits {
		if into.Limits == nil {
			into.Limits = map[retrieval.Type]contest.Limits{}
		}
		into.Limits[kind] = contest.Limits(limits)
	}
	if zone := s.TimeZone; zone.Value != "" {
		if _, err := time.LoadLocation(zone.Value); err != nil || zone.Value == "Local" {
			a.Diags.Add(diag.At(zone.At, codeTimeZone, "found the time zone %q, expected an IANA name such as Asia/Ho_Chi_Minh", zone.Value))
		}
		into.TimeZone = zone.Value
	}
}

// teamList checks the teams of a list as registration would.
func (a *app) teamList(list []setup.Team) (teams []plannedTeam) {
	first := map[string]setup.Text{}
	for _, t := range list {
		team := t.Name
		if fault := keep.CheckPassword(t.Password.Value); t.Password != (setup.Text{}) && fault != "" {
			a.Diags.Add(diag.At(t.Password.At, codePassword, "the password of the team %q: %s, expected %d to %d visible ones", team.Value, fault, keep.MinPassword, keep.MaxPassword))
		}
		clean, fault := contest.CleanName(team.Value)
		key := contest.NameKey(clean)
		earlier, twice := first[key]
		switch {
		case fault != "":
			a.Diags.Add(diag.At(team.At, codeTeamName, "found the team name %q: %s", team.Value, fault))
		case twice:
			a.Diags.Add(diag.At(team.At, codeTeamName, "the team name %q looks like another one", team.Value).WithRelated(earlier.At, "this one"))
		default:
			first[key] = team
			teams = append(teams, plannedTeam{clean, t.Password.Value})
		}
	}
	return teams
}

// csvOf returns rows as a table.
func csvOf(rows ...[]string) io.Reader {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		panic(err) // a builder takes everything
	}
	return strings.NewReader(b.String())
}

// firstMessage returns what the first fault says.
func firstMessage(diags *diag.List) string {
	for _, d := range diags.Kept() {
		if d.Code.Severity() == diag.Error {
			return d.Pos.File + ": " + d.Message
		}
	}
	return ""
}
