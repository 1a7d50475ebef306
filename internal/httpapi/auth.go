package httpapi

import (
	"net/http"

	"scorebook/contest"
)

// access is who may use a route.
type access int

const (
	everybody access = iota
	teamOnly         // whoever has a team's token
	adminOnly
)

// Challenges tell which token is missing.
const (
	teamChallenge  = `Bearer realm="team"`
	adminChallenge = `Bearer realm="admin"`
)

// admit refuses whoever may not use the exchange's route. What a team may do is
// the handler's to find out, since its token may stand in the body.
func (a *api) admit(x *exchange) error {
	if x.route.access != adminOnly {
		return nil
	}
	if err := a.crossOrigin.Check(x.request); err != nil {
		return refuse(http.StatusForbidden, "cross_origin", "a page of another site sent this request: use a page of this server, or a program")
	}
	if !a.options.Admin.Request(x.request, x.arrived) {
		p := refuse(http.StatusUnauthorized, "unauthorized", "the admin's token is missing or wrong: send Authorization: Bearer TOKEN")
		p.challenge = adminChallenge
		return p
	}
	x.admin = true
	return nil
}

// identify finds the team that a token belongs to.
func (a *api) identify(x *exchange, token string) (contest.Team, error) {
	team, ok := a.svc.TeamByToken(token)
	if !ok {
		what := "no team has this token"
		if token == "" {
			what = "the team's token is missing"
		}
		p := refuse(http.StatusUnauthorized, string(contest.UnknownTeam),
			"%s: register, or ask the organiser for a new one, and send it as teamSessionId or as Authorization: Bearer TOKEN", what)
		p.challenge = teamChallenge
		return team, p
	}
	x.team = team.ID
	return team, nil
}
