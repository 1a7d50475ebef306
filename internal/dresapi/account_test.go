package dresapi_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/dresapi"
	"scorebook/internal/keep"
	"scorebook/internal/service"
)

// keeping starts a site that keeps passwords and logs.
func keeping(t *testing.T) (*site, *keep.Passwords, *keep.Memory, *keep.Recorder) {
	t.Helper()
	store := keep.NewMemory()
	passwords, err := keep.NewPasswords(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	recorder, err := keep.NewRecorder(t.Context(), store, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(recorder.Close)
	return newSite(t, dresapi.Options{Passwords: passwords, Interactions: recorder}), passwords, store, recorder
}

func (s *site) signIn(password string) *reply {
	s.t.Helper()
	return s.call(http.MethodPost, "/api/v2/login", fmt.Sprintf(`{"username": "đội ONE", "password": %q}`, password))
}

func TestPasswords(t *testing.T) {
	s, passwords, store, _ := keeping(t)
	keys := []string{"id", "username", "role", "sessionId"}
	s.signIn("open sesame").want(401)
	s.signIn("token of one").want(200, keys...)
	set := func(password string) {
		t.Helper()
		if err := passwords.Set(t.Context(), "one", password); err != nil {
			t.Fatal(err)
		}
	}
	set("open sesame")
	session := s.signIn("open sesame").want(200, keys...)["sessionId"].(string)
	s.signIn("token of one").want(200, keys...) // is one as before
	s.signIn("open sesam").want(401)
	s.call(http.MethodPost, "/api/v2/login", `{"username": "Đội two", "password": "open sesame"}`).want(401)
	use := func(s *site, status int) {
		t.Helper()
		if r := s.call(http.MethodGet, "/api/v2/user?session="+session, ""); r.Code != status {
			t.Errorf("found %d, expected %d", r.Code, status)
		}
	}
	use(s, 200)

	again, err := keep.NewPasswords(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	restarted := &site{t, s.Contest, dresapi.New(s.Service, dresapi.Options{Admin: auth.NewAdmin(service.HashToken("admin"), false), Passwords: again}), s.openAPI}
	use(restarted, 200)
	restarted.signIn("open sesame").want(200, keys...)

	set("another one") // ends what the old one began
	use(s, 401)
	s.signIn("open sesame").want(401)
	s.signIn("another one").want(200, keys...)

	// Who guesses is slowed down; who signs in all the time is not.
	refused := false
	for range 20 {
		refused = refused || s.signIn("a guess").Code == http.StatusTooManyRequests
	}
	if !refused {
		t.Error("twenty guesses were heard")
	}
	for range 20 {
		s.signIn("another one").want(200, keys...)
		s.signIn("token of one").want(200, keys...)
	}
	s.Must(t, contest.Ban{Team: "one", Banned: true}) // it may look, and submits nothing
	s.signIn("another one").want(200, keys...)
}

func TestLogs(t *testing.T) {
	s, _, store, recorder := keeping(t)
	session := s.login("one")
	send := func(path, body string, header ...string) *reply {
		t.Helper()
		return s.call(http.MethodPost, path, body, header...)
	}
	query := `{"timestamp": 1, "events": [{"timestamp": 1, "category": "TEXT", "type": "caption", "value": "chợ nổi"}], "session": "` + session + `"}`
	result := `{"timestamp": 2, "sortType": "score", "resultSetAvailability": "all", "results": [{"answer": {"mediaItemName": "L01_V001", "start": 1}, "rank": 1}], "events": []}`
	cookie := []string{"Cookie", "SESSIONID=" + session, "Content-Type", "text/plain;charset=UTF-8"}
	send("/api/v2/log/query/c0ffee", query, cookie...).want(200, "status", "description")
	send("/api/v2/log/result/c0ffee/?session="+session, result).want(200, "status", "description")
	send("/api/v2/log/result/c0ffee?session="+session, `{}`).want(200, "status", "description")
	for _, kind := range []string{"query", "result"} {
		path := "/api/v2/log/" + kind + "/"
		send(path+"c0ffee", `{}`).want(401)
		send(path+"other?session="+session, `{}`).want(404)
		for _, broken := range []string{"", "{", "[]", "1", "{} {}", "{\"a\": \"\xff\"}"} {
			send(path+"c0ffee?session="+session, broken).want(400)
		}
		send(path+"c0ffee?session="+session, `{"a": "`+strings.Repeat("x", keep.MaxBody)+`"}`).want(413)
		s.call(http.MethodGet, path+"c0ffee?session="+session, "").want(405)
	}
	refused := 0
	for range 600 {
		if send("/api/v2/log/query/c0ffee?session="+session, `{}`).Code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 || refused > 200 {
		t.Errorf("%d of 600 logs at once were refused", refused)
	}
	recorder.Close()
	var bodies []string
	for log, err := range store.Interactions(t.Context()) {
		if err != nil || log.Team != "one" || !log.At.Equal(s.Now()) {
			t.Errorf("found %+v and %v", log, err)
		}
		bodies = append(bodies, string(log.Kind)+" "+log.Body)
	}
	if len(bodies) < 3 || bodies[0] != "query "+strings.Replace(query, session, "-", 1) || bodies[1] != "result "+result || bodies[2] != "result {}" {
		t.Errorf("found %.2000q", bodies)
	}
	send("/api/v2/log/query/c0ffee?session="+session, `{}`).want(429)
}
