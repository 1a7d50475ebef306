package dresapi

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/httpapi"
	"scorebook/internal/intake"
	"scorebook/internal/service"
)

// maxBody bounds a body, in bytes.
const maxBody = 64 << 10

// Options are what the dialect needs besides the service. Zero values mean the
// defaults.
type Options struct {
	Admin   *auth.Admin  // its key signs sessions; default: nobody can sign in
	Prefix  string       // path before /api that is taken too, such as /dres
	Origins []string     // of pages whose scripts may send cookies; default: none
	Logger  *slog.Logger // default: none
	Version string       // of the program; default: "devel"
}

// API is the dialect as a handler of requests and their routes.
type API struct {
	svc     *service.Service
	options Options
	mux     *http.ServeMux
	intake  *intake.Intake
	logins  *auth.Limiter
	started time.Time
	ended   ended
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
	options.Prefix = "/" + strings.Trim(options.Prefix, "/")
	a := &API{
		svc: svc, options: options, mux: http.NewServeMux(), intake: intake.New(svc), logins: auth.NewLimiter(), started: svc.Now(),
	}
	for _, r := range []struct {
		pattern string
		handle  func(*API, *call) error
	}{
		{"POST /api/v2/login", (*API).login},
		{"GET /api/v2/logout", (*API).logout},
		{"GET /api/v2/user", (*API).user},
		{"GET /api/v2/user/session", (*API).session},
		{"GET /api/v2/client/evaluation/list", (*API).list},
		{"GET /api/v2/client/evaluation/currentTask/{id}", (*API).currentTask},
		{"GET /api/v2/evaluation/info/list", (*API).infos},
		{"GET /api/v2/evaluation/state/list", (*API).states},
		{"GET /api/v2/evaluation/{id}/info", (*API).info},
		{"GET /api/v2/evaluation/{id}/state", (*API).state},
		{"POST /api/v2/submit/{id}", (*API).submit},
		{"GET /api/v2/status/time", (*API).time},
		{"GET /api/v2/status/info", (*API).about},
		{"POST /api/v1/login", (*API).login},
		{"GET /api/v1/submit", (*API).submitOld},
	} {
		a.mux.HandleFunc(r.pattern, func(w http.ResponseWriter, request *http.Request) { a.serve(w, request, r.handle) })
	}
	return a
}

// call is a request with its reply.
type call struct {
	http.ResponseWriter
	request *http.Request
	arrived time.Time
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

// Route implements [httpapi.Dialect].
func (a *API) Route(r *http.Request) string {
	path, ours := a.path(r)
	if !ours {
		return ""
	}
	plain := r.Clone(r.Context())
	plain.URL.Path, plain.URL.RawPath = path, ""
	if _, pattern := a.mux.Handler(plain); pattern != "" {
		return "DRES " + pattern
	}
	return "DRES unmatched"
}

// path returns the path of a request as the routes have it: without the prefix,
// slashes that are doubled, and one at the end.
func (a *API) path(r *http.Request) (path string, ours bool) {
	parts := strings.FieldsFunc(r.URL.Path, func(c rune) bool { return c == '/' })
	prefix := strings.FieldsFunc(a.options.Prefix, func(c rune) bool { return c == '/' })
	if len(parts) >= len(prefix) && slices.Equal(parts[:len(prefix)], prefix) {
		parts = parts[len(prefix):]
	}
	if len(parts) < 2 || parts[0] != "api" || parts[1] != "v2" && parts[1] != "v1" {
		return "", false
	}
	return "/" + strings.Join(parts, "/"), true
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.allowOrigins(w, r)
	path, ours := a.path(r)
	plain := r.Clone(r.Context())
	plain.URL.Path, plain.URL.RawPath = path, ""
	if !ours {
		answer(w, http.StatusNotFound, said{false, "There is nothing at this path."})
		return
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if _, pattern := a.mux.Handler(plain); pattern == "" {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			plain.Method = method
			if _, pattern := a.mux.Handler(plain); pattern != "" {
				w.Header().Set("Allow", method)
				answer(w, http.StatusMethodNotAllowed, said{false, "This path takes " + method + " and not " + r.Method + "."})
				return
			}
		}
		answer(w, http.StatusNotFound, said{false, "There is nothing at this path."})
		return
	}
	a.mux.ServeHTTP(w, plain)
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

func (a *API) serve(w http.ResponseWriter, r *http.Request, handle func(*API, *call) error) {
	c := &call{ResponseWriter: w, request: r}
	var known bool
	if c.arrived, known = httpapi.Arrival(r.Context()); !known {
		c.arrived = a.svc.Now()
	}
	err := handle(a, c)
	if err == nil {
		return
	}
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
func (c *call) read() ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.ResponseWriter, c.request.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		_ = http.NewResponseController(c.ResponseWriter).SetReadDeadline(time.Time{})
		return body, nil
	case errors.As(err, &large):
		return nil, refuse(http.StatusRequestEntityTooLarge, "The body is larger than 64 KiB.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusRequestTimeout, "The body did not arrive within three seconds: send it again.")
	}
	return nil, refuse(http.StatusBadRequest, "The body ended too early: send it again.")
}
