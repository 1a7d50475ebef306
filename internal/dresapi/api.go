package dresapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/intake"
	"scorebook/internal/keep"
	"scorebook/internal/service"
)

// maxBody bounds a body but that of a log, in bytes.
const maxBody = 64 << 10

// Options are what the dialect needs besides the service. Zero values mean the
// defaults.
type Options struct {
	Admin   *auth.Admin  // its key signs sessions; default: nobody can sign in
	Prefix  string       // path before /api that is taken too, such as /dres
	Origins []string     // of pages whose scripts may send cookies; default: none
	Logger  *slog.Logger // default: none
	Version string       // of the program; default: "devel"

	Passwords    *keep.Passwords // of teams; default: only tokens are passwords
	Interactions *keep.Recorder  // takes logs; default: none are kept
}

// API is the dialect.
type API struct {
	svc      *service.Service
	options  Options
	prefix   []string
	key      []byte // of sessions
	intake   *intake.Intake
	logins   *auth.Limiter
	started  time.Time
	ended    ended
	document func() []byte // OpenAPI
}

// New returns the dialect of a contest.
func New(svc *service.Service, options Options) *API {
	if options.Admin == nil {
		options.Admin = auth.NewAdmin("", false)
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Version == "" {
		options.Version = "devel"
	}
	return &API{
		svc: svc, options: options, prefix: segments(options.Prefix), key: options.Admin.Key("DRES session"),
		intake: intake.New(svc), logins: auth.NewLimiter(), started: svc.Now(),
		document: sync.OnceValue(func() []byte { return encodeDocument(describe(options.Version)) }),
	}
}

// unmatched is the name of the route of requests that meet none.
const unmatched = "DRES unmatched"

// call is a request with its reply.
type call struct {
	http.ResponseWriter
	request *http.Request
	arrived time.Time
	id      string // of the evaluation in the path
	ownPage bool   // no page of another site made the browser send it, so its cookie counts
}

// refusal is an error that a client is told.
type refusal struct {
	status      int
	description string
}

// Error implements error.
func (r *refusal) Error() string { return r.description }

func refuse(status int, description string) *refusal { return &refusal{status, description} }

// said is the reply to what has no other, and to all that is refused.
type said struct {
	Status      bool   `json:"status"`
	Description string `json:"description"`
}

// ServeDialect implements [httpapi.Dialect].
func (a *API) ServeDialect(w http.ResponseWriter, r *http.Request, arrived time.Time) (name string) {
	path := segments(r.URL.Path)
	if len(path) >= len(a.prefix) && slices.Equal(path[:len(a.prefix)], a.prefix) {
		path = path[len(a.prefix):]
	}
	if len(path) < 2 || path[0] != "api" || path[1] != "v2" && path[1] != "v1" {
		return ""
	}
	a.allowOrigins(w, r)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return unmatched
	}
	other := ""
	for i := range routes {
		route := &routes[i]
		id, ok := route.matches(path)
		switch {
		case !ok:
		case route.method == r.Method, route.method == http.MethodGet && r.Method == http.MethodHead && !route.acts:
			c := &call{w, r, arrived, id, a.ownPage(r)}
			if err := route.handle(a, c); err != nil {
				a.fail(w, err)
			}
			return route.name
		default:
			other = route.method
		}
	}
	if other != "" {
		w.Header().Set("Allow", other)
		answer(w, http.StatusMethodNotAllowed, said{false, "This path takes another method: " + other + "."})
		return unmatched
	}
	answer(w, http.StatusNotFound, said{false, "There is nothing at this path."})
	return unmatched
}

// ownPage reports whether a request was sent by no page, by one of this server, or
// by one of an origin that may send cookies. A page of another site can make a
// browser send a form with the cookies that it has, and must not submit so.
func (a *API) ownPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return r.Header.Get("Sec-Fetch-Site") != "cross-site"
	}
	u, err := url.Parse(origin)
	return slices.Contains(a.options.Origins, origin) || err == nil && u.Host == r.Host
}

// allowOrigins lets scripts of pages elsewhere use the interface: those of listed
// origins with cookies, others without.
func (a *API) allowOrigins(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Add("Vary", "Origin")
	header.Set("Access-Control-Allow-Origin", "*")
	if origin := r.Header.Get("Origin"); slices.Contains(a.options.Origins, origin) {
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Allow-Credentials", "true")
	}
	header.Set("Access-Control-Expose-Headers", "Scorebook-Receipt, Scorebook-Seq, Scorebook-Score")
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
		header.Set("Access-Control-Allow-Headers", "content-type, authorization, ngrok-skip-browser-warning, idempotency-key")
		header.Set("Access-Control-Max-Age", "86400")
	}
}

func (a *API) fail(w http.ResponseWriter, err error) {
	status, description := a.explain(err)
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	answer(w, status, said{false, description})
}

// explain says an error as DRES's clients expect it: 412 if the rules refuse, and
// never 5xx for what a client did.
func (a *API) explain(err error) (status int, description string) {
	var refused *refusal
	var rejected *contest.Reject
	switch {
	case errors.As(err, &refused):
		return refused.status, refused.description
	case errors.As(err, &rejected):
		if rejected.Code == contest.UnknownTeam {
			return http.StatusUnauthorized, signIn
		}
		return http.StatusPreconditionFailed, rejected.Detail
	case errors.Is(err, service.ErrUnavailable):
		return http.StatusServiceUnavailable, "The submission may not have been recorded: send it again."
	}
	a.options.Logger.Error("a request of a client of DRES failed", "error", err)
	return http.StatusInternalServerError, "The server failed: tell the organiser."
}

// reply sends what was asked for.
func (c *call) reply(value any) error {
	answer(c, http.StatusOK, value)
	return nil
}

func answer(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"status":false,"description":"The server failed: tell the organiser."}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone
}

// read reads the body, whatever its type is said to be.
func (c *call) read(most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.request.Body, most))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		_ = http.NewResponseController(c.ResponseWriter).SetReadDeadline(time.Time{})
		return body, nil
	case errors.As(err, &large):
		return nil, refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %d KiB.", most>>10))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "The body did not arrive within three seconds: send it again.")
	}
	return nil, refuse(http.StatusBadRequest, "The body ended too early: send it again.")
}
