package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"scorebook/exam"
	"scorebook/internal/cli"
)

func (a *app) convertMergeCommand() *cobra.Command {
	var id, output string
	cmd := &cobra.Command{
		Use:   "merge REFERENCE.json... --reference-id ID --output FILE",
		Short: "Make one reference of the tasks of several",
		Long: `A suite has one reference for all of its solver tasks, and convert runs makes one
for each. The tasks must have different names, and the floors must be equal,
since they hold for a whole reference.`,
		Example: "  tcsexam convert merge maxcut.reference.json sat.reference.json --reference-id mine-2026 --output data/mine.reference.json",
		Args:    cli.Arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Writes = true
			var parts []*exam.Reference
			for _, path := range args {
				part, err := cli.Parse(cmd.Context(), a.App, path, exam.ParseReference)
				if err != nil {
					return err
				}
				parts = append(parts, part)
			}
			if !a.Diags.OK() {
				return nil
			}
			merged := exam.MergeReferences(id, parts, &a.Diags)
			if !a.Diags.OK() {
				return nil
			}
			if output != cli.Stdio {
				if err := a.guard(cmd.Context(), filepath.Dir(output), []conversionFile{{filepath.Base(output), merged}}); err != nil {
					return err
				}
			}
			var b bytes.Buffer
			if err := merged.Write(&b); err != nil {
				return err
			}
			if err := a.Write(output, b.Bytes()); err != nil {
				return err
			}
			return a.Tell(output, fmt.Sprintf("wrote %s: reference %s with %s\n", output, id, cli.Count(len(merged.Tasks), "task")))
		},
	}
	cmd.Flags().StringVar(&id, "reference-id", "", "id of the new reference")
	cmd.Flags().StringVarP(&output, "output", "o", "", "where the reference goes (- for stdout)")
	cli.Required(cmd, "reference-id", "output")
	return cmd
}
