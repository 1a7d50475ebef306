// Package auth knows the organiser: by the admin's token, or by the cookie
// that a browser got for it.
package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"scorebook/internal/service"
)

// Session is for how long a browser stays signed in.
const Session = 24 * time.Hour

const cookieName = "scorebook-admin"

// Admin tells the organiser from everybody else. A session is not kept anywhere:
// its cookie holds when it ends, authenticated with a key that follows from the
// token. So sessions survive a restart, are the same on every replica, and end
// for everybody when the token is replaced.
type Admin struct {
	hash string // SHA-256 of the token in hexadecimal; empty: no token is the admin's
	open bool   // everybody at this machine is the organiser
	key  []byte
}

// NewAdmin returns who has the token with the given SHA-256, in hexadecimal. If
// open, so is everybody who asks for this machine by a name that no other has:
// a page of another site that has its own name lead here does not.
func NewAdmin(tokenHash string, open bool) *Admin {
	hash := strings.ToLower(tokenHash)
	key := sha256.Sum256([]byte("scorebook session\x00" + hash))
	return &Admin{hash: hash, open: open, key: key[:]}
}

// Key returns a key for something else that must hold as long as the token does,
// on every server that has it.
func (a *Admin) Key(purpose string) []byte {
	h := hmac.New(sha256.New, a.key)
	h.Write([]byte("key\x00" + purpose))
	return h.Sum(nil)
}

// Open reports whether everybody at this machine is the organiser.
func (a *Admin) Open() bool { return a.open }

// Token reports whether a token is the admin's.
func (a *Admin) Token(token string) bool {
	if token == "" || a.hash == "" {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(service.HashToken(token)), []byte(a.hash)) == 1
}

// Request reports whether a request is the organiser's: it carries the token or
// a session that has not ended. A request that changes something and carries a
// session must be checked against forgery from other sites besides.
func (a *Admin) Request(r *http.Request, now time.Time) bool {
	return a.open && ToLoopback(r) || a.Token(Bearer(r)) || a.Token(r.Header.Get("X-Admin-Token")) || a.session(r, now)
}

// ToLoopback reports whether a request was made to localhost or an address of
// this machine that others cannot reach.
func ToLoopback(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func (a *Admin) session(r *http.Request, now time.Time) bool {
	cookie, err := r.Cookie(cookieName)
	if err != nil || a.hash == "" {
		return false
	}
	until, mac, _ := strings.Cut(cookie.Value, "-")
	seconds, err := strconv.ParseInt(until, 10, 64)
	if err != nil || now.Unix() >= seconds {
		return false
	}
	return hmac.Equal([]byte(mac), []byte(a.mac(until)))
}

func (a *Admin) mac(until string) string {
	h := hmac.New(sha256.New, a.key)
	h.Write([]byte(until))
	return hex.EncodeToString(h.Sum(nil))
}

// SignIn returns the cookie of a new session.
func (a *Admin) SignIn(r *http.Request, now time.Time) *http.Cookie {
	until := strconv.FormatInt(now.Add(Session).Unix(), 10)
	return Cookie(r, cookieName, until+"-"+a.mac(until), Session)
}

// SignOut returns the cookie that ends a session in the browser.
func SignOut(r *http.Request) *http.Cookie { return Cookie(r, cookieName, "", -time.Second) }

// Cookie returns a cookie that no script reads and no other site sends. A
// negative life deletes it.
func Cookie(r *http.Request, name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure depends on the connection
		Name: name, Value: value, Path: "/", MaxAge: int(life / time.Second), HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: Secure(r),
	}
}

// Secure reports whether a browser came over TLS. Over plain HTTP it would drop a
// cookie that is marked so.
func Secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// Bearer returns the token of the header Authorization, or "".
func Bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
