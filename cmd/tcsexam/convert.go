package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/strict"
)

// conversion holds the flags of convert runs.
type conversion struct {
	task, kind, direction        string
	instance, value, status, by  string
	statuses, values             []string // WORD=STATUS
	candidates                   []string
	referenceID                  string
	relativeFloor, absoluteFloor string
	name, output                 string
}

func (a *app) convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert",
		Short: "Make references and records from tables of runs, and join references",
		Args:  cli.Subcommands,
		RunE:  cli.ShowHelp,
	}
	cmd.AddCommand(a.convertRunsCommand(), a.convertMergeCommand())
	return cmd
}

func (a *app) convertRunsCommand() *cobra.Command {
	var c conversion
	cmd := &cobra.Command{
		Use:   "runs FILE.csv --task NAME --kind KIND",
		Short: "Make a reference and records from a long table of runs",
		Long: `Reads a table with one row for each run and instance. With --by, the runs named
by --candidates become records, one file each, and all others make the
reference. Without --by the table is one run and becomes records.

A status that is not one of the format's must be mapped with --map; what is not
mapped is listed, never guessed; so is a value that is no number, unless
--map-value says what it stands for. A failed run gives an objective task no value
and a solve task the value 0; an instance with fewer than two values becomes
unscored.

Files: NAME.reference.json and NAME.RUN.records.json in the folder --output.`,
		Example: `  tcsexam convert runs runs.csv --task miplib2017 --kind objective --direction minimize \
    --value-column primal_bound --status-column solution_status --map feasible=ok --map -=timeout \
    --by run --candidates setting-12,setting-13 --reference-id settings-01-11 --output data`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.convertRuns(cmd.Context(), args[0], c)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.task, "task", "", "name of the task in the reference")
	flags.StringVar(&c.kind, "kind", "", "objective or solve")
	flags.StringVar(&c.direction, "direction", "", "maximize or minimize (default for solve: maximize)")
	flags.StringVar(&c.instance, "instance-column", "instance", "column of the instance")
	flags.StringVar(&c.status, "status-column", "status", "column of the status")
	flags.StringVar(&c.value, "value-column", "", "column of the value (default for objective: value; for solve: none, ok is solved)")
	flags.StringVar(&c.by, "by", "", "column that tells the runs apart")
	flags.StringArrayVar(&c.statuses, "map", nil, "what a status of the table means: STATUS=ok or STATUS=FAILURE")
	flags.StringArrayVar(&c.values, "map-value", nil, "a value that is no outcome, such as inf or N/A, and the failure it stands for: VALUE=FAILURE")
	flags.StringSliceVar(&c.candidates, "candidates", nil, "runs that become records instead of making the reference")
	flags.StringVar(&c.referenceID, "reference-id", "", "id of the reference; needed if one is made")
	flags.StringVar(&c.relativeFloor, "relative-floor", "0.02", "floor of the scale, relative to |mu|")
	flags.StringVar(&c.absoluteFloor, "absolute-floor", "1e-9", "floor of the scale, absolute")
	flags.StringVar(&c.name, "name", "", "beginning of the names of the files (default: the task)")
	flags.StringVarP(&c.output, "output", "o", ".", "folder that the files go to")
	cli.Required(cmd, "task", "kind")
	return cmd
}

// rules checks the flags and turns them into rules for reading the table.
func (c *conversion) rules() (rules exam.RunRules, floors exam.Floors, err error) {
	rules.Kind = exam.Kind(c.kind)
	rules.Columns = exam.RunColumns{Instance: c.instance, Status: c.status, Value: c.value, By: c.by}
	if rules.Statuses, err = mappings("map", c.statuses, outcomes); err != nil {
		return rules, floors, err
	}
	if rules.Values, err = mappings("map-value", c.values, exam.Failures); err != nil {
		return rules, floors, err
	}
	switch rules.Kind {
	case exam.Objective:
		if c.value == "" {
			rules.Columns.Value = "value"
		}
	case exam.Solve:
		if c.direction == "" {
			c.direction = string(exam.Maximize)
		}
		if c.direction != string(exam.Maximize) {
			return rules, floors, cli.Usage("--direction: a solve task is maximized")
		}
	default:
		return rules, floors, cli.Usage("--kind: found %q, expected objective or solve", c.kind)
	}
	if c.direction == "" {
		return rules, floors, cli.Usage("missing: --direction, which an objective task needs")
	}
	if d := exam.Direction(c.direction); d != exam.Maximize && d != exam.Minimize {
		return rules, floors, cli.Usage("--direction: found %q, expected maximize or minimize", c.direction)
	}
	for _, floor := range []struct {
		flag, text string
		into       *strict.Number
		zero       bool
	}{{"relative-floor", c.relativeFloor, &floors.Relative, true}, {"absolute-floor", c.absoluteFloor, &floors.Absolute, false}} {
		n, ok := strict.ParseNumber(floor.text)
		if !ok || n.Float64() < 0 || n.Float64() == 0 && !floor.zero {
			expected := "a decimal number above 0"
			if floor.zero {
				expected = "a decimal number that is not negative"
			}
			return rules, floors, cli.Usage("--%s: found %q, expected %s", floor.flag, floor.text, expected)
		}
		*floor.into = n
	}
	return rules, floors, nil
}

func (a *app) convertRuns(ctx context.Context, path string, c conversion) error {
	a.Writes = true
	rules, floors, err := c.rules()
	if err != nil {
		return err
	}
	if c.output == cli.Stdio {
		return cli.Usage("--output: the files of a conversion go to a folder, not to stdout")
	}
	if (len(c.candidates) > 0 || c.referenceID != "") && c.by == "" {
		return cli.Usage("--candidates and --reference-id are for a table of several runs: give the column that tells them apart with --by")
	}
	runs, err := cli.Parse(ctx, a.App, path, func(s *strict.Source, diags *diag.List) *exam.Runs {
		return exam.ParseRuns(s, rules, diags)
	})
	if err != nil || !a.Diags.OK() {
		return err
	}
	name := c.name
	if name == "" {
		name = c.task
	}
	var files conversionFiles
	if c.by == "" {
		files.add(name+".records.json", runs.Records("", rules.Kind))
	} else {
		candidates, rest := runs.Split(c.candidates, &a.Diags)
		for _, run := range candidates {
			files.add(name+"."+run+".records.json", runs.Records(run, rules.Kind))
		}
		if len(rest) == 0 && c.referenceID != "" {
			return cli.Usage("--reference-id: every run is a candidate, so none is left to make the reference")
		}
		if len(rest) > 0 {
			if c.referenceID == "" {
				return cli.Usage("--reference-id is required: a changed reference needs an id of its own")
			}
			ref := runs.Reference(c.referenceID, floors, c.task, rules.Kind, exam.Direction(c.direction), rest, &a.Diags)
			task := ref.Tasks[0]
			files.add(name+".reference.json", ref)
			files.note = fmt.Sprintf("reference from %s: %s scored, %d unscored\n", cli.Count(len(rest), "run"), cli.Count(len(task.Instances), "instance"), len(task.Unscored))
		}
	}
	if !a.Diags.OK() {
		return nil
	}
	for i := range files.list {
		files.list[i].name = escapeName(files.list[i].name)
	}
	if err := a.guard(ctx, c.output, files.list); err != nil {
		return err
	}
	var told strings.Builder
	for _, f := range files.list {
		to := filepath.Join(c.output, f.name)
		var b bytes.Buffer
		if err := f.content.Write(&b); err != nil {
			return err
		}
		if err := a.Write(to, b.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(&told, "wrote %s\n", to)
	}
	return a.Tell("", told.String()+files.note)
}

// conversionFiles are the files of one conversion.
type conversionFiles struct {
	list []conversionFile
	note string
}

type conversionFile struct {
	name    string
	content interface{ Write(io.Writer) error }
}

func (f *conversionFiles) add(name string, content interface{ Write(io.Writer) error }) {
	f.list = append(f.list, conversionFile{name, content})
}

// guard refuses, before anything is written, names that some file systems take
// for one, and a reference that would replace another one with the same id.
func (a *app) guard(ctx context.Context, folder string, files []conversionFile) error {
	seen := map[string]string{}
	for _, f := range files {
		folded := strings.ToLower(f.name)
		if other, twice := seen[folded]; twice {
			return cli.Usage("the names %s and %s differ only by case, which some file systems do not tell apart: rename a run", other, f.name)
		}
		seen[folded] = f.name
		ref, ok := f.content.(*exam.Reference)
		if !ok {
			continue
		}
		path := filepath.Join(folder, f.name)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		inputs := a.Inputs
		var faults diag.List
		old, err := cli.Parse(ctx, a.App, path, func(s *strict.Source, _ *diag.List) *exam.Reference { return exam.ParseReference(s, &faults) })
		if err != nil {
			return err
		}
		if old.ID == ref.ID && old.Digest() != ref.Digest() {
			return cli.Usage("%s has the id %q already and other facts: give the new reference another --reference-id, or write it to another folder", path, ref.ID)
		}
		a.Inputs = inputs // the old reference may be replaced
	}
	return nil
}

// escapeName makes a file name of what may come from a table: anything but
// letters, digits and -._ of ASCII becomes %XX.
func escapeName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
