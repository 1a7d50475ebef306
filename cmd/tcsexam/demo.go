package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
	"scorebook/internal/sample"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Unpack a sample benchmark and run the whole chain on it",
		Long: `Unpacks a sample into DIR (default tcsexam-demo), checks it, scores the records
of three models at five solver tasks, aggregates their attempts into the Index,
explains one instance, and makes a page of the Index and of one model's scores.
The solver records are real runs of HiGHS on MIPLIB 2017; the rest is made up.
It is a sample and not the official suite.`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "tcsexam-demo"
			if len(args) == 1 {
				dir = args[0]
			}
			if dir == "" {
				return cli.Usage("found an empty name of a folder%s", cli.HelpHint(cmd))
			}
			return a.demo(cmd.Context(), dir)
		},
	}
}

// demoScore is a solver-score run of the demo.
type demoScore struct{ model, task string }

func (a *app) demo(ctx context.Context, dir string) error {
	if err := a.unpack(dir); err != nil {
		return err
	}
	in := func(name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	scores, err := demoScores()
	if err != nil {
		return err
	}
	d := demo{app: a, ctx: ctx}
	d.say("A sample benchmark now lies in %s. It is a sample and not the official suite:\nits solver records are real runs of HiGHS on MIPLIB 2017, the rest is made up.", dir)
	d.say("\nWhat it holds is valid, and fits together:")
	d.run("check", in("sample.suite.json"), in("sample.reference.json"), in("cohort.json"), in("attempts.csv"))
	d.say("\nSolver records become scores relative to the fixed reference:")
	score := func(s demoScore) []string {
		name := s.model + "." + s.task + ".json"
		return []string{
			"solver-score", "--task", s.task, "--records", in("records", name),
			"--reference", "sample", "--data", dir, "--output", in("evidence", name),
		}
	}
	shown := demoScore{"sample-alpha", "sample-miplib-primal"}
	d.run(score(shown)...)
	for _, s := range scores {
		if s != shown {
			d.runQuietly(score(s)...)
		}
	}
	d.say("... and the other %s in %s likewise.", cli.Count(len(scores)-1, "file"), in("records"))
	d.say("\nThe table of attempts becomes the Index; every solver row is backed by one of the files above:")
	d.run("score", "--suite", "sample", "--data", dir, "--attempts", in("attempts.csv"), "--cohort", in("cohort.json"),
		"--evidence", in("evidence"), "--output", in("index.json"))
	d.say("\nEvery score can be explained:")
	d.show("explain", "--task", "sample-miplib-primal", "--records", in("records", "sample-alpha.sample-miplib-primal.json"),
		"--reference", "sample", "--data", dir, "--instance", "50v-10")
	d.say("\nA page shows the Index, and where the scores of one model come from:")
	page := []string{"report", in("index.json")}
	for _, s := range scores {
		if s.model == shown.model {
			page = append(page, in("evidence", s.model+"."+s.task+".json"))
		}
	}
	d.run(append(page, "--html", in("report.html"))...)
	d.say("\nWhere everything lies:\n  %s  the page: open it in a browser\n  %s  what each file is\n  %s  the Index of the three models\n  %s  the scores behind it, one file for each model and task",
		in("report.html"), in("README.md"), in("index.json"), in("evidence"))
	return d.err
}

// demo runs the program's own commands and shows them as they would be typed.
type demo struct {
	*app
	ctx context.Context
	err error
}

func (d *demo) say(format string, args ...any) {
	if d.err == nil && !d.Quiet {
		_, d.err = fmt.Fprintf(d.Stdout, format+"\n", args...)
	}
}

// run shows a command as it would be typed, and runs it.
func (d *demo) run(args ...string) {
	typed := make([]string, len(args))
	for i, arg := range args {
		if typed[i] = arg; strings.ContainsAny(arg, " \"'$\\") {
			typed[i] = strconv.Quote(arg)
		}
	}
	d.say("$ tcsexam %s", strings.Join(typed, " "))
	if d.Quiet {
		args = append(args, "--quiet")
	}
	d.call(args)
}

// show is run for a command that does nothing but print.
func (d *demo) show(args ...string) {
	if !d.Quiet {
		d.run(args...)
	}
}

func (d *demo) runQuietly(args ...string) { d.call(append(args, "--quiet")) }

func (d *demo) call(args []string) {
	if d.err != nil {
		return
	}
	args = append(args, "--diagnostics", d.Diagnostics)
	if code := run(d.ctx, args, strings.NewReader(""), d.Stdout, d.Stderr); code != cli.ExitOK && d.err == nil {
		d.err = &cli.Error{Code: code, Err: fmt.Errorf("the demo stops here: tcsexam %s ended with exit code %d", args[0], code)}
	}
}

// unpack writes the sample's files. A folder with other files is left alone.
func (a *app) unpack(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.NotThere(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sample.suite.json")); len(entries) > 0 && err != nil {
		return cli.Usage("%s is not empty and no folder of an earlier demo: name another folder", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, "evidence"), 0o755); err != nil {
		return err
	}
	files := sample.Files()
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		if old, err := os.ReadFile(to); err == nil && !bytes.Equal(old, content) {
			return cli.Usage("%s was changed since it was unpacked, and is left alone: name another folder, or remove it", to)
		}
		return a.Write(to, content)
	})
}

// demoScores lists the records of the sample by their file names.
func demoScores() ([]demoScore, error) {
	entries, err := fs.ReadDir(sample.Files(), "records")
	if err != nil {
		return nil, err
	}
	var scores []demoScore
	for _, e := range entries {
		model, task, ok := strings.Cut(strings.TrimSuffix(e.Name(), ".json"), ".")
		if !ok {
			return nil, fmt.Errorf("sample: unexpected file %s", e.Name())
		}
		scores = append(scores, demoScore{model, task})
	}
	return scores, nil
}
