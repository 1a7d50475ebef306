package webui

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// maxReason bounds a reason, in characters.
const maxReason = 500

// order carries out what the organiser wants, and shows the control room again.
func (s *site) order(v *visit) error {
	if err := v.form(); err != nil {
		return err
	}
	command, err := s.command(v)
	if err == nil {
		err = s.carryOut(v, command)
	}
	if err != nil {
		status, message := s.explain(v, err)
		return s.showControl(v, status, message)
	}
	return v.redirect(v.back("/admin-dashboard"))
}

// carryOut has a command carried out, and notes what it made happen.
func (s *site) carryOut(v *visit, command contest.Command) error {
	outcome, err := s.svc.Do(v.r.Context(), command, s.svc.Now())
	for _, event := range outcome.Events {
		s.log.Info("admin", "page", v.r.Pattern, "event", event.Event.Kind(), "seq", event.Seq)
	}
	return err
}

// command reads an order from a form.
func (s *site) command(v *visit) (contest.Command, error) {
	question := retrieval.QuestionID(v.field("question"))
	reason, err := v.reason()
	if err != nil {
		return nil, err
	}
	switch order := v.field("do"); order {
	case "start":
		return s.startCommand(v, question)
	case "stop":
		return contest.Stop{Question: question}, nil
	case "extend":
		by, err := v.duration("seconds", false)
		if err != nil {
			return nil, err
		}
		return contest.Extend{Question: question, By: *by}, nil
	case "void":
		return contest.Void{Question: question, Voided: true, Reason: reason}, s.confirmed(v)
	case "unvoid":
		return contest.Void{Question: question, Reason: reason}, nil
	case "reveal":
		return contest.Reveal{Question: question}, nil
	case "freeze":
		return contest.Freeze{}, nil
	case "unveil":
		return contest.Unveil{}, nil
	case "thaw":
		return contest.Thaw{}, nil
	case "reset":
		return contest.Reset{Teams: v.field("teams") != ""}, s.confirmed(v)
	case "registration":
		command := contest.SetRegistration{Mode: contest.RegistrationMode(v.field("mode"))}
		if code := v.field("code"); code != "" && command.Mode == contest.CodeRegistration {
			command.CodeHash = service.HashToken(code)
		}
		return command, nil
	case "override":
		seq, err := strconv.ParseUint(v.field("submission"), 10, 64)
		if err != nil {
			return nil, &mistake{v.say("order.submission", v.field("submission"))}
		}
		return contest.Override{Submission: contest.Seq(seq), Verdict: contest.Verdict(v.field("verdict")), Reason: reason}, nil
	case "rules":
		return s.rulesCommand(v, reason)
	default:
		return nil, &mistake{v.say("order.unknown", order)}
	}
}

func (s *site) startCommand(v *visit, question retrieval.QuestionID) (contest.Command, error) {
	limit, err := v.duration("time_limit", true)
	if err != nil {
		return nil, err
	}
	buffer, err := v.duration("buffer", true)
	if err != nil {
		return nil, err
	}
	command := contest.Start{Question: question, TimeLimit: limit, Buffer: buffer, Restart: v.field("restart") != ""}
	if command.Restart {
		return command, s.confirmed(v)
	}
	return command, nil
}

// rulesCommand puts the rules of the what-if panel in.
func (s *site) rulesCommand(v *visit, reason string) (contest.Command, error) {
	if reason == "" {
		return nil, &mistake{v.say("order.reason_missing")}
	}
	if err := s.confirmed(v); err != nil {
		return nil, err
	}
	var current retrieval.Ruleset
	s.svc.Read(func(state *contest.State) { current = state.Rules() })
	rules, err := movedRules(v, current, v.r.PostForm)
	if err == nil && rules == current {
		err = &mistake{v.say("order.rules_same")}
	}
	return contest.ReplaceRules{Rules: rules, Reason: reason}, err
}

// reason returns why something is done.
func (v *visit) reason() (string, error) {
	reason := v.field("reason")
	if utf8.RuneCountInString(reason) > maxReason {
		return "", &mistake{v.say("order.reason_too_long", maxReason)}
	}
	return reason, nil
}

// confirmed returns a mistake unless the name of the contest was typed.
func (s *site) confirmed(v *visit) error {
	var name string
	s.svc.Read(func(state *contest.State) { name = state.Settings().Name })
	fold := func(text string) string { return norm.NFC.String(strings.Join(strings.Fields(text), " ")) }
	if fold(v.field("confirm")) != fold(name) {
		return &mistake{v.say("order.confirm", v.field("confirm"), name)}
	}
	return nil
}

// duration reads a number of seconds; nil if the field is empty and may be.
func (v *visit) duration(name string, optional bool) (*time.Duration, error) {
	text := v.field(name)
	if text == "" && optional {
		return nil, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > -1e6 && seconds < 1e6) {
		return nil, &mistake{v.say("order.seconds", text)}
	}
	d := time.Duration(seconds * float64(time.Second))
	return &d, nil
}

// teamsPage is every team, for the organiser.
type teamsPage struct {
	*frame
	Message string
	Fresh   *slip // a team that has just got a token
	Teams   []teamLine
	Address string
	Local   bool // nobody else reaches the server by this address
}

type teamLine struct {
	ID         contest.TeamID
	Name       string
	Registered string
	Simulated  bool
	Banned     bool
	Attempts   int
	Rank       string
	Total      string
}

// slip is what a team needs to take part. Its token is shown only once.
type slip struct{ Name, Token string }

func (s *site) teams(v *visit) error { return s.showTeams(v, http.StatusOK, "", nil) }

func (s *site) showTeams(v *visit, status int, message string, fresh *slip) error {
	p := teamsPage{frame: s.frame(v, v.say("teams.title")), Message: message, Fresh: fresh, Address: s.base(v.r), Local: s.options.URL == "" && auth.ToLoopback(v.r)}
	table := &s.svc.Snapshot().Jury
	rows := map[contest.TeamID]*contest.Row{}
	for i := range table.Rows {
		rows[table.Rows[i].ID] = &table.Rows[i]
	}
	s.svc.Read(func(state *contest.State) {
		at := zone(state.Settings())
		for _, team := range state.Teams() {
			line := teamLine{
				ID: team.ID, Name: team.Name, Registered: team.Registered.In(at).Format("2006-01-02 15:04"),
				Simulated: team.Simulated, Banned: team.Banned, Rank: "–",
			}
			if r := rows[team.ID]; r != nil {
				line.Rank, line.Total = rankText(r.Rank), points(r.Total)
				for i := range r.Cells {
					line.Attempts += r.Cells[i].Attempts
				}
			}
			p.Teams = append(p.Teams, line)
		}
	})
	return s.render(v, status, "teams", p)
}

// slipsPage is slips to print and cut.
type slipsPage struct {
	*frame
	Slips   []slip
	Address string
	Message string // what went wrong before there was one for every team
}

func (s *site) teamOrder(v *visit) error {
	if err := v.form(); err != nil {
		return err
	}
	fresh, slips, err := s.carryOutForTeam(v)
	status, message := http.StatusOK, ""
	if err != nil {
		status, message = s.explain(v, err)
	}
	switch {
	case len(slips) > 0:
		return s.render(v, status, "slips", slipsPage{s.frame(v, v.say("slips.title")), slips, s.base(v.r), message})
	case err != nil:
		return s.showTeams(v, status, message, nil)
	case slips != nil:
		return s.showTeams(v, http.StatusOK, v.say("slips.none"), nil)
	case fresh != nil:
		return s.showTeams(v, http.StatusOK, "", fresh)
	}
	return v.redirect("/admin-dashboard/teams")
}

// carryOutForTeam carries out an order about teams. It returns the team that got
// a token, or the slips of all that did.
func (s *site) carryOutForTeam(v *visit) (fresh *slip, slips []slip, err error) {
	id := contest.TeamID(v.field("team"))
	switch order := v.field("do"); order {
	case "add":
		token := newToken()
		command := contest.Register{ID: newTeamID(), Name: v.field("name"), TokenHash: service.HashToken(token), Organiser: true}
		if err := s.carryOut(v, command); err != nil {
			return nil, nil, err
		}
		return &slip{v.field("name"), token}, nil, nil
	case "rename":
		return nil, nil, s.carryOut(v, contest.Rename{Team: id, Name: v.field("name")})
	case "ban", "unban":
		reason, err := v.reason()
		if err == nil {
			err = s.carryOut(v, contest.Ban{Team: id, Banned: order == "ban", Reason: reason})
		}
		return nil, nil, err
	case "rotate":
		made, err := s.rotate(v, id)
		return made, nil, err
	case "slips":
		if err := s.confirmed(v); err != nil {
			return nil, nil, err
		}
		var teams []contest.Team
		s.svc.Read(func(state *contest.State) { teams = state.Teams() })
		slips = []slip{}
		for _, team := range teams {
			if team.Banned || team.Simulated {
				continue
			}
			made, err := s.rotate(v, team.ID)
			if err != nil {
				return nil, slips, err // those before it have only these tokens now
			}
			slips = append(slips, *made)
		}
		return nil, slips, nil
	default:
		return nil, nil, &mistake{v.say("order.unknown", order)}
	}
}

// rotate gives a team a new token.
func (s *site) rotate(v *visit, id contest.TeamID) (*slip, error) {
	token := newToken()
	if err := s.carryOut(v, contest.RotateToken{Team: id, TokenHash: service.HashToken(token)}); err != nil {
		return nil, err
	}
	var team contest.Team
	s.svc.Read(func(state *contest.State) { team, _ = state.Team(id) })
	return &slip{team.Name, token}, nil
}
