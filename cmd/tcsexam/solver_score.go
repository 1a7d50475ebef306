package main

import (
	"context"

	"github.com/spf13/cobra"

	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/report"
)

// solverInput names the inputs of solver-score and explain.
type solverInput struct {
	task, records, reference, suite string
}

func (in *solverInput) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&in.task, "task", "", "task of the reference")
	flags.StringVar(&in.records, "records", "", "JSON list of instance records (- for stdin)")
	flags.StringVar(&in.reference, "reference", "", "reference: a name looked up in --data, or a path")
	flags.StringVar(&in.suite, "suite", "", "suite that the reference belongs to: a name looked up in --data, or a path (default: the manifest beside the reference, if there is one)")
}

// solverNeeds are the flags that solverInput cannot do without.
var solverNeeds = []string{"task", "records", "reference"}

func (a *app) solverScoreCommand() *cobra.Command {
	var in solverInput
	var output string
	cmd := &cobra.Command{
		Use:   "solver-score --task NAME --records FILE --reference NAME --output FILE",
		Short: "Score instance records relative to a fixed reference",
		Long: `Each eligible instance scores Phi(z), where z is how many scales the value is
better than the mean of the reference's outcomes; a failure scores 0. The
relative score of the task is the mean over all eligible instances.`,
		Example: "  tcsexam solver-score --task maxcut-mqlib --records records.json --reference lite --output build/maxcut.json",
		Args:    cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.Writes = true
			result, err := a.scoreSolver(cmd.Context(), in)
			if err != nil || result == nil {
				return err
			}
			if err := a.writeResult(output, result); err != nil {
				return err
			}
			return a.Tell(output, report.Solver(result))
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "where the JSON goes (- for stdout)")
	cli.Required(cmd, append(solverNeeds, "output")...)
	return cmd
}

// scoreSolver computes what solver-score publishes; it is nil after a fault of
// the input.
func (a *app) scoreSolver(ctx context.Context, in solverInput) (*exam.SolverResult, error) {
	s, err := a.loadSolver(ctx, in)
	if err != nil || s.task == nil {
		return nil, err
	}
	result := exam.ScoreSolver(s.ref, s.task, s.records, &a.Diags)
	if result != nil {
		s.describe(result)
	}
	return result, nil
}

// solverFiles are the parsed inputs of solver-score and explain; task is nil
// if the reference cannot be used.
type solverFiles struct {
	ref     *exam.Reference
	suite   *exam.Suite // or nil
	task    *exam.Task
	records *exam.Records
}

// loadSolver reads everything before it looks for what is missing, so that
// every fault of every file is reported.
func (a *app) loadSolver(ctx context.Context, in solverInput) (*solverFiles, error) {
	ref, suite, err := a.reference(ctx, in.reference, in.suite)
	if err != nil {
		return nil, err
	}
	usable := a.Diags.OK()
	records, err := cli.Parse(ctx, a.App, in.records, exam.ParseRecords)
	if err != nil {
		return nil, err
	}
	s := &solverFiles{ref: ref, suite: suite, records: records}
	if !usable {
		return s, nil
	}
	s.task = ref.FindTask(in.task, &a.Diags)
	if in.suite != "" && s.task != nil {
		suite.CheckSolverTask(in.task, &a.Diags)
	}
	return s, nil
}

// describe adds where a result comes from.
func (s *solverFiles) describe(result *exam.SolverResult) {
	if s.suite != nil && s.suite.Has(exam.Solver, result.Task) {
		result.Suite = s.suite.Name
	}
	result.Provenance = provenance()
	result.Provenance.RecordsSHA256 = s.records.Digest()
	result.Provenance.ReferenceSHA256 = s.ref.Digest()
}

func provenance() exam.Provenance {
	return exam.Provenance{Tool: "tcsexam", Version: toolVersion}
}
