package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/report"
	"scorebook/strict"
)

func (a *app) reportCommand() *cobra.Command {
	var title string
	formats := []*reportFormat{
		{flag: "html", usage: "where the page goes: one file with everything in it (- for stdout)", render: report.HTML},
		{flag: "md", usage: "where the Markdown goes (- for stdout)", render: report.Markdown},
		{flag: "csv", usage: "where the table of all figures goes (- for stdout)", render: report.CSV},
	}
	cmd := &cobra.Command{
		Use:   "report RESULT.json... [--html FILE] [--md FILE] [--csv FILE]",
		Short: "Show outputs of score and solver-score as a page, as Markdown or as a table",
		Long: `Reads any mix of outputs of score and solver-score and shows them together: the
Index of each model with its tracks and tasks, what keeps a model incomplete,
and where the score of each solver task comes from. Nothing is computed. The page
needs no network and no other file. Equal inputs give equal bytes.`,
		Example: "  tcsexam report build/index.json build/maxcut.json --html build/report.html\n  tcsexam report build/index.json --csv -",
		Args:    cli.Arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Writes = true
			outputs, err := chosen(cmd, formats)
			if err != nil {
				return err
			}
			b, err := a.benchmark(cmd.Context(), args)
			if err != nil || !a.Diags.OK() {
				return err
			}
			b.Title = title
			if err := a.replaceable(outputs); err != nil {
				return err
			}
			return a.writeReports(outputs, b)
		},
	}
	for _, f := range formats {
		cmd.Flags().StringVar(&f.path, f.flag, "", f.usage)
	}
	cmd.Flags().StringVar(&title, "title", "", "heading (default: the suite and protocol, or the task)")
	return cmd
}

// reportFormat is one way to show results, and where that goes.
type reportFormat struct {
	flag, usage string
	render      func(io.Writer, report.Benchmark) error
	path        string // empty if it is not asked for
}

// chosen returns the formats that are asked for; each goes to a place of its own.
func chosen(cmd *cobra.Command, formats []*reportFormat) (outputs []*reportFormat, err error) {
	for _, f := range formats {
		if f.path == "" {
			continue
		}
		for _, other := range outputs {
			if samePath(f.path, other.path) {
				return nil, cli.Usage("--%s and --%s both name %s: give each a place of its own", other.flag, f.flag, f.path)
			}
		}
		outputs = append(outputs, f)
	}
	if len(outputs) == 0 {
		return nil, cli.Usage("missing: --html, --md or --csv, at least one of them%s", cli.HelpHint(cmd))
	}
	return outputs, nil
}

// samePath reports whether two outputs are one.
func samePath(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// benchmark reads the results in the order in which they are given.
func (a *app) benchmark(ctx context.Context, paths []string) (b report.Benchmark, err error) {
	names := sourceNames(paths)
	for i, path := range paths {
		before := a.Diags.Errors()
		if err := a.buffer(ctx, path); err != nil {
			return b, err
		}
		if a.Diags.Errors() > before {
			continue
		}
		format, err := cli.Parse(ctx, a.App, path, func(s *strict.Source, _ *diag.List) exam.Format { return exam.Recognise(s) })
		if err != nil {
			return b, err
		}
		switch format {
		case exam.FormatIndexResult:
			r, err := cli.Parse(ctx, a.App, path, exam.ParseIndexResult)
			if err != nil {
				return b, err
			}
			b.Indexes = append(b.Indexes, report.Named[*exam.IndexResult]{Name: names[i], Result: r})
		case exam.FormatSolverResult:
			r, err := cli.Parse(ctx, a.App, path, exam.ParseSolverResult)
			if err != nil {
				return b, err
			}
			b.Solvers = append(b.Solvers, report.Named[*exam.SolverResult]{Name: names[i], Result: r})
		case exam.FormatNone:
			_, err = cli.Parse(ctx, a.App, path, exam.ReportUnrecognised)
		default:
			_, err = cli.Parse(ctx, a.App, path, func(s *strict.Source, diags *diag.List) exam.Format {
				diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(s.File()), exam.CodeNotAResult,
					"found a file of the format %s, expected an output of score or solver-score", format).
					WithHint("give the files that score and solver-score wrote with --output"))
				return format
			})
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// sourceNames says what the results are called in a report: as their files,
// and where two files have one name, as their paths. A folder of some machine
// is no part of a report unless it has to be.
func sourceNames(paths []string) []string {
	times := map[string]int{}
	base := func(path string) string {
		if path == cli.Stdio {
			return "stdin"
		}
		return strings.TrimSuffix(filepath.Base(path), ".json")
	}
	for _, path := range paths {
		times[base(path)]++
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		if names[i] = base(path); times[names[i]] > 1 {
			names[i] = filepath.ToSlash(path)
		}
	}
	return names
}

// replaceable refuses outputs that are no files of their own, before the first
// of them is written.
func (a *app) replaceable(outputs []*reportFormat) error {
	for _, f := range outputs {
		if strings.HasSuffix(f.path, string(filepath.Separator)) {
			return cli.Usage("--%s %s names a folder: name a file in it", f.flag, f.path)
		}
		info, err := os.Stat(f.path)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(a.Inputs, func(input os.FileInfo) bool { return os.SameFile(info, input) }) {
			return cli.Usage("--%s %s is one of the inputs: name another file", f.flag, f.path)
		}
	}
	return nil
}

// writeReports renders everything before it writes anything.
func (a *app) writeReports(outputs []*reportFormat, b report.Benchmark) error {
	rendered := make([][]byte, len(outputs))
	for i, f := range outputs {
		var out bytes.Buffer
		if err := f.render(&out, b); err != nil {
			return err
		}
		rendered[i] = out.Bytes()
	}
	told, stdout := "", ""
	for i, f := range outputs {
		if err := a.Write(f.path, rendered[i]); err != nil {
			return err
		}
		if f.path == cli.Stdio {
			stdout = cli.Stdio
			continue
		}
		told += "wrote " + diag.Printable(f.path) + "\n"
	}
	return a.Tell(stdout, told)
}
