package main

import (
	"github.com/spf13/cobra"

	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/report"
)

func (a *app) explainCommand() *cobra.Command {
	var in solverInput
	var instance string
	cmd := &cobra.Command{
		Use:   "explain --task NAME --records FILE --reference NAME --instance NAME",
		Short: "Show the arithmetic of one instance, step by step",
		Long: `Prints the fixed outcomes, mu, s, the floors and which of them set the scale,
then z, the score and what it contributes to the mean of the task, and what a
perfect candidate could reach.`,
		Example: "  tcsexam explain --task maxcut-mqlib --records records.json --reference lite --instance example-1",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.loadSolver(cmd.Context(), in)
			if err != nil || s.task == nil {
				return err
			}
			e := exam.Explain(s.ref, s.task, s.records, instance, &a.Diags)
			if e == nil {
				return nil
			}
			a.Quiet = false // here the text is the result
			return a.Tell("", report.Explanation(e))
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&instance, "instance", "", "eligible instance to explain")
	cli.Required(cmd, append(solverNeeds, "instance")...)
	return cmd
}
