package webui

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"scorebook/internal/auth"
)

// maxForm bounds what a form may send, in bytes.
const maxForm = 64 << 10

// form reads what a form sent.
func (v *visit) form() error {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		return &mistake{v.say("error.form")}
	}
	return nil
}

// field returns a field of a form.
func (v *visit) field(name string) string { return strings.TrimSpace(v.r.PostFormValue(name)) }

// signInPage asks for a token.
type signInPage struct {
	*frame
	Action  string // where the form goes
	Label   string
	Hint    string
	Message string
	Back    string // where to go afterwards
}

func (s *site) askToSignIn(v *visit, status int, message string) error {
	back := "/admin-dashboard"
	if v.r.Method == http.MethodGet && within(v.r.URL.Path, back) {
		back = v.r.URL.RequestURI()
	}
	return s.render(v, status, "sign-in", signInPage{
		s.frame(v, v.say("control.title")), "/admin-dashboard/sign-in", v.say("signin.admin_token"), v.say("signin.admin_hint"), message, back,
	})
}

// within reports whether an address is that of a page or of one below it, on
// this server.
func within(address, page string) bool {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || strings.Contains(address, "\\") || path.Clean(u.Path) != u.Path {
		return false
	}
	return u.Path == page || strings.HasPrefix(u.Path, page+"/")
}

func (s *site) signIn(v *visit) error {
	if err := v.form(); err != nil {
		return err
	}
	now := s.svc.Now()
	if !s.options.Admin.Request(v.r, now) && !s.options.Admin.Token(v.field("token")) {
		s.log.Warn("somebody tried to sign in as the organiser with a wrong token")
		status, message := s.wrongToken(v)
		return s.askToSignIn(v, status, message)
	}
	s.log.Info("the organiser has signed in")
	http.SetCookie(v.w, s.options.Admin.SignIn(v.r, now))
	return v.redirect(v.back("/admin-dashboard"))
}

// wrongToken says that a token is wrong. Who has the right one gets in however
// many wrong ones others behind the same address try: a hall may be behind one.
func (s *site) wrongToken(v *visit) (status int, message string) {
	if !s.signIns.Allow(v.r, "sign-in", s.svc.Now()) {
		v.w.Header().Set("Retry-After", "10")
		return http.StatusTooManyRequests, v.say("signin.too_often")
	}
	return http.StatusUnauthorized, v.say("signin.wrong")
}

// back returns where a form wants to go afterwards, if that is a page or one
// below it.
func (v *visit) back(page string) string {
	if back := v.field("back"); within(back, page) {
		return back
	}
	return page
}

func (s *site) signOut(v *visit) error {
	http.SetCookie(v.w, auth.SignOut(v.r))
	return v.redirect("/")
}

// unasked is the status of a page to sign in that comes instead of another one:
// for somebody who just went there nothing has failed.
func (v *visit) unasked() int {
	reads := v.r.Method == http.MethodGet || v.r.Method == http.MethodHead
	if reads && !strings.HasSuffix(v.r.URL.Path, "/events") {
		return http.StatusOK
	}
	return http.StatusUnauthorized
}
