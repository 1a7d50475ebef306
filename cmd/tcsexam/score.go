package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/report"
)

// indexInput names the inputs of score.
type indexInput struct {
	suite, attempts, cohort, evidence string
}

func (a *app) scoreCommand() *cobra.Command {
	var in indexInput
	var output string
	var requireComplete bool
	cmd := &cobra.Command{
		Use:   "score --suite NAME --attempts FILE --cohort FILE --output FILE",
		Short: "Aggregate a table of attempts into the Index of each model",
		Long: `Averages the adopted repetitions of each task, then the tasks of each track
equally, and adds 30, 30, 30 and 10 points for the theorem, solver, construction
and open tracks. A model that lacks a planned result is incomplete: it has no
Index, and the output names everything that is missing.`,
		Example: "  tcsexam score --suite lite --attempts attempts.csv --cohort cohort.json --output build/index.json",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.Writes = true
			result, err := a.computeIndex(cmd.Context(), in)
			if err != nil || result == nil {
				return err
			}
			if err := a.writeResult(output, result); err != nil {
				return err
			}
			if err := a.Tell(output, report.Index(result)); err != nil {
				return err
			}
			if requireComplete {
				return incomplete(result)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&in.suite, "suite", "", "suite: a name looked up in --data, or a path to its manifest")
	flags.StringVar(&in.attempts, "attempts", "", "CSV table of attempts (- for stdin)")
	flags.StringVar(&in.cohort, "cohort", "", "JSON file that declares models and planned repetitions (- for stdin)")
	flags.StringVar(&in.evidence, "evidence", "", "folder of solver-score outputs: every adopted solver row must be backed by one")
	flags.BoolVar(&requireComplete, "require-complete", false, "exit with 3 if a model is incomplete; the output is written all the same")
	flags.StringVarP(&output, "output", "o", "", "where the JSON goes (- for stdout)")
	cli.Required(cmd, "suite", "attempts", "cohort", "output")
	return cmd
}

// incomplete returns an error that names the models without an Index, if any.
func incomplete(result *exam.IndexResult) error {
	var names []string
	for name, m := range result.Models {
		if m.Status == exam.Incomplete {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return &cli.Error{Code: cli.ExitIncomplete, Err: fmt.Errorf("incomplete: %s", strings.Join(names, ", "))}
}

// computeIndex computes what score publishes; it is nil after a fault of the
// input.
func (a *app) computeIndex(ctx context.Context, in indexInput) (*exam.IndexResult, error) {
	suite, ref, err := a.suite(ctx, in.suite)
	if err != nil {
		return nil, err
	}
	cohort, err := cli.Parse(ctx, a.App, in.cohort, exam.ParseCohort)
	if err != nil {
		return nil, err
	}
	asked := in.suite
	if isPath(asked) {
		asked = ""
	}
	fit := a.Diags.OK()
	cohort.CheckSuite(suite, asked, &a.Diags)
	attempts, err := cli.Parse(ctx, a.App, in.attempts, exam.ParseAttempts)
	if err != nil {
		return nil, err
	}
	if fit {
		attempts.Check(suite, cohort, &a.Diags)
	}
	referenceDigest := ""
	if in.evidence != "" {
		if ref != nil {
			referenceDigest = ref.Digest()
		}
		before := a.Diags.Errors()
		evidence, err := a.evidence(ctx, in.evidence)
		if err != nil {
			return nil, err
		}
		if fit && a.Diags.Errors() == before { // else it is not known what the faulty files would back
			referenceDigest = attempts.CheckEvidence(cohort, evidence, referenceDigest, &a.Diags)
		}
	}
	if !a.Diags.OK() {
		return nil, nil
	}
	result := exam.ComputeIndex(suite, cohort, attempts, &a.Diags)
	if result == nil {
		return nil, nil
	}
	result.Provenance = provenance()
	result.Provenance.ReferenceSHA256 = referenceDigest
	result.Provenance.SuiteSHA256 = suite.Digest()
	result.Provenance.AttemptsSHA256 = attempts.Digest()
	result.Provenance.CohortSHA256 = cohort.Digest()
	return result, nil
}

// evidence reads the solver-score outputs of a folder: its files that end in
// .json, in the order of their names.
func (a *app) evidence(ctx context.Context, dir string) ([]*exam.Evidence, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, cli.NotThere(err)
	}
	var all []*exam.Evidence
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || filepath.Ext(path) != ".json" {
			continue
		}
		before := a.Diags.Errors()
		e, err := cli.Parse(ctx, a.App, path, exam.ParseEvidence)
		if err == nil && a.Diags.Errors() == before {
			_, err = cli.Parse(ctx, a.App, path, exam.ParseSolverResult) // what backs a score must be whole
		}
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}
