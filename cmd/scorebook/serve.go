package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/cli"
	"scorebook/internal/dresapi"
	"scorebook/internal/httpapi"
	"scorebook/internal/journal"
	"scorebook/internal/keep"
	"scorebook/internal/live"
	"scorebook/internal/rivals"
	"scorebook/internal/service"
	"scorebook/internal/store"
	"scorebook/internal/webui"
)

// serving is the command line of serve.
type serving struct {
	config, groundTruth, rules, db, listen, results, tokens, url, prefix, debug string
	origins                                                                     []string
	rivals                                                                      int
	seed                                                                        uint64
	openAdmin                                                                   bool
}

func (a *app) serveCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a contest",
		Long: `Serves a contest from its database, which is made if it is not there. An existing
database decides what is played: it refuses ground truth and rules that it does
not know, which scorebook rescore would put in. What else the contest file says is
taken over if it changed, and teams that it adds are registered.

The admin token comes from SCOREBOOK_ADMIN_TOKEN, else from the file DB.admin-token,
which is made, and the token shown, at the first start.`,
		Example: "  scorebook serve --config contest.yaml --db contest.db --listen :8000",
		Args:    cli.Arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serve(cmd, s) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.config, "config", "", "contest file")
	flags.StringVar(&s.groundTruth, "ground-truth", "", "table of questions (default: that of the contest file)")
	flags.StringVar(&s.rules, "rules", "", "a preset or a file (default: those of the contest file)")
	flags.StringVar(&s.db, "db", defaultDB, "database of the contest: a file, or postgres://user@host/database?contest=NAME")
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8000", "address to listen on")
	flags.StringVar(&s.results, "results", "", "folder with results of benchmarks, for the pages")
	flags.StringVar(&s.tokens, "tokens", "", "add the tokens of newly registered teams to this file instead of showing them")
	flags.StringVar(&s.url, "public-url", "", "address by which teams reach the server, for slips and examples (default: as the page was reached)")
	flags.StringVar(&s.prefix, "base-path", "", "path below which clients of DRES find /api/v2 as well, such as /dres")
	flags.StringSliceVar(&s.origins, "cors-origin", nil, "origin of pages whose scripts may use the DRES interface with cookies")
	flags.IntVar(&s.rivals, "rivals", 0, "simulated teams that play along")
	flags.Uint64Var(&s.seed, "seed", 1, "of the simulated teams: equal seeds play alike")
	flags.StringVar(&s.debug, "debug-listen", "", "address of this machine for profiles (net/http/pprof), such as 127.0.0.1:6060; default: none")
	flags.BoolVar(&s.openAdmin, "open-admin", false, "no admin token is needed: for a rehearsal, on this machine only")
	return cmd
}

// maxRivals bounds the simulated teams.
const maxRivals = 1000

func (a *app) serve(cmd *cobra.Command, s serving) (err error) {
	if s.rivals < 0 || s.rivals > maxRivals {
		return cli.Usage("--rivals: found %d, expected 0 to %d", s.rivals, maxRivals)
	}
	if s.openAdmin && !loopback(s.listen) {
		return cli.Usage("--open-admin with --listen %s: anybody could run the contest; listen on 127.0.0.1 or use the admin token", s.listen)
	}
	if s.debug != "" && !loopback(s.debug) {
		return cli.Usage("--debug-listen %s: whoever reads profiles sees inside the server; listen on 127.0.0.1", s.debug)
	}
	if s.url != "" {
		if u, err := url.Parse(s.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return cli.Usage("--public-url %s: expected an address such as http://contest.example:8000, without a path", s.url)
		}
		s.url = strings.TrimRight(s.url, "/")
	}
	if s.results != "" {
		if info, err := os.Stat(s.results); err != nil || !info.IsDir() {
			return cli.Usage("--results %s: found no folder there", s.results)
		}
	}
	p, err := a.given(cmd, s)
	if err != nil || !a.Diags.OK() {
		return err
	}
	noQuestions := len(p.open.Questions) == 0
	if _, err := os.Stat(s.db); !store.IsPostgres(s.db) && cli.Absent(err) && noQuestions {
		return needsQuestions(cmd)
	}
	if store.IsPostgres(s.db) { // before the database is touched
		if _, _, err := adminToken(s.db); err != nil {
			return err
		}
	}
	log, err := store.Open(cmd.Context(), s.db)
	if err != nil {
		return err
	}
	defer closing(log, &err)
	a.protect(s.db)
	if head, _, err := log.Head(cmd.Context()); err != nil {
		return err
	} else if head == 0 && noQuestions {
		return needsQuestions(cmd)
	}
	token, made, err := adminToken(s.db)
	if err != nil {
		return err
	}
	r := &running{app: a, log: log, kept: log, plan: p, serving: s, token: token}
	if err := r.start(cmd.Context()); err != nil {
		return err
	}
	if made && !s.openAdmin {
		r.say("admin token   %s (kept in %s)", token, adminFile(s.db))
	}
	return r.run(cmd.Context())
}

func needsQuestions(cmd *cobra.Command) error {
	return cli.Usage("a new contest needs questions: give --ground-truth, or --config with a contest file that names it%s", cli.HelpHint(cmd))
}

// loopback reports whether an address is reached from this machine only.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// given puts the plan together from the contest file and the flags over it.
func (a *app) given(cmd *cobra.Command, s serving) (*plan, error) {
	p := &plan{open: contest.Open{Settings: contest.DefaultSettings()}}
	p.open.Rules = preset()
	var err error
	if s.config != "" {
		if p, err = a.plan(cmd.Context(), s.config); err != nil {
			return p, err
		}
	}
	if s.groundTruth != "" {
		if p.open.Questions, err = a.groundTruth(cmd.Context(), s.groundTruth); err != nil {
			return p, err
		}
	}
	if s.rules != "" {
		if p.open.Rules, err = a.rules(cmd.Context(), s.rules); err != nil {
			return p, err
		}
	}
	p.ruled = p.ruled || s.rules != ""
	return p, nil
}

// running is a contest that is being served.
type running struct {
	*app
	log     journal.Log
	kept    keep.Store
	plan    *plan
	serving serving
	token   string                          // of the admin
	demo    bool                            // the pages explain themselves
	wrap    func(http.Handler) http.Handler // sees every request; nil: nothing does
	level   slog.Level                      // of what is logged
	svc     *service.Service

	clock        *service.Clock // of a database that is shared; nil: it is not
	passwords    *keep.Passwords
	interactions *keep.Recorder
	logs         *buffered
	logger       *slog.Logger
	address      net.Addr
	listen       net.Listener
}

// say tells something to whoever started the server.
func (r *running) say(format string, args ...any) {
	fmt.Fprintf(r.Stdout, format+"\n", args...) //nolint:errcheck // the contest goes on without it
}

// start opens the contest and listens.
func (r *running) start(ctx context.Context) (err error) {
	r.logs = newBuffered(r.Stderr)
	r.logger = slog.New(slog.NewTextHandler(r.logs, &slog.HandlerOptions{Level: r.level}))
	r.plan.open.Contest = newID()
	options := service.Options{Logger: r.logger}
	if shared, ok := r.log.(*store.Postgres); ok {
		r.clock = service.NewClock()
		if err := r.setClock(ctx, shared); err != nil {
			return err
		}
		options.Now = r.clock.Now
	}
	if r.svc, err = service.New(ctx, r.log, r.plan.open, options); err != nil {
		return err
	}
	past, err := readPast(ctx, r.log)
	if err == nil {
		err = r.reconcile(ctx, past)
	}
	if err == nil {
		err = r.addTeams(ctx, past)
	}
	if err == nil {
		r.passwords, err = keep.NewPasswords(ctx, r.kept)
	}
	if err == nil {
		err = r.setPasswords(ctx)
	}
	if err == nil {
		r.interactions, err = keep.NewRecorder(ctx, r.kept, r.logger)
	}
	if err == nil {
		r.listen, err = new(net.ListenConfig).Listen(ctx, "tcp", r.serving.listen)
	}
	if err != nil {
		r.close()
		return err
	}
	r.address = r.listen.Addr()
	return nil
}

// close ends what start began.
func (r *running) close() {
	r.svc.Close()
	if r.interactions != nil {
		r.interactions.Close()
	}
	_ = r.logs.Flush()
}

// newID returns 64 random bits in hexadecimal.
func newID() string {
	bits := make([]byte, 8)
	rand.Read(bits) // it does not fail
	return hex.EncodeToString(bits)
}

// base is where the server is reached from this machine.
func (r *running) base() *url.URL {
	host, port, _ := net.SplitHostPort(r.address.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
}

// run serves until the context ends, and then until what is under way is done.
func (r *running) run(ctx context.Context, also ...func(context.Context) error) error {
	defer r.close()
	// While the disk is waited for, a thread keeps one of the places to run in: those
	// of the journal and of the logs that are kept beside it.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	}
	handler := r.handler()
	if r.wrap != nil {
		handler = r.wrap(handler)
	}
	server := httpapi.Server(handler, r.logger)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(r.listen) }()
	r.say("scorebook     %s", r.base())
	r.logger.Info("serving", "address", r.address.String(), "db", shown(r.serving.db))
	playing, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer func() { stop(); all.Wait() }()
	if r.serving.rivals > 0 {
		also = append(also, r.play)
	}
	also = append(also, collectWisely)
	if r.serving.debug != "" {
		also = append(also, r.profiles)
	}
	if shared, ok := r.log.(*store.Postgres); ok {
		also = append(also, func(ctx context.Context) error { return r.follow(ctx, shared) })
	}
	for _, f := range also {
		all.Go(func() {
			if err := f(playing); err != nil && playing.Err() == nil {
				r.logger.Error("a part of the server has stopped", "error", err)
			}
		})
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop()
	r.logger.Info("stopping")
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(ending); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}

// handler is everything that is served: the interface, and the pages where it
// has nothing.
func (r *running) handler() http.Handler {
	admin, streams := auth.NewAdmin(service.HashToken(r.token), r.serving.openAdmin), live.NewStreams()
	var results fs.FS
	if r.serving.results != "" {
		results = os.DirFS(r.serving.results)
	}
	pages := webui.New(r.svc, webui.Options{
		Admin: admin, Streams: streams, Logger: r.logger, Version: toolVersion, Results: results, Demo: r.demo, URL: r.serving.url,
	})
	dres := dresapi.New(r.svc, dresapi.Options{
		Admin: admin, Prefix: r.serving.prefix, Origins: r.serving.origins, Version: toolVersion, Logger: r.logger,
		Passwords: r.passwords, Interactions: r.interactions,
	})
	return httpapi.New(r.svc, httpapi.Options{Dialect: dres, Admin: admin, Streams: streams, Pages: pages.ServeMux, NoPage: pages.NotFound, Passwords: r.passwords, Clock: r.clock, Version: toolVersion, Logger: r.logger})
}

// play lets simulated teams play through the API.
func (r *running) play(ctx context.Context) error {
	options := rivals.Options{Base: r.base(), AdminToken: r.token, Count: r.serving.rivals, Seed: r.serving.seed}
	r.svc.Read(func(state *contest.State) { options.Questions = state.Questions() })
	return rivals.Run(ctx, options)
}
