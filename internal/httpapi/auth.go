package httpapi

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"scorebook/contest"
	"scorebook/internal/service"
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
	if !a.options.OpenAdmin && !a.isAdmin(x.request) {
		p := refuse(http.StatusUnauthorized, "unauthorized", "the admin's token is missing or wrong: send Authorization: Bearer TOKEN")
		p.challenge = adminChallenge
		return p
	}
	x.admin = true
	return nil
}

// isAdmin reports whether a request carries the admin's token.
func (a *api) isAdmin(r *http.Request) bool {
	for _, token := range []string{bearer(r), r.Header.Get("X-Admin-Token")} {
		if token == "" || a.options.AdminTokenHash == "" {
			continue
		}
		hash := service.HashToken(token)
		if subtle.ConstantTimeCompare([]byte(hash), []byte(strings.ToLower(a.options.AdminTokenHash))) == 1 {
			return true
		}
	}
	return false
}

// bearer returns the token of the header Authorization, or "".
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
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
