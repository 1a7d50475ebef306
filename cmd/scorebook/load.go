package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
	"scorebook/internal/load"
)

func (a *app) loadCommand() *cobra.Command {
	var p load.Plan
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "load ADDRESS",
		Short: "Use a server as many teams and viewers at once would",
		Long: `Registers teams at a server with a new contest, starts a question, and has the teams
submit wrong answers at a rate that does not depend on the server, all of them once
more within the last moments of the question if --burst is given. Viewers hold the
stream of the ranking open meanwhile. Times count from when a submission was due, so a
server that stalls is not spared. At the end every receipt is held against the journal.

The admin token comes from SCOREBOOK_ADMIN_TOKEN. The exit code is 1 if anything failed
or a receipt is wrong.`,
		Example: "  scorebook load http://127.0.0.1:8000 --teams 1000 --rate 500 --duration 30s --viewers 200\n" +
			"  scorebook load http://127.0.0.1:8000 --teams 5000 --rate 0 --duration 10s --burst 1s",
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			base, err := url.Parse(args[0])
			if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
				return cli.Usage("found the address %q, expected one such as http://127.0.0.1:8000", args[0])
			}
			switch {
			case p.Teams < 1 || p.Teams > 1e6:
				return cli.Usage("--teams: found %d, expected 1 to 1000000", p.Teams)
			case !(p.Rate >= 0 && p.Rate <= 1e6):
				return cli.Usage("--rate: found %v, expected 0 to 1000000 submissions a second", p.Rate)
			case p.Duration < time.Second || p.Duration > 24*time.Hour:
				return cli.Usage("--duration: found %v, expected 1s to 24h", p.Duration)
			case p.Burst < 0 || p.Burst > p.Duration:
				return cli.Usage("--burst: found %v, expected at most the duration, %v", p.Burst, p.Duration)
			case p.Rate == 0 && p.Burst == 0:
				return cli.Usage("found neither --rate nor --burst, expected one of them or both")
			case p.Viewers < 0 || p.Viewers > 1e6:
				return cli.Usage("--viewers: found %d, expected 0 to 1000000", p.Viewers)
			}
			if p.AdminToken = os.Getenv(adminVariable); p.AdminToken == "" {
				return cli.Usage("%s: found nothing, expected the server's admin token", adminVariable)
			}
			p.Base = base
			p.Progress = func(format string, args ...any) {
				_, _ = fmt.Fprintf(a.Stderr, "scorebook: "+format+"\n", args...)
			}
			report, err := load.Run(cmd.Context(), &p)
			if err != nil {
				return err
			}
			text := report.Text()
			if asJSON {
				encoded, err := json.MarshalIndent(report, "", "  ")
				if err != nil {
					return err
				}
				text = string(encoded) + "\n"
			}
			if err := a.Tell("", text); err != nil {
				return err
			}
			if !report.OK() {
				return &cli.Error{Code: cli.ExitInput, Err: errors.New("the server did not do what it acknowledged, or failed")}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&p.Teams, "teams", 100, "teams that are registered for it")
	flags.Float64Var(&p.Rate, "rate", 100, "submissions a second, by the teams in turn; 0: only the burst")
	flags.DurationVar(&p.Duration, "duration", 30*time.Second, "time of the question")
	flags.DurationVar(&p.Burst, "burst", 0, "time at the end of the question in which every team submits once")
	flags.IntVar(&p.Viewers, "viewers", 0, "streams of the ranking that are held open")
	flags.StringVar(&p.Question, "question", "", "question that runs (default: the first one)")
	flags.BoolVar(&asJSON, "json", false, "the report as JSON")
	return cmd
}
