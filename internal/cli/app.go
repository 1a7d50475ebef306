// Package cli is what the programs share: how they speak to people and to other
// programs, read files and write them, and end. What a program says goes to
// stdout, what is wrong to stderr, and the exit code says which of the kinds of
// faults it was.
package cli

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
	ExitOK         = 0 // done
	ExitInput      = 1 // the input is wrong: nothing is written
	ExitUsage      = 2 // the command line is wrong
	ExitIncomplete = 3 // written, but less than was asked for
	ExitWorld      = 4 // a disk, a permission, an interruption
)

// Stdio stands for stdin among inputs and for stdout as an output.
const Stdio = "-"

// Formats of what stderr is told.
const (
	FormatText = "text"
	FormatJSON = "json"
)

// App is one run of a program.
type App struct {
	Name           string // of the program, before its errors
	TraceVariable  string // of the environment: shows where an internal error happened
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Ctx            context.Context // of this run; it ends when the program is interrupted
	Diags          diag.List
	Writes         bool              // the command writes a file
	Buffered       map[string][]byte // inputs that can be read only once, for commands that read twice

	// Persistent flags.
	Diagnostics string
	Quiet       bool
	MaxBytes    int64

	stdinUsed bool
	Inputs    []os.FileInfo // files that were read: no output replaces them
}

// Error is an error with the exit code that it ends the program with.
type Error struct {
	Code int
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error within.
func (e *Error) Unwrap() error { return e.Err }

// Usage returns an error that ends the program with [ExitUsage].
func Usage(format string, args ...any) error {
	return &Error{ExitUsage, fmt.Errorf(format, args...)}
}

// Run runs the tree of commands and returns the exit code.
func (a *App) Run(ctx context.Context, root *cobra.Command, args []string) (code int) {
	if os.Getenv(a.TraceVariable) == "" {
		defer func() {
			if fault := recover(); fault != nil {
				code = a.finish(fmt.Errorf("internal error: %v\n    hint: this is a bug: report it with the input; %s=1 shows where it happened", fault, a.TraceVariable))
			}
		}()
	}
	if i := slices.Index(args, "--diagnostics"); slices.Contains(args, "--diagnostics=json") || i >= 0 && i+1 < len(args) && args[i+1] == FormatJSON {
		a.Diagnostics = FormatJSON // also for a flag that is wrong before this one is reached
	}
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	if cmd, rest, err := root.Find(args); err == nil && cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && !strings.HasPrefix(rest[0], "__") {
		return a.finish(Subcommands(root, rest)) // before its flags are called unknown; __ is what completion calls
	}
	a.Ctx = ctx
	return a.finish(root.ExecuteContext(ctx))
}

// finish tells the diagnostics and the error, and returns the exit code.
func (a *App) finish(err error) int {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; nothing was written")
	}
	code := ExitOK
	var known *Error
	switch {
	case errors.As(err, &known):
		code = known.Code
	case err != nil:
		code = ExitWorld
	case !a.Diags.OK():
		code = ExitInput
	}
	if _, failed := a.Stderr.Write(a.report(err, code)); failed != nil && code == ExitOK {
		code = ExitWorld // there is nowhere left to say it
	}
	return code
}

// report renders what stderr is told at the end.
func (a *App) report(err error, code int) []byte {
	if a.Diagnostics == FormatJSON {
		out := a.Diags.JSON()
		if err != nil {
			line, _ := json.Marshal(map[string]any{"severity": "error", "message": err.Error(), "exit": code})
			out = append(append(out, line...), '\n')
		}
		return out
	}
	out := a.Diags.Text()
	switch {
	case err != nil:
		out += a.Name + ": "
		for line := range strings.Lines(err.Error()) { // paths and arguments may hold anything
			out += diag.Printable(strings.TrimSuffix(line, "\n")) + "\n"
		}
	case code == ExitInput && a.Writes:
		out += fmt.Sprintf("%s: %s; nothing was written\n", a.Name, Count(a.Diags.Errors(), "error"))
	case code == ExitInput:
		out += fmt.Sprintf("%s: %s\n", a.Name, Count(a.Diags.Errors(), "error"))
	}
	return []byte(out)
}

// Count writes a number of things: 1 error, 2 errors.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Prepare gives a complete tree of commands what all programs have: flags, help
// and completion.
func (a *App) Prepare(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Args, root.RunE = Subcommands, ShowHelp
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if a.Diagnostics != FormatText && a.Diagnostics != FormatJSON {
			wrong := a.Diagnostics
			a.Diagnostics = FormatText
			return Usage("--diagnostics: found %q, expected text or json", wrong)
		}
		if a.MaxBytes <= 0 {
			return Usage("--max-bytes: found %d, expected a positive number of bytes", a.MaxBytes)
		}
		return nil
	}
	root.SetVersionTemplate(a.Name + " {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return Usage("%w%s", err, HelpHint(cmd))
	})
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultHelpCmd()
	completionCommand(root)
	flags := root.PersistentFlags()
	flags.StringVar(&a.Diagnostics, "diagnostics", FormatText, "how faults are told on stderr: text, or json for one object a line")
	flags.BoolVarP(&a.Quiet, "quiet", "q", false, "no table for people")
	flags.Int64Var(&a.MaxBytes, "max-bytes", strict.DefaultMaxBytes, "bound on the size of each input file")
}

// HelpHint points at the help of a command.
func HelpHint(cmd *cobra.Command) string {
	return fmt.Sprintf("\n    hint: see %s --help", cmd.CommandPath())
}

// Arguments makes a wrong number of arguments an error of usage.
func Arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Usage("an argument is missing: %s%s", cmd.UseLine(), HelpHint(cmd))
		case most >= 0 && len(args) > most:
			return Usage("found the argument %q, expected none there%s", args[most], HelpHint(cmd))
		}
		return nil
	}
}

// Subcommands makes a name that is no subcommand an error of usage.
func Subcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := HelpHint(cmd)
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("\n    hint: did you mean %q?", strings.Join(near, `" or "`))
	}
	return Usage("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
}

// ShowHelp is what a command with subcommands does by itself.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpCommand replaces cobra's, which takes an unknown command for success.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Show the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return Subcommands(root, args)
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
		cmd.Args, cmd.RunE = Subcommands, ShowHelp
		for _, shell := range cmd.Commands() {
			shell.Args = Arguments(0, 0)
		}
	}
}

// Required marks flags without which a command makes no sense. It is called
// once for a command.
func Required(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		var missing []string
		for _, name := range names {
			if cmd.Flags().Lookup(name).Value.String() == "" {
				missing = append(missing, "--"+name)
			}
		}
		if len(missing) > 0 {
			return Usage("missing: %s%s", strings.Join(missing, ", "), HelpHint(cmd))
		}
		return nil
	}
}

// Tell writes a table for people: to stdout, or to stderr if the result itself
// goes to stdout. Colour is dropped for NO_COLOR and where no terminal is.
func (a *App) Tell(output, text string) error {
	if a.Quiet {
		return nil
	}
	w := a.Stdout
	if output == Stdio {
		w = a.Stderr
	}
	_, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), text)
	return err
}

// ExitCode returns the exit code that an error ends the program with.
func ExitCode(err error) int {
	var known *Error
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &known):
		return known.Code
	}
	return ExitWorld
}
