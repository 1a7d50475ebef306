package dresapi

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/service"
)

const (
	cookieName = "SESSIONID"
	signIn     = "There is no session, or it has ended: sign in with POST /api/v2/login."

	nonceBytes = 8
	macBytes   = 16
)

// newSession returns the id of a new session of a team. It is not kept anywhere:
// it names the team, and a code proves that it was made here. So it holds through
// a restart and on every server with the same admin token, beside all that were
// made before, and ends when the team gets another token or
// password.
func (a *API) newSession(team contest.TeamID) string {
	nonce := make([]byte, nonceBytes)
	_, _ = rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(slices.Concat(nonce, a.mac(nonce, team), []byte(team)))
}

func (a *API) mac(nonce []byte, team contest.TeamID) []byte {
	hash := ""
	a.svc.Read(func(state *contest.State) { hash = state.TokenHash(team) })
	h := hmac.New(sha256.New, a.key)
	h.Write(nonce)
	h.Write([]byte(hash + "\x00" + string(team)))
	if a.options.Passwords != nil {
		h.Write([]byte("\x00" + a.options.Passwords.Hash(team)))
	}
	return h.Sum(nil)[:macBytes]
}

// teamOf returns the team that a session belongs to. A team's own token is a
// session too.
func (a *API) teamOf(session string) (team contest.Team, ok bool) {
	if session == "" {
		return team, false
	}
	if team, ok = a.svc.TeamByToken(session); ok {
		return team, true
	}
	id, err := base64.RawURLEncoding.DecodeString(session)
	if err != nil || len(id) <= nonceBytes+macBytes || a.ended.has(session) {
		return team, false
	}
	nonce, mac, name := id[:nonceBytes], id[nonceBytes:nonceBytes+macBytes], contest.TeamID(id[nonceBytes+macBytes:])
	find := func(state *contest.State) { team, ok = state.Team(name) }
	a.svc.Read(find)
	if !ok && a.svc.Refresh() {
		a.svc.Read(find)
	}
	right := func() bool { return subtle.ConstantTimeCompare(mac, a.mac(nonce, name)) == 1 }
	if !ok || !right() && (!a.refresh() || !right()) {
		return contest.Team{}, false
	}
	return team, true
}

// refresh takes in what other servers know, and reports whether there may have
// been something new.
func (a *API) refresh() bool {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	passwords := a.options.Passwords != nil && a.options.Passwords.Refresh(ctx)
	return a.svc.Refresh() || passwords
}

// ended are sessions that were signed out of, while this process lives.
type ended struct {
	mu       sync.Mutex
	sessions map[string]bool
}

const maxEnded = 100000 // then all are forgotten

func (e *ended) add(session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sessions == nil || len(e.sessions) >= maxEnded {
		e.sessions = map[string]bool{}
	}
	e.sessions[session] = true
}

func (e *ended) has(session string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sessions[session]
}

// sent returns the session that a request came with, wherever clients put it. What
// the query says wins.
func (c *call) sent() string {
	query := c.request.URL.Query()
	for _, session := range []string{query.Get("session"), c.cookie(), query.Get("sessionId"), auth.Bearer(c.request), c.request.Header.Get("Authorization")} {
		if session = strings.Trim(strings.TrimSpace(session), `"`); session != "" {
			return session
		}
	}
	return ""
}

// cookie returns the session in the cookie. A client sends back all that it got
// with Set-Cookie, attributes included.
func (c *call) cookie() string {
	if !c.ownPage {
		return ""
	}
	for _, cookie := range c.request.CookiesNamed(cookieName) {
		if cookie.Value != "" {
			return cookie.Value
		}
	}
	return ""
}

// team returns the team whose session a request came with.
func (a *API) team(c *call) (contest.Team, string, error) {
	session := c.sent()
	team, ok := a.teamOf(session)
	if !ok {
		return team, "", refuse(http.StatusUnauthorized, signIn)
	}
	return team, session, nil
}

// account is a team as DRES shows a user.
type account struct {
	ID       contest.TeamID `json:"id"`
	Username string         `json:"username"`
	Role     string         `json:"role" enum:"ANYONE,VIEWER,PARTICIPANT,JUDGE,ADMIN"`
	Session  string         `json:"sessionId"`
}

// loginRequest is what a user signs in with.
type loginRequest struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

func (a *API) login(c *call) error {
	body, err := c.read(maxBody)
	if err != nil {
		return err
	}
	var sent loginRequest
	if err := json.Unmarshal(body, &sent); err != nil {
		return refuse(http.StatusBadRequest, `The body is no JSON that can be read, expected {"username": "...", "password": "..."}.`)
	}
	var team contest.Team
	var hash string
	find := func(state *contest.State) {
		var ok bool
		if team, ok = state.TeamByName(sent.Username); ok {
			hash = state.TokenHash(team.ID)
		}
	}
	a.svc.Read(find)
	if hash == "" && a.svc.Refresh() {
		a.svc.Read(find)
	}
	if hash == "" || subtle.ConstantTimeCompare([]byte(hash), []byte(service.HashToken(sent.Password))) != 1 {
		if err := a.checkPassword(c, team.ID, sent.Password); err != nil {
			return err
		}
	}
	session := a.newSession(team.ID)
	http.SetCookie(c, &http.Cookie{Name: cookieName, Value: session, Path: "/", HttpOnly: true, Secure: auth.Secure(c.request)}) //nolint:gosec // other sites' scripts may send it, as DRES's clients need
	return c.reply(account{team.ID, team.Name, "PARTICIPANT", session})
}

// checkPassword returns nil if a password is a team's. To look at one costs
// time by intent, so who guesses too fast is not heard, not even with the right
// one; but the one that was right before is always taken.
func (a *API) checkPassword(c *call, team contest.TeamID, password string) error {
	passwords := a.options.Passwords
	known := team != "" && passwords != nil && (passwords.Hash(team) != "" || passwords.Refresh(c.request.Context()) && passwords.Hash(team) != "")
	if known && passwords.Remembered(team, password) {
		return nil
	}
	if !a.logins.Allow(c.request, string(team), c.arrived) {
		return refuse(http.StatusTooManyRequests, "Too many passwords were tried: wait a second.")
	}
	if known {
		right, err := passwords.Check(c.request.Context(), team, password)
		if err == nil && !right && passwords.Refresh(c.request.Context()) { // it may have been replaced elsewhere
			right, err = passwords.Check(c.request.Context(), team, password)
		}
		if err != nil || right {
			return err
		}
	}
	return refuse(http.StatusUnauthorized, "The user name or the password is wrong: the name is the team's, and its token is a password.")
}

func (a *API) logout(c *call) error {
	_, session, err := a.team(c)
	if err != nil {
		return err
	}
	a.ended.add(session)
	http.SetCookie(c, &http.Cookie{Name: cookieName, Path: "/", HttpOnly: true, MaxAge: -1, Secure: auth.Secure(c.request)}) //nolint:gosec // as in login
	return c.reply(said{true, "Signed out."})
}

func (a *API) user(c *call) error {
	team, session, err := a.team(c)
	if err != nil {
		return err
	}
	return c.reply(account{team.ID, team.Name, "PARTICIPANT", session})
}

func (a *API) session(c *call) error {
	_, session, err := a.team(c)
	if err != nil {
		return err
	}
	return c.reply(session)
}
