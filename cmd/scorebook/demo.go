package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/internal/cli"
	"scorebook/internal/journal"
	"scorebook/internal/keep"
	"scorebook/internal/sample"
	"scorebook/retrieval"
	"scorebook/strict"
)

func (a *app) demoCommand() *cobra.Command {
	s := serving{db: "memory"}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve a sample contest in which simulated teams play, in seconds and without any file",
		Long: `Serves a contest with 22 questions of AIC 2025. Simulated teams play the first one
at once, and the others after it; teams may register at any time. Nothing is kept
when it ends.`,
		Example: "  scorebook demo --listen 127.0.0.1:8000",
		Args:    cli.Arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.demo(cmd, s) },
	}
	cmd.Flags().StringVar(&s.listen, "listen", "127.0.0.1:0", "address to listen on; port 0 takes a free one")
	cmd.Flags().IntVar(&s.rivals, "rivals", 8, "simulated teams")
	cmd.Flags().Uint64Var(&s.seed, "seed", 1, "of the simulated teams: equal seeds play alike")
	return cmd
}

func preset() retrieval.Ruleset {
	rules, _ := retrieval.Preset(retrieval.DefaultPreset)
	return rules
}

func (a *app) demo(cmd *cobra.Command, s serving) error {
	if s.rivals < 0 || s.rivals > maxRivals {
		return cli.Usage("--rivals: found %d, expected 0 to %d", s.rivals, maxRivals)
	}
	p := &plan{open: contest.Open{Settings: contest.DefaultSettings(), Rules: preset()}}
	p.open.Settings.Name, p.open.Settings.Registration = "Scorebook demo", contest.AlwaysRegistration
	p.open.Questions, _ = retrieval.ParseGroundTruth(strict.NewSource("sample", bytes.NewReader(sample.GroundTruth()), 0), &a.Diags)
	if !a.Diags.OK() {
		return nil
	}
	index, err := sampleIndex(&a.Diags)
	if err != nil || !a.Diags.OK() {
		return err
	}
	if s.results, err = os.MkdirTemp("", "scorebook-demo-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.results) //nolint:errcheck // a folder for what is temporary
	if err := writeSampleResults(s.results, index, &a.Diags); err != nil || !a.Diags.OK() {
		return err
	}
	r := &running{app: a, log: journal.NewMemory(), kept: keep.NewMemory(), plan: p, serving: s, token: newToken(), level: slog.LevelWarn, demo: true}
	if err := r.start(cmd.Context()); err != nil {
		return err
	}
	if _, err := r.svc.Do(cmd.Context(), contest.Start{Question: p.open.Questions[0].ID}, r.svc.Now()); err != nil {
		r.close()
		return err
	}
	base := r.base()
	r.say("A sample contest is running. Simulated teams play; join them, or watch:\n")
	r.say("start here    %s", base)
	r.say("leaderboard   %s/leaderboard-ui", base)
	r.say("control room  %s/admin-dashboard   admin token %s", base, r.token)
	r.say("benchmarks    %s/benchmarks", base)
	r.say("the API       %s/docs", base)
	r.say("register      curl %s/teams/register -d '{\"team_name\": \"My team\"}'", base)
	r.say("submit        curl %s/submit -d '{\"teamSessionId\": \"TOKEN\", \"answerSets\": [{\"answers\": [{\"mediaItemName\": \"K14_V026\", \"start\": 378000}]}]}'", base)
	r.say("\nStop it with Ctrl-C.\n")
	return r.run(cmd.Context(), r.playAll)
}

// playAll plays one question after the other, with a break between them. The
// first one runs already. Whoever has the admin token may join in: what is
// running is not cut short, and what was played is not played again.
func (r *running) playAll(ctx context.Context) error {
	const pause = 10 * time.Second
	for _, question := range r.plan.open.Questions[1:] {
		if err := r.untilOver(ctx); err != nil {
			return err
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		if err := r.untilOver(ctx); err != nil { // somebody else was faster
			return err
		}
		if err := r.order(ctx, contest.Start{Question: question.ID}); err != nil {
			return err
		}
	}
	return r.untilOver(ctx)
}

// untilOver returns when no question is active, and stops the one whose time is
// over.
func (r *running) untilOver(ctx context.Context) error {
	for {
		var active contest.Round
		var seq contest.Seq
		r.svc.Read(func(state *contest.State) {
			active, seq = state.Round(state.ActiveQuestion()), state.Seq()
		})
		if !active.Active {
			return nil
		}
		left := active.Limit + active.Buffer + contest.Grace - active.Elapsed(r.svc.Now())
		if left < 0 {
			if err := r.order(ctx, contest.Stop{Question: active.Question}); err != nil {
				return err
			}
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, left+time.Millisecond)
		_, err := r.svc.Wait(waiting, seq) // it may be stopped, or extended
		cancel()
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
			return err
		}
	}
}

// order has a command carried out, unless somebody else did the same.
func (r *running) order(ctx context.Context, command contest.Command) error {
	_, err := r.svc.Do(ctx, command, r.svc.Now())
	if refused := (*contest.Reject)(nil); errors.As(err, &refused) && (refused.Code == contest.AlreadyPlayed || refused.Code == contest.NoActiveQuestion) {
		return nil
	}
	return err
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
