package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/internal/journal"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// rescoring is the command line of rescore.
type rescoring struct {
	db, rules, groundTruth, reason string
	apply                          bool
}

func (a *app) rescoreCommand() *cobra.Command {
	var r rescoring
	cmd := &cobra.Command{
		Use:   "rescore",
		Short: "Show what other rules or another ground truth would change, and put them in",
		Long: `Scores everything that was submitted again under other rules or against another
ground truth, and shows for whom what would change. With --apply it is recorded;
then no server may be running on the database.`,
		Example: "  scorebook rescore --db contest.db --ground-truth corrected.csv\n  scorebook rescore --db contest.db --ground-truth corrected.csv --apply --reason \"question 7: wrong cut\"",
		Args:    cli.Arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.rescore(cmd, r) },
	}
	cmd.Flags().StringVar(&r.db, "db", defaultDB, "database of the contest")
	cmd.Flags().StringVar(&r.rules, "rules", "", "a preset or a file")
	cmd.Flags().StringVar(&r.groundTruth, "ground-truth", "", "table of questions")
	cmd.Flags().BoolVar(&r.apply, "apply", false, "record it")
	cmd.Flags().StringVar(&r.reason, "reason", "", "why; it is kept in the journal")
	return cmd
}

func (a *app) rescore(cmd *cobra.Command, r rescoring) (err error) {
	ctx := cmd.Context()
	if r.rules == "" && r.groundTruth == "" {
		return cli.Usage("expected --rules, --ground-truth or both%s", cli.HelpHint(cmd))
	}
	if r.apply && strings.TrimSpace(r.reason) == "" {
		return cli.Usage("--apply needs --reason: it is kept in the journal for whoever asks later")
	}
	var commands []contest.Command
	if r.groundTruth != "" {
		questions, err := a.groundTruth(ctx, r.groundTruth)
		if err != nil {
			return err
		}
		commands = append(commands, contest.ReplaceGroundTruth{Questions: questions, Reason: r.reason})
	}
	if r.rules != "" {
		rules, err := a.rules(ctx, r.rules)
		if err != nil {
			return err
		}
		commands = append(commands, contest.ReplaceRules{Rules: rules, Reason: r.reason})
	}
	if !a.Diags.OK() {
		return nil
	}
	open := a.read
	if r.apply {
		open = a.write
	}
	log, err := open(ctx, r.db)
	if err != nil {
		return err
	}
	defer closing(log, &err)
	before, after, err := whatIf(ctx, log, commands)
	if err != nil {
		return err
	}
	if err := a.Tell("", differences(before, after)); err != nil || !r.apply {
		return err
	}
	svc, err := service.New(ctx, log, contest.Open{}, service.Options{})
	if err != nil {
		return err
	}
	defer svc.Close()
	for _, c := range commands {
		if _, err := svc.Do(ctx, c, svc.Now()); err != nil {
			return err
		}
	}
	return a.Tell("", "recorded\n")
}

// whatIf returns the standings of a journal without and with what commands make
// happen. Nothing is recorded.
func whatIf(ctx context.Context, log journal.Log, commands []contest.Command) (before, after contest.Table, err error) {
	state, err := service.Replay(ctx, log, nil)
	if err != nil {
		return before, after, err
	}
	before = state.Jury()
	for _, c := range commands {
		events, refused := state.Decide(c, state.At())
		if refused != nil {
			return before, after, &cli.Error{Code: cli.ExitInput, Err: refused}
		}
		for _, event := range events {
			if err := state.Apply(contest.Recorded{Seq: state.Seq() + 1, At: state.At(), Event: event}); err != nil {
				return before, after, err
			}
		}
	}
	return before, state.Jury(), nil
}

// differences tells for whom what changes.
func differences(before, after contest.Table) string {
	old := map[contest.TeamID]contest.Row{}
	for _, row := range before.Rows {
		old[row.ID] = row
	}
	column := map[retrieval.QuestionID]int{}
	for i, c := range before.Columns {
		column[c.Question] = i
	}
	var b strings.Builder
	changed := 0
	for _, row := range after.Rows {
		was := old[row.ID]
		cells := ""
		for i, c := range row.Cells {
			var then contest.Result
			if j, ok := column[after.Columns[i].Question]; ok {
				then = was.Cells[j]
			}
			if then != c {
				cells += fmt.Sprintf("  question %s: %.2f -> %.2f, at %v s -> %v s, wrong attempts %d -> %d\n",
					after.Columns[i].Question, then.Score, c.Score, then.Time.Seconds(), c.Time.Seconds(), then.Wrong, c.Wrong)
			}
		}
		if cells == "" && was.Total == row.Total && was.Rank == row.Rank && was.Time == row.Time {
			continue
		}
		changed++
		fmt.Fprintf(&b, "%s: rank %d -> %d, total %.2f -> %.2f\n%s", diag.Printable(row.Name), was.Rank, row.Rank, was.Total, row.Total, cells)
	}
	fmt.Fprintf(&b, "%d of %s change\n", changed, cli.Count(len(after.Rows), "team"))
	return b.String()
}
