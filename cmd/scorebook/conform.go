package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/internal/cli"
	"scorebook/internal/conform"
	"scorebook/internal/journal"
	"scorebook/internal/keep"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// coaching is the command line of conform.
type coaching struct {
	serving            serving
	username, password string
	taskTime           float64
}

func (a *app) conformCommand() *cobra.Command {
	var c coaching
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Tell the author of a client of DRES what is right and what is wrong with it",
		Long: `Serves the interface of DRES with a scripted contest of four tasks: a moment of a
video, a video, a question and a TRAKE task. Of every request it tells what was right,
what is tolerated here and may fail elsewhere, and what fails; at the end it sums up.
What is right is printed before each task. A task ends when it was answered right, or
after --task-time.

The client passes, and the exit code is 0, if it signed in, asked for evaluations and
tasks, sent an answer to every task that could be read, and nothing failed.`,
		Example: "  scorebook conform --listen 127.0.0.1:8000",
		Args:    cli.Arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.conform(cmd.Context(), c) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.serving.listen, "listen", "127.0.0.1:8000", "address to listen on")
	flags.StringVar(&c.serving.prefix, "base-path", "", "path below which clients of DRES find /api/v2 as well, such as /dres")
	flags.StringSliceVar(&c.serving.origins, "cors-origin", nil, "origin of pages whose scripts may use the DRES interface with cookies")
	flags.StringVar(&c.username, "username", "team", "name that the client signs in with")
	flags.StringVar(&c.password, "password", "rehearsal", "password that it signs in with")
	flags.Float64Var(&c.taskTime, "task-time", 60, "seconds after which a task ends that was not answered right")
	return cmd
}

// conformQuestions are the tasks of the script.
var conformQuestions = []retrieval.Question{
	{ID: "kis", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{{Start: 33000, End: 34000}}},
	{ID: "item", Type: retrieval.KIS, Scene: "L01", Video: "V002", Events: []retrieval.Event{retrieval.WholeVideo}},
	{ID: "qa", Type: retrieval.QA, Scene: "L02", Video: "V003", Events: []retrieval.Event{{Start: 70000, End: 80000}}, Answers: []string{"Mộc Châu"}},
	{ID: "trake", Type: retrieval.TR, Scene: "L03", Video: "V004", Events: []retrieval.Event{{Start: 2000, End: 2010}, {Start: 2500, End: 2510}}},
}

func (a *app) conform(ctx context.Context, c coaching) error {
	if !(c.taskTime > 0 && c.taskTime <= 86400) {
		return cli.Usage("--task-time: found %v, expected more than 0 and at most 86400 seconds", c.taskTime)
	}
	if fault := keep.CheckPassword(c.password); fault != "" {
		return cli.Usage("--password: %s, expected %d to %d visible ones", fault, keep.MinPassword, keep.MaxPassword)
	}
	name, fault := contest.CleanName(c.username)
	if fault != "" {
		return cli.Usage("--username: %s", fault)
	}
	rules := preset()
	rules.AnswerMatch = retrieval.MatchFolded
	settings := contest.DefaultSettings()
	settings.Name, settings.Registration = "Conformance", contest.ClosedRegistration
	r := &running{
		app: a, log: journal.NewMemory(), kept: keep.NewMemory(), serving: c.serving, token: newToken(), level: slog.LevelWarn,
		plan: &plan{open: contest.Open{Settings: settings, Rules: rules, Questions: conformQuestions}},
	}
	if err := r.start(ctx); err != nil {
		return err
	}
	team := contest.TeamID(newID())
	_, err := r.svc.Do(ctx, contest.Register{ID: team, Name: name, TokenHash: service.HashToken(newToken()), Organiser: true}, r.svc.Now())
	if err == nil {
		err = r.passwords.Set(ctx, team, c.password)
	}
	if err != nil {
		r.close()
		return err
	}
	coach := conform.New(a.Stdout, time.Now, &rules, conformQuestions)
	r.wrap = coach.Watch
	r.say("point the client at %s, user name %q, password %q", r.base(), name, c.password)
	playing, stop := context.WithCancel(ctx)
	defer stop()
	err = r.run(playing, func(ctx context.Context) error {
		defer stop()
		return r.coachAll(ctx, coach, time.Duration(c.taskTime*float64(time.Second)))
	})
	passes := coach.Summary()
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case !passes:
		return &cli.Error{Code: cli.ExitInput, Err: errors.New("the client does not pass")}
	}
	return nil
}

// coachAll plays the tasks, one after the other.
func (r *running) coachAll(ctx context.Context, coach *conform.Coach, limit time.Duration) error {
	const pause, poll = 500 * time.Millisecond, 50 * time.Millisecond
	for _, q := range conformQuestions {
		coach.Starts(q.ID)
		if err := r.order(ctx, contest.Start{Question: q.ID, TimeLimit: &limit, Buffer: new(time.Duration)}); err != nil {
			return fmt.Errorf("start the task %s: %w", q.ID, err)
		}
		for began := time.Now(); !coach.Answered(q.ID) && time.Since(began) < limit; {
			if err := wait(ctx, poll); err != nil {
				return err
			}
		}
		if err := wait(ctx, pause); err != nil { // the client may ask once more
			return err
		}
		if err := r.order(ctx, contest.Stop{}); err != nil {
			return err
		}
	}
	return wait(ctx, pause)
}
