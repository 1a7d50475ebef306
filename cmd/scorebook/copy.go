package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"scorebook/internal/cli"
	"scorebook/internal/store"
)

func (a *app) copyCommand() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy",
		Short: "Copy a contest from a file to PostgreSQL, or the other way round",
		Long: `Copies the journal of a contest, the passwords of its teams and the logs of their
clients into a database that has no contest yet. Every hash and every receipt stays. What
servers record meanwhile may be missing: stop them first if the copy is to take over.`,
		Example: "  scorebook copy --from friday.db --to 'postgres://scorebook@db.example/contests?contest=friday'",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if _, err := os.Stat(from); !store.IsPostgres(from) && cli.Absent(err) {
				return cli.Usage("--from: %w", err)
			}
			source, err := store.OpenReadOnly(cmd.Context(), from)
			if err != nil {
				return err
			}
			defer closing(source, &err)
			target, err := store.Open(cmd.Context(), to)
			if err != nil {
				return err
			}
			defer closing(target, &err)
			c, err := store.Copy(cmd.Context(), source, target)
			if err != nil {
				return err
			}
			return a.Tell("", fmt.Sprintf("copied %s, %s and %s\nhead %d %s\n", cli.Count(c.Records, "event"), cli.Count(c.Passwords, "password"), cli.Count(c.Interactions, "log"), c.Head, c.Hash))
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "database of the contest")
	cmd.Flags().StringVar(&to, "to", "", "database without a contest")
	cli.Required(cmd, "from", "to")
	return cmd
}
