package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
)

// toolVersion is the version that the server tells. It changes with every
// release.
const toolVersion = "0.1.0"

// app is one run of the program.
type app struct {
	*cli.App
}

// run is the whole program: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{App: &cli.App{Name: "scorebook", TraceVariable: "SCOREBOOK_TRACE", Stdin: stdin, Stdout: stdout, Stderr: stderr}}
	return a.Run(ctx, a.command(), args)
}

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "scorebook",
		Short: "Run a live retrieval contest, and explain every score of it",
		Long: `scorebook serves a live retrieval contest: teams submit moments, answers or key
frames against the clock, and are judged with tolerance, time and penalties. What
happened is kept in a journal; every score is computed from it, and can be
computed again.

Exit codes: 0 done; 1 the input is wrong; 2 the command line is wrong; 4 a disk,
a network, a permission or an interruption.`,
		Example: "  scorebook demo\n  scorebook serve --config contest.yaml --db contest.db",
		Version: toolVersion,
	}
	root.AddCommand(a.serveCommand(), a.demoCommand(), a.explainCommand(), a.checkCommand(), a.rulesCommand(), a.rescoreCommand(),
		a.conformCommand(), a.loadCommand(), a.verifyCommand(), a.importCommand(), a.exportCommand(), a.backupCommand(), a.copyCommand(), a.tokenCommand())
	a.Prepare(root)
	return root
}
