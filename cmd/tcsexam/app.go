package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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
	ctx            context.Context // of this run; it ends when the program is interrupted
	stdin          io.Reader
	stdout, stderr io.Writer
	diags          diag.List
	stdinUsed      bool
	inputs         []os.FileInfo     // files that were read
	buffered       map[string][]byte // inputs that can be read only once, for commands that read twice
	writes         bool              // the command writes a file

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
	if i := slices.Index(args, "--diagnostics"); slices.Contains(args, "--diagnostics=json") || i >= 0 && i+1 < len(args) && args[i+1] == formatJSON {
		a.diagnostics = formatJSON // also for a flag that is wrong before this one is reached
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if cmd, rest, err := root.Find(args); err == nil && cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !strings.HasPrefix(rest[0], "__") {
		return a.finish(subcommands(root, rest)) // before its flags are called unknown; __ is what completion calls
	}
	a.ctx = ctx
	return a.finish(root.ExecuteContext(ctx))
}

// finish tells the diagnostics and the error, and returns the exit code.
func (a *app) finish(err error) int {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; nothing was written")
	}
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
		out += "tcsexam: "
		for line := range strings.Lines(err.Error()) { // paths and arguments may hold anything
			out += diag.Printable(strings.TrimSuffix(line, "\n")) + "\n"
		}
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
		Args:          subcommands,
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
		RunE: showHelp,
	}
	root.SetVersionTemplate("tcsexam {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("%w%s", err, helpHint(cmd))
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.diagnostics, "diagnostics", formatText, "how faults are told on stderr: text, or json for one object a line")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no table for people")
	flags.Int64Var(&a.maxBytes, "max-bytes", strict.DefaultMaxBytes, "bound on the size of each input file")
	flags.StringVar(&a.dataDir, "data", "", "folder in which suites and references are looked up by name (default $TCSEXAM_DATA, else ./tcsexam-data)")
	root.AddCommand(a.solverScoreCommand(), a.scoreCommand(), a.checkCommand(), a.explainCommand(), a.convertCommand(), a.demoCommand())
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	completionCommand(root)
	return root
}

// helpHint points at the help of a command.
func helpHint(cmd *cobra.Command) string {
	return fmt.Sprintf("\n    hint: see %s --help", cmd.CommandPath())
}

// arguments makes a wrong number of arguments an error of usage.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("an argument is missing: %s%s", cmd.UseLine(), helpHint(cmd))
		case most >= 0 && len(args) > most:
			return usage("found the argument %q, expected none there%s", args[most], helpHint(cmd))
		}
		return nil
	}
}

// subcommands makes a name that is no subcommand an error of usage.
func subcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := helpHint(cmd)
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("\n    hint: did you mean %q?", strings.Join(near, `" or "`))
	}
	return usage("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
}

// showHelp is what a command with subcommands does by itself.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpCommand replaces cobra's, which takes an unknown command for success.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Show the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return subcommands(root, args)
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}

// completionCommand returns cobra's command with usage errors of our own.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args, cmd.RunE = subcommands, showHelp
		for _, shell := range cmd.Commands() {
			shell.Args = arguments(0, 0)
		}
	}
}

// required marks flags without which a command makes no sense. It is called
// once for a command.
func required(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		var missing []string
		for _, name := range names {
			if cmd.Flags().Lookup(name).Value.String() == "" {
				missing = append(missing, "--"+name)
			}
		}
		if len(missing) > 0 {
			return usage("missing: %s%s", strings.Join(missing, ", "), helpHint(cmd))
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
