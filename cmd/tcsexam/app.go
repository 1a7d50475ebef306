package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
)

// app is one run of the program.
type app struct {
	*cli.App
	dataDir string // persistent flag
}

// run is the whole program: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	a := &app{App: &cli.App{Name: "tcsexam", TraceVariable: "TCSEXAM_TRACE", Stdin: stdin, Stdout: stdout, Stderr: stderr}}
	return a.Run(ctx, a.command(), args)
}

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "tcsexam",
		Short: "Score benchmark results exactly, or say everything that is wrong with them",
		Long: `tcsexam turns solver records into scores relative to a fixed reference, and
tables of attempts into an Index with its coverage. Every figure is computed
from the exact decimals in the input and rounded once, so it is the same on
every machine. Faults in the input are all reported in one run, with file, line
and column, and then no figure is written.

Exit codes: 0 written; 1 the input is wrong; 2 the command line is wrong;
3 a result is incomplete (with --require-complete); 4 a disk, a permission or
an interruption.`,
		Example: "  tcsexam demo\n  tcsexam solver-score --task maxcut-mqlib --records records.json --reference lite --output out.json",
		Version: version(),
	}
	root.PersistentFlags().StringVar(&a.dataDir, "data", "", "folder in which suites and references are looked up by name (default $TCSEXAM_DATA, else ./tcsexam-data)")
	root.AddCommand(a.solverScoreCommand(), a.scoreCommand(), a.checkCommand(), a.reportCommand(), a.explainCommand(), a.convertCommand(), a.demoCommand())
	a.Prepare(root)
	return root
}
