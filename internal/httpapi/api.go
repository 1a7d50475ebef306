package httpapi

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/time/rate"

	"scorebook/internal/auth"
	"scorebook/internal/intake"
	"scorebook/internal/keep"
	"scorebook/internal/live"
	"scorebook/internal/service"
)

// Options are what the interface needs besides the service. Zero values mean
// the defaults.
type Options struct {
	Admin     *auth.Admin     // who is the organiser; default: nobody
	Version   string          // of the program, as GET / tells it; default: "devel"
	Logger    *slog.Logger    // default: none
	Pages     *http.ServeMux  // what serves browsers at GET / and wherever the interface has nothing; default: nothing does
	NoPage    http.Handler    // what tells browsers that the pages have nothing either; default: what tells programs
	Dialect   Dialect         // what serves other clients at its own paths; default: nothing does
	Clock     *service.Clock  // that follows the database's; default: the database is not shared
	Passwords *keep.Passwords // of teams; default: a registration with a password is refused
	Streams   *live.Streams   // what holds event streams open; default: one of the interface's own
}

// Dialect is another interface to the same contest.
type Dialect interface {
	// ServeDialect answers a request that arrived at a time, and returns the name of
	// its route as it is logged and counted. If it is "", the request is not for
	// this dialect, and nothing was done.
	ServeDialect(w http.ResponseWriter, r *http.Request, arrived time.Time) (route string)
}

// How many teams may register, all together. A guard against a script that
// fills the contest, not a rule of play.
const (
	registrationsPerSecond = 20
	registrationBurst      = 200
)

type api struct {
	svc     *service.Service
	options Options
	log     *slog.Logger
	router  chi.Router
	metrics *metrics

	document []byte // OpenAPI
	manual   []byte // the same as a page

	intake        *intake.Intake
	registrations *rate.Limiter
	public, jury  *live.Feed
	streams       *live.Streams
	crossOrigin   *http.CrossOriginProtection
}

// New returns the interface to a service.
func New(svc *service.Service, options Options) http.Handler {
	if options.Version == "" {
		options.Version = "devel"
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Admin == nil {
		options.Admin = auth.NewAdmin("", false)
	}
	if options.Streams == nil {
		options.Streams = live.NewStreams()
	}
	a := &api{
		svc: svc, options: options, log: options.Logger, router: chi.NewRouter(),
		registrations: rate.NewLimiter(registrationsPerSecond, registrationBurst),
		public:        live.NewFeed(live.Public), jury: live.NewFeed(live.Jury), streams: options.Streams,
		crossOrigin: http.NewCrossOriginProtection(), intake: intake.New(svc),
	}
	a.metrics = newMetrics(a)
	document := describe(options.Version)
	a.document, a.manual = encodeDocument(document), renderManual(document)
	for _, route := range routes {
		a.router.Method(route.method, route.path, a.serve(route))
		if route.method == http.MethodGet {
			a.router.Method(http.MethodHead, route.path, a.serve(route))
		}
	}
	a.router.NotFound(a.serve(route{path: unmatched, handle: (*api).elsewhere}))
	a.router.MethodNotAllowed(a.serve(route{path: unmatched, handle: (*api).methodNotAllowed}))
	return a
}

// serve makes a route's handler one of net/http.
func (a *api) serve(route route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange) // made by ServeHTTP, and nothing wraps it on the way
		x.request, x.route = r, route
		if err := a.admit(x); err != nil {
			x.fail(a, err)
			return
		}
		if err := route.handle(a, x); err != nil {
			x.fail(a, err)
		}
	}
}

// unmatched is the route of requests that meet none.
const unmatched = "unmatched"

func (a *api) notFound(*exchange) error {
	return refuse(http.StatusNotFound, "not_found", "there is nothing at this path: GET /docs lists what there is")
}

// elsewhere hands a request that meets no route to who else serves.
func (a *api) elsewhere(x *exchange) error {
	if a.options.Dialect != nil {
		if name := a.options.Dialect.ServeDialect(x, x.request, x.arrived); name != "" {
			x.route.path = name
			return nil
		}
	}
	if a.options.Pages != nil {
		return a.pages(x)
	}
	return a.notFound(x)
}

// pages hands a request to the pages, which are logged and counted by their
// patterns.
func (a *api) pages(x *exchange) error {
	_, pattern := a.options.Pages.Handler(x.request)
	if pattern == "" {
		read := x.request.Clone(x.request.Context())
		read.Method = http.MethodGet
		if _, pattern = a.options.Pages.Handler(read); pattern == "" {
			return a.noPage(x)
		}
		x.Header().Set("Allow", "GET, HEAD")
		return refuse(http.StatusMethodNotAllowed, "method_not_allowed", "found the method %.20q, expected GET or HEAD", x.request.Method)
	}
	x.route.path, x.route.quiet = pattern, x.request.Method == http.MethodGet
	a.options.Pages.ServeHTTP(x, x.request) // not the handler itself, which would not find parts of the path
	return nil
}

func (a *api) noPage(x *exchange) error {
	if a.options.NoPage == nil || x.request.Method != http.MethodGet || !prefersHTML(x.request.Header.Get("Accept")) {
		return a.notFound(x)
	}
	a.options.NoPage.ServeHTTP(x, x.request)
	return nil
}

func (a *api) methodNotAllowed(x *exchange) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		if a.router.Match(chi.NewRouteContext(), method, x.request.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	x.Header().Set("Allow", strings.Join(allowed, ", "))
	return refuse(http.StatusMethodNotAllowed, "method_not_allowed", "found the method %.20q, expected %s", x.request.Method, strings.Join(allowed, " or "))
}
