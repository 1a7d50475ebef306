package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/strict"
)

// Exit codes.
const (
	exitOK         = 0 // written
	exitInput      = 1 // the input is wrong: nothing is written
	exitUsage      = 2 // the command line is wrong
	exitIncomplete = 3 // with --require-complete: written, but a result is incomplete
	exitWorld      = 4 // a disk, a permission, an interruption
)

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	diags          diag.List
	stdinUsed      bool
	writes         bool // the command writes a file

	// Persistent flags.
	diagnostics string
	quiet       bool
	maxBytes    int64
	dataDir     string
}

// exitError is an error with the exit code that it ends the program with.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage returns an error that ends the program with exit code 2.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// run is the whole program: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	if os.Getenv("TCSEXAM_TRACE") == "" {
		defer func() {
			if fault := recover(); fault != nil {
				code = a.finish(fmt.Errorf("internal error: %v\n    hint: this is a bug: report it with the input; TCSEXAM_TRACE=1 shows where it happened", fault))
			}
		}()
	}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.finish(root.ExecuteContext(ctx))
}

// finish tells the diagnostics and the error, and returns the exit code.
func (a *app) finish(err error) int {
	code := exitOK
	var known *exitError
	switch {
	case errors.As(err, &known):
		code = known.code
	case err != nil:
		code = exitWorld
	case !a.diags.OK():
		code = exitInput
	}
	if _, failed := a.stderr.Write(a.report(err, code)); failed != nil && code == exitOK {
		code = exitWorld // there is nowhere left to say it
	}
	return code
}

// report renders what stderr is told at the end.
func (a *app) report(err error, code int) []byte {
	if a.diagnostics == formatJSON {
		out := a.diags.JSON()
		if err != nil {
			line, _ := json.Marshal(map[string]any{"severity": "error", "message": err.Error(), "exit": code})
			out = append(append(out, line...), '\n')
		}
		return out
	}
	out := a.diags.Text()
	switch {
	case err != nil:
		out += fmt.Sprintf("tcsexam: %s\n", err)
	case code == exitInput && a.writes:
		out += fmt.Sprintf("tcsexam: %s; nothing was written\n", count(a.diags.Errors(), "error"))
	case code == exitInput:
		out += fmt.Sprintf("tcsexam: %s\n", count(a.diags.Errors(), "error"))
	}
	return []byte(out)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

const (
	formatText = "text"
	formatJSON = "json"
)

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
		Example:       "  tcsexam demo\n  tcsexam solver-score --task maxcut-mqlib --records records.json --reference lite --output out.json",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.diagnostics != formatText && a.diagnostics != formatJSON {
				wrong := a.diagnostics
				a.diagnostics = formatText
				return usage("--diagnostics: found %q, expected text or json", wrong)
			}
			if a.maxBytes <= 0 {
				return usage("--max-bytes: found %d, expected a positive number of bytes", a.maxBytes)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("tcsexam {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w\n    hint: see %s --help", err, cmd.CommandPath())
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.diagnostics, "diagnostics", formatText, "how faults are told on stderr: text, or json for one object a line")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no table for people")
	flags.Int64Var(&a.maxBytes, "max-bytes", strict.DefaultMaxBytes, "bound on the size of each input file")
	flags.StringVar(&a.dataDir, "data", "", "folder in which suites and references are looked up by name (default $TCSEXAM_DATA, else ./tcsexam-data)")
	root.AddCommand(a.solverScoreCommand(), a.scoreCommand(), a.checkCommand(), a.explainCommand(), a.convertCommand(), a.demoCommand())
	for _, cmd := range root.Commands() {
		wrapArgs(cmd)
	}
	wrapArgs(root)
	return root
}

// wrapArgs makes wrong arguments an error of usage.
func wrapArgs(cmd *cobra.Command) {
	check := cmd.Args
	if check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage("%w\n    hint: see %s --help", err, cmd.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		wrapArgs(sub)
	}
}

// required marks flags without which a command makes no sense.
func required(cmd *cobra.Command, names ...string) {
	inner := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		for _, name := range names {
			if cmd.Flags().Lookup(name).Value.String() == "" {
				return usage("--%s is required\n    hint: see %s --help", name, cmd.CommandPath())
			}
		}
		if inner != nil {
			return inner(cmd, args)
		}
		return nil
	}
}

// tell writes a table for people: to stdout, or to stderr if the result itself
// goes to stdout. Colour is dropped for NO_COLOR and where no terminal is.
func (a *app) tell(output, text string) error {
	if a.quiet {
		return nil
	}
	w := a.stdout
	if output == stdio {
		w = a.stderr
	}
	_, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), text)
	return err
}
