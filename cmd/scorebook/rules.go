package main

import (
	"strings"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
	"scorebook/retrieval"
)

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules [NAME|FILE]",
		Short: "List the presets, or show all parameters of a ruleset",
		Long: `Without an argument the names of the presets; with one, the ruleset with all its
parameters, as a file that can be changed and given to --rules.`,
		Example: "  scorebook rules aic2025 > my.yaml",
		Args:    cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.Tell("", strings.Join(retrieval.Presets(), "\n")+"\n")
			}
			rules, err := a.rules(cmd.Context(), args[0])
			if err != nil || !a.Diags.OK() {
				return err
			}
			return retrieval.WriteRuleset(a.Stdout, &rules)
		},
	}
}
