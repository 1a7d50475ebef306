package webui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/intake"
	"scorebook/internal/live"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// Options are what the pages need besides the service. Zero values mean the
// defaults.
type Options struct {
	Admin   *auth.Admin   // who is the organiser; default: nobody
	Streams *live.Streams // what holds event streams open; default: one of the pages' own
	Logger  *slog.Logger  // default: none
	Version string
	Results fs.FS  // folder with results of benchmarks; nil: there is none
	Demo    bool   // the start page explains what a demo is
	URL     string // by which teams reach the server; default: as the visitor has reached it
}

type site struct {
	svc     *service.Service
	options Options
	log     *slog.Logger
	origin  *http.CrossOriginProtection
	public  *live.Feed
	jury    *live.Feed
	signIns *auth.Limiter
	pages   cache
	results results
	intake  *intake.Intake
}

// Pages serve browsers.
type Pages struct {
	*http.ServeMux
	NotFound http.Handler // the page that there is nothing
}

// New returns the pages of a service.
func New(svc *service.Service, options Options) *Pages {
	if options.Admin == nil {
		options.Admin = auth.NewAdmin("", false)
	}
	if options.Streams == nil {
		options.Streams = live.NewStreams()
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	s := &site{
		svc: svc, options: options, log: options.Logger, origin: http.NewCrossOriginProtection(),
		public: live.NewFeed(live.Public), jury: live.NewFeed(live.Jury), signIns: auth.NewLimiter(), intake: intake.New(svc),
	}
	mux := http.NewServeMux()
	page := func(pattern string, handle func(*site, *visit) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, handle) })
	}
	page("GET /{$}", (*site).start)
	page("GET /leaderboard-ui", (*site).board)
	page("GET /leaderboard-ui/aside", (*site).boardAside)
	page("GET /leaderboard-ui/events", (*site).boardEvents)

	page("GET /desk", (*site).desk)
	page("POST /desk/sign-in", (*site).deskSignIn)
	page("POST /desk/sign-out", (*site).deskSignOut)
	page("POST /desk/submit", (*site).deskSubmit)
	page("GET /desk/events", (*site).deskEvents)

	page("POST /admin-dashboard/sign-in", (*site).signIn)
	page("POST /admin-dashboard/sign-out", (*site).signOut)
	page("GET /admin-dashboard", organiser((*site).control))
	page("POST /admin-dashboard/order", organiser((*site).order))
	page("GET /admin-dashboard/events", organiser((*site).controlEvents))
	page("GET /admin-dashboard/leaderboard", organiser((*site).juryBoard))
	page("GET /admin-dashboard/leaderboard/aside", organiser((*site).juryAside))
	page("GET /admin-dashboard/leaderboard/events", organiser((*site).juryBoardEvents))
	page("GET /admin-dashboard/teams", organiser((*site).teams))
	page("POST /admin-dashboard/teams", organiser((*site).teamOrder))
	page("GET /admin-dashboard/activity", organiser((*site).activity))

	page("GET /benchmarks", (*site).benchmarks)
	mux.HandleFunc("GET /static/{version}/{name}", serveAsset)
	mux.HandleFunc("GET /favicon.svg", serveIcon)
	mux.HandleFunc("GET /favicon.ico", serveIcon)
	return &Pages{mux, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, (*site).notFound) })}
}

func (s *site) notFound(v *visit) error {
	s.fail(v, http.StatusNotFound, v.say("error.not_found", v.r.URL.Path))
	return nil
}

// policy lets a page load what the server itself has, and run no script or style
// that stands in it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

func (s *site) serve(w http.ResponseWriter, r *http.Request, handle func(*site, *visit) error) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache, private")
	header.Add("Vary", "Accept-Encoding, Accept-Language, Cookie")
	v := newVisit(w, r)
	v.arrived = s.svc.Now()
	if err := s.origin.Check(r); err != nil {
		s.fail(v, http.StatusForbidden, v.say("error.cross_origin"))
		return
	}
	if err := handle(s, v); err != nil {
		status, message := s.explain(v, err)
		s.fail(v, status, message)
	}
}

// organiser lets only the organiser through; others get the page to sign in.
func organiser(handle func(*site, *visit) error) func(*site, *visit) error {
	return func(s *site, v *visit) error {
		if !s.options.Admin.Request(v.r, s.svc.Now()) {
			return s.askToSignIn(v, v.unasked(), "")
		}
		v.w.Header().Set("Cache-Control", "no-store") // the next one at this browser shall not go back to it
		return handle(s, v)
	}
}

// explain says an error to a person: the rules' refusals as they are, anything
// else without what only the log is to know.
func (s *site) explain(v *visit, err error) (status int, message string) {
	var refused *contest.Reject
	var unread *retrieval.Malformed
	var wrong *mistake
	switch {
	case errors.As(err, &wrong):
		return http.StatusBadRequest, wrong.message
	case errors.As(err, &unread):
		return http.StatusBadRequest, unread.Error()
	case errors.Is(err, intake.ErrTooOften):
		return http.StatusTooManyRequests, v.say("reject.rate_limited")
	case errors.As(err, &refused):
		message = v.sayOr("reject."+string(refused.Code), "")
		if message == "" {
			return http.StatusConflict, refused.Detail
		}
		return http.StatusConflict, message + " (" + refused.Detail + ")"
	case errors.Is(err, service.ErrUnavailable), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable, v.say("error.unavailable")
	}
	s.log.Error("a page failed", "page", v.r.Pattern, "error", err)
	return http.StatusInternalServerError, v.say("error.internal")
}

// mistake is what a person filled in wrong.
type mistake struct{ message string }

// Error implements error.
func (m *mistake) Error() string { return m.message }

// errorPage is a page that says what went wrong.
type errorPage struct {
	*frame
	Message string
	Again   bool // it may be tried again
}

func (s *site) fail(v *visit, status int, message string) {
	page := errorPage{s.frame(v, v.say("error.title")), message, status != http.StatusNotFound}
	if err := s.render(v, status, "error", page); err != nil {
		s.log.Error("the error page failed", "error", err)
	}
}

// frame is what every page has around its content.
type frame struct {
	*visit
	Title   string
	Contest string
	Seq     contest.Seq
	Admin   bool // the visitor is the organiser
	Version string
}

func (s *site) frame(v *visit, title string) *frame {
	f := &frame{visit: v, Title: title, Admin: s.options.Admin.Request(v.r, s.svc.Now()), Version: s.options.Version}
	s.svc.Read(func(state *contest.State) { f.Contest, f.Seq = state.Settings().Name, state.Seq() })
	return f
}

// render sends a page.
func (s *site) render(v *visit, status int, name string, data any) error {
	page, err := execute(v.Lang, name, data)
	if err != nil {
		return err
	}
	return v.send(status, "text/html; charset=utf-8", page)
}

// execute fills in a template in a language.
func execute(lang, name string, data any) ([]byte, error) {
	var page bytes.Buffer
	if err := pages[lang].ExecuteTemplate(&page, name, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return page.Bytes(), nil
}

// fragment fills in a template for use within another one.
func fragment(lang, name string, data any) (template.HTML, error) {
	page, err := execute(lang, name, data)
	return template.HTML(page), err //nolint:gosec // a template has escaped it
}
