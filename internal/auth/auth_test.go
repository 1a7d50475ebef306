package auth_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"scorebook/internal/auth"
	"scorebook/internal/service"
)

var now = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

func request(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

// A name that another site had lead to this machine is not this machine's.
func TestEverybodyIsTheOrganiserAtThisMachineOnly(t *testing.T) {
	open := auth.NewAdmin("", true)
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8000": true, "127.0.0.1:8000": true, "[::1]:8000": true, "::1": true,
		"rebound.example:8000": false, "192.0.2.1": false, "": false, "localhost.example": false,
	} {
		r := request()
		r.Host = host
		if got := open.Request(r, now); got != want {
			t.Errorf("%q: found %t", host, got)
		}
	}
}

func TestASessionIsTheOrganisersUntilItEnds(t *testing.T) {
	admin := auth.NewAdmin(strings.ToUpper(service.HashToken("right")), false)
	cookie := admin.SignIn(request(), now)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Secure || strings.Contains(cookie.Value, "right") {
		t.Errorf("found the cookie %v", cookie)
	}
	for _, test := range []struct {
		what  string
		admin *auth.Admin
		value string
		at    time.Time
		want  bool
	}{
		{"at once", admin, cookie.Value, now, true},
		{"at the end", admin, cookie.Value, now.Add(auth.Session - time.Second), true},
		{"afterwards", admin, cookie.Value, now.Add(auth.Session), false},
		{"prolonged", admin, strconv.FormatInt(now.Add(1e6*time.Hour).Unix(), 10) + "-" + strings.Split(cookie.Value, "-")[1], now, false},
		{"without a proof", admin, strings.Split(cookie.Value, "-")[0], now, false},
		{"empty", admin, "", now, false},
		{"after a restart", auth.NewAdmin(service.HashToken("right"), false), cookie.Value, now, true},
		{"after the token was replaced", auth.NewAdmin(service.HashToken("new"), false), cookie.Value, now, false},
		{"where there is no token", auth.NewAdmin("", false), auth.NewAdmin("", false).SignIn(request(), now).Value, now, false},
	} {
		r := request(&http.Cookie{Name: cookie.Name, Value: test.value})
		if got := test.admin.Request(r, test.at); got != test.want {
			t.Errorf("%s: found %t", test.what, got)
		}
	}
	if out := auth.SignOut(request()); out.Name != cookie.Name || out.MaxAge >= 0 {
		t.Errorf("found the cookie %v", out)
	}
}

func TestTokens(t *testing.T) {
	admin := auth.NewAdmin(service.HashToken("right"), false)
	for header, want := range map[string]bool{"Bearer right": true, "bearer  right ": true, "Bearer wrong": false, "right": false, "": false} {
		r := request()
		r.Header.Set("Authorization", header)
		if got := admin.Request(r, now); got != want {
			t.Errorf("%q: found %t", header, got)
		}
	}
	r := request()
	r.Header.Set("X-Admin-Token", "right")
	if !admin.Request(r, now) || auth.NewAdmin("", false).Token("") {
		t.Error("a token is not what it should be")
	}
}

func TestBehindTLSACookieIsSecure(t *testing.T) {
	r := request()
	r.Header.Set("X-Forwarded-Proto", "https")
	if !auth.NewAdmin("", false).SignIn(r, now).Secure {
		t.Error("the cookie is not")
	}
}
