package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/internal/dresfile"
	"scorebook/retrieval"
	"scorebook/strict"
)

func (a *app) importCommand() *cobra.Command {
	var output string
	dres := &cobra.Command{
		Use:   "dres TEMPLATE.json",
		Short: "Make a contest file and a table of questions from an evaluation template of DRES",
		Long: `Reads an evaluation template that DRES has exported, and writes contest.yaml and
questions.csv into a folder. What cannot be carried over is listed as warnings:
hints, tasks that a jury decides, further targets of a task, and more.`,
		Example: "  scorebook import dres template.json --output friday\n  scorebook serve --config friday/contest.yaml --db friday.db",
		Args:    cli.Arguments(1, 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.importDRES(cmd.Context(), args[0], output) },
	}
	dres.Flags().StringVar(&output, "output", "", "folder to write to (default: named like the template, beside it)")
	cmd := &cobra.Command{Use: "import", Short: "Make a contest from files of other systems", Args: cli.Subcommands, RunE: cli.ShowHelp}
	cmd.AddCommand(dres)
	return cmd
}

func (a *app) importDRES(ctx context.Context, path, output string) error {
	a.Writes = true
	if output == "" {
		if path == cli.Stdio {
			return cli.Usage("--output: found none, expected the folder to write to")
		}
		if output = strings.TrimSuffix(path, filepath.Ext(path)); output == path {
			output += "-contest"
		}
	}
	c, err := cli.Parse(ctx, a.App, path, func(src *strict.Source, diags *diag.List) *dresfile.Contest {
		c, _ := dresfile.ReadContest(src, diags)
		return c
	})
	if err != nil || c == nil {
		return err
	}
	const table = "questions.csv"
	var questions bytes.Buffer
	if err := retrieval.WriteGroundTruth(&questions, c.Questions); err != nil {
		return err
	}
	files := []struct {
		path string
		text []byte
	}{{filepath.Join(output, "contest.yaml"), c.YAML(table)}, {filepath.Join(output, table), questions.Bytes()}}
	for _, file := range files {
		if _, err := os.Stat(file.path); !cli.Absent(err) {
			return cli.Usage("%s is there already, and an import replaces nothing: give another folder with --output", file.path)
		}
	}
	for _, file := range files {
		if err := a.Write(file.path, file.text); err != nil {
			return err
		}
	}
	return a.Tell("", fmt.Sprintf("wrote %s: %s\nwrote %s: %s\n", files[0].path, cli.Count(len(c.Teams), "team"), files[1].path, describe(c.Questions)))
}
