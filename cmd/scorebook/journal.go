package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"scorebook/contest"
	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/internal/dresfile"
	"scorebook/internal/export"
	"scorebook/internal/journal"
	"scorebook/internal/service"
	"scorebook/internal/store"
)

// defaultDB is the database of a contest that names none.
const defaultDB = "scorebook.db"

// read opens a database for reading; a server may be running on it.
func (a *app) read(ctx context.Context, address string) (store.Database, error) {
	return a.open(ctx, address, store.OpenReadOnly)
}

// write opens a database that must be there for writing.
func (a *app) write(ctx context.Context, address string) (store.Database, error) {
	return a.open(ctx, address, store.Open)
}

func (a *app) open(ctx context.Context, address string, open func(context.Context, string) (store.Database, error)) (store.Database, error) {
	if _, err := os.Stat(address); !store.IsPostgres(address) && cli.Absent(err) {
		return nil, cli.Usage("--db: %w", err)
	}
	log, err := open(ctx, address)
	a.protect(address)
	return log, err
}

// protect keeps outputs from replacing a database or what lies beside it.
func (a *app) protect(db string) {
	if store.IsPostgres(db) {
		return
	}
	for _, path := range []string{db, db + "-wal", db + "-shm", db + ".lock", adminFile(db)} {
		if info, err := os.Stat(path); err == nil {
			a.Inputs = append(a.Inputs, info)
		}
	}
}

func (a *app) verifyCommand() *cobra.Command {
	var db, dump string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that a journal is whole, and that its facts give the announced scores",
		Long: `Checks the chain of hashes, replays every event, and judges every submission
again: the score must be the one that the team was told. The first record that is
not so is named. A server may be running on the database meanwhile.`,
		Example: "  scorebook verify --db contest.db\n  scorebook verify --journal journal.jsonl",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if (dump != "") == cmd.Flags().Changed("db") {
				return cli.Usage("expected --db or --journal, and not both%s", cli.HelpHint(cmd))
			}
			var log journal.Log
			if dump != "" {
				file, err := a.OpenFile(dump)
				if err != nil {
					return err
				}
				defer file.Close()
				if log, err = journal.Parse(dump, io.Reader(file)); err != nil {
					return &cli.Error{Code: cli.ExitInput, Err: err}
				}
			} else if log, err = a.read(cmd.Context(), db); err != nil {
				return err
			}
			defer closing(log, &err)
			found, err := service.Verify(cmd.Context(), log)
			if err != nil {
				return &cli.Error{Code: cli.ExitInput, Err: err}
			}
			return a.Tell("", fmt.Sprintf("the journal is whole: %s, %s judged as announced\nhead %d %s\n",
				cli.Count(found.Events, "event"), cli.Count(found.Submissions, "submission"), found.Head, found.Hash))
		},
	}
	cmd.Flags().StringVar(&db, "db", "", "database of the contest")
	cmd.Flags().StringVar(&dump, "journal", "", "journal.jsonl of an export")
	return cmd
}

// closing closes a journal, and tells if that fails.
func closing(log journal.Log, err *error) { //nolint:gocritic // it sets the error of the function that defers it
	if failed := log.Close(); failed != nil && *err == nil {
		*err = failed
	}
}

func (a *app) exportCommand() *cobra.Command {
	var db, output string
	var simulated, interactions, dres bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write journal, ground truth, rules and standings as a zip of text files",
		Long: `Writes a zip with the journal, the ground truth, the rules, the standings and every
submission. Simulated teams are left out of the tables unless --simulated is given.
With --interactions it writes the logs that teams' clients sent instead, as JSON lines;
with --dres the whole contest in the JSON that DRES gives for the download of an
evaluation, for scripts that read that.
A server may be running on the database meanwhile.`,
		Example: "  scorebook export --db contest.db --output contest.zip",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if interactions && dres {
				return cli.Usage("found --interactions and --dres, expected one of them%s", cli.HelpHint(cmd))
			}
			a.Writes = true
			log, err := a.read(cmd.Context(), db)
			if err != nil {
				return err
			}
			defer closing(log, &err)
			state, err := service.Replay(cmd.Context(), log, nil)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			switch {
			case interactions:
				err = export.Interactions(cmd.Context(), &text, log, state)
			case dres:
				err = dresfile.WriteRun(&text, state, simulated)
			default:
				err = export.Zip(cmd.Context(), &text, log, state, simulated)
			}
			if err != nil {
				return err
			}
			if err := a.Write(output, text.Bytes()); err != nil {
				return err
			}
			return a.Tell(output, fmt.Sprintf("wrote %s\n", output))
		},
	}
	cmd.Flags().StringVar(&db, "db", defaultDB, "database of the contest")
	cmd.Flags().StringVar(&output, "output", "", "the file to write, or - for stdout")
	cmd.Flags().BoolVar(&interactions, "interactions", false, "the logs of teams' clients, as JSON lines")
	cmd.Flags().BoolVar(&dres, "dres", false, "as DRES downloads an evaluation, in JSON")
	cmd.Flags().BoolVar(&simulated, "simulated", false, "with the simulated teams")
	cli.Required(cmd, "output")
	return cmd
}

func (a *app) backupCommand() *cobra.Command {
	var db, output string
	cmd := &cobra.Command{
		Use:     "backup",
		Short:   "Copy the database of a contest, also while a server is running on it",
		Long:    "Writes a consistent copy of a database to a file that does not exist yet.",
		Example: "  scorebook backup --db contest.db --output backup.db",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if store.IsPostgres(db) {
				return cli.Usage("--db: a PostgreSQL database is backed up by its own tools, such as pg_dump; scorebook copy --to FILE makes an SQLite file of its contest")
			}
			log, err := store.OpenSQLiteReadOnly(cmd.Context(), db)
			a.protect(db)
			if err != nil {
				if cli.Absent(err) {
					return cli.Usage("--db: %w", err)
				}
				return err
			}
			defer closing(log, &err)
			if _, err := os.Stat(output); !cli.Absent(err) {
				return cli.Usage("--output %s: found a file there, expected none: a backup replaces nothing", output)
			}
			if err := log.Backup(cmd.Context(), output); err != nil {
				return err
			}
			return a.Tell("", fmt.Sprintf("wrote %s\n", output))
		},
	}
	cmd.Flags().StringVar(&db, "db", defaultDB, "database of the contest")
	cmd.Flags().StringVar(&output, "output", "", "the file to write")
	cli.Required(cmd, "output")
	return cmd
}

func (a *app) tokenCommand() *cobra.Command {
	var db, team string
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Replace the admin token, or the token of a team",
		Long: `Makes a new token and shows it once; the old one is worth nothing from then on.
Without --team it is the admin's. No server may be running on the database: while
one is, the control room and POST /admin/teams/ID/rotate-token do it.`,
		Example: "  scorebook token rotate --db contest.db\n  scorebook token rotate --db contest.db --team \"Team One\"",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			log, err := a.write(cmd.Context(), db)
			if err != nil {
				return err
			}
			defer closing(log, &err)
			token := newToken()
			if team == "" && store.IsPostgres(db) {
				return cli.Usage("the admin token of a contest in PostgreSQL is what %s says to every server: change it there; --team makes one for a team", adminVariable)
			}
			if team == "" {
				if err := keepAdminToken(db, token); err != nil {
					return err
				}
				return a.show("admin token  %s", token)
			}
			svc, err := service.New(cmd.Context(), log, contest.Open{}, service.Options{})
			if err != nil {
				return err
			}
			defer svc.Close()
			id, err := findTeam(svc, team)
			if err != nil {
				return err
			}
			if _, err := svc.Do(cmd.Context(), contest.RotateToken{Team: id, TokenHash: service.HashToken(token)}, svc.Now()); err != nil {
				return err
			}
			return a.show("token of %s  %s", diag.Printable(team), token)
		},
	}
	rotate.Flags().StringVar(&db, "db", defaultDB, "database of the contest")
	rotate.Flags().StringVar(&team, "team", "", "name or id of a team")
	cmd := &cobra.Command{Use: "token", Short: "Replace tokens", Args: cli.Subcommands, RunE: cli.ShowHelp}
	cmd.AddCommand(rotate)
	return cmd
}

// show tells what nothing else knows, also if no table is wanted.
func (a *app) show(format string, args ...any) error {
	if _, err := fmt.Fprintf(a.Stdout, format+"\n", args...); err != nil {
		return fmt.Errorf("write stdout: %w", err)
	}
	return nil
}

// findTeam returns the team with an id, or with a name that looks like the
// given one.
func findTeam(svc *service.Service, given string) (id contest.TeamID, err error) {
	svc.Read(func(state *contest.State) {
		for _, team := range state.Teams() {
			if string(team.ID) == given || contest.NameKey(team.Name) == contest.NameKey(given) {
				id = team.ID
			}
		}
	})
	if id == "" {
		return "", cli.Usage("--team: there is no team %q in this contest", given)
	}
	return id, nil
}
