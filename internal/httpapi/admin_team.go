package httpapi

import (
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
)

// registrationRequest is the body of POST /admin/registration.
type registrationRequest struct {
	Mode contest.RegistrationMode `json:"mode" enum:"open,code,closed,always"`
	Code string                   `json:"code,omitempty" doc:"The invite code, for the mode code"`
}

func (a *api) setRegistration(x *exchange) error {
	var request registrationRequest
	err := decode(x, &request, true)
	if err == nil {
		err = text("code", request.Code)
	}
	if err != nil {
		return err
	}
	command := contest.SetRegistration{Mode: request.Mode}
	if request.Code != "" {
		command.CodeHash = service.HashToken(request.Code)
	}
	return a.apply(x, command, "", "the registration was changed")
}

// teamRequest is the body of POST /admin/teams.
type teamRequest struct {
	Name      string `json:"team_name"`
	Password  string `json:"password,omitempty" doc:"For clients that sign in with one, 8 to 128 characters"`
	Simulated bool   `json:"simulated,omitempty" doc:"A rival for a rehearsal; it is marked everywhere"`
}

func (a *api) createTeam(x *exchange) error {
	var request teamRequest
	if err := decode(x, &request, true); err != nil {
		return err
	}
	return a.addTeam(x, contest.Register{Name: request.Name, Organiser: true, Simulated: request.Simulated}, request.Password)
}

// renameRequest is the body of POST /admin/teams/{id}/rename.
type renameRequest struct {
	Name string `json:"team_name"`
}

func (a *api) rename(x *exchange) error {
	var request renameRequest
	if err := decode(x, &request, true); err != nil {
		return err
	}
	return a.apply(x, contest.Rename{Team: contest.TeamID(x.parameter("id")), Name: request.Name}, "", "the team was renamed")
}

// banRequest is the body of POST /admin/teams/{id}/ban.
type banRequest struct {
	Banned *bool  `json:"banned,omitempty" doc:"Default: true; false lets the team in again"`
	Reason string `json:"reason,omitempty"`
}

func (a *api) ban(x *exchange) error {
	var request banRequest
	err := decode(x, &request, true)
	if err == nil {
		err = text("reason", request.Reason)
	}
	if err != nil {
		return err
	}
	command := contest.Ban{Team: contest.TeamID(x.parameter("id")), Banned: true, Reason: request.Reason}
	message := "the team was banned"
	if request.Banned != nil && !*request.Banned {
		command.Banned, message = false, "the team may take part again"
	}
	return a.apply(x, command, "", message)
}

func (a *api) rotateToken(x *exchange) error {
	if err := decode(x, &resetRequest{}, true); err != nil {
		return err
	}
	id, token := contest.TeamID(x.parameter("id")), newToken()
	outcome, err := a.svc.Do(x.request.Context(), contest.RotateToken{Team: id, TokenHash: service.HashToken(token)}, x.arrived)
	if err != nil {
		return err
	}
	a.audit(x, outcome)
	return a.replyToken(x, id, token, "The old token is worth nothing any more.")
}

// roster is every team.
type roster struct {
	Teams []rosterTeam `json:"teams" nullable:"false" doc:"By registration"`
}

type rosterTeam struct {
	Team       contest.TeamID `json:"team_id"`
	Name       string         `json:"team_name"`
	Registered time.Time      `json:"registered"`
	Simulated  bool           `json:"simulated"`
	Banned     bool           `json:"banned"`
}

func (a *api) teams(x *exchange) error {
	list := roster{Teams: []rosterTeam{}}
	a.svc.Read(func(state *contest.State) {
		for _, team := range state.Teams() {
			list.Teams = append(list.Teams, rosterTeam{team.ID, team.Name, team.Registered, team.Simulated, team.Banned})
		}
	})
	return x.reply(list)
}
