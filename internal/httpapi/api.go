package httpapi

import (
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/time/rate"

	"scorebook/internal/service"
)

// Options are what the interface needs besides the service. Zero values mean
// the defaults.
type Options struct {
	AdminTokenHash string        // SHA-256 of the admin token in hexadecimal; empty: no token is the admin's
	OpenAdmin      bool          // admin routes need no token: for rehearsals on one machine
	Version        string        // of the program, as GET / tells it; default: "devel"
	Logger         *slog.Logger  // default: none
	Page           http.Handler  // what browsers get at GET /; default: the same JSON as everybody
	Heartbeat      time.Duration // between two signs of life of a silent stream; default: 15 s
	MaxStreams     int           // event streams at the same time; default: 20000
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

	media         mediaCache
	registrations *rate.Limiter
	public, jury  *feed
	streams       atomic.Int64
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
	if options.Heartbeat <= 0 {
		options.Heartbeat = 15 * time.Second
	}
	if options.MaxStreams <= 0 {
		options.MaxStreams = 20000
	}
	a := &api{
		svc: svc, options: options, log: options.Logger, router: chi.NewRouter(),
		registrations: rate.NewLimiter(registrationsPerSecond, registrationBurst),
		public:        &feed{name: "public"}, jury: &feed{name: "jury"},
		crossOrigin: http.NewCrossOriginProtection(),
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
	a.router.NotFound(a.serve(route{path: unmatched, handle: (*api).notFound}))
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
