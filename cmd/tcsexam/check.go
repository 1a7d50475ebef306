package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/internal/report"
	"scorebook/strict"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Validate files of any format, and their fit to each other",
		Long: `Recognises manifests, references, records, tables of attempts, cohorts and
outputs by their content, reports every fault in each, and whether they fit each
other where there is one of a kind. Nothing is computed. The digest shown for an
input is the one that outputs name under provenance.`,
		Example: "  tcsexam check records.json\n  tcsexam check lite.suite.json lite.reference.json cohort.json attempts.csv records.json",
		Args:    cli.Arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := checker{app: a, ctx: cmd.Context()}
			for _, path := range args {
				if err := c.load(path); err != nil {
					return err
				}
			}
			if a.Diags.OK() {
				c.fit()
			}
			if !a.Diags.OK() {
				return nil
			}
			return a.Tell("", report.Files(c.files, c.notes))
		},
	}
}

// checker holds the files of one check.
type checker struct {
	*app
	ctx   context.Context
	files []report.File

	suites        []*exam.Suite
	references    []*exam.Reference
	cohorts       []*exam.Cohort
	records       []*exam.Records
	attempts      []*exam.Attempts
	solverResults []named[*exam.SolverResult]
	indexResults  []named[*exam.IndexResult]
	notes         []string // what was held against what
}

// named is an output with the path that it was read from.
type named[T any] struct {
	path   string
	result T
}

// load reads one file; what is wrong with it is in the diagnostics.
func (c *checker) load(path string) error {
	before := c.Diags.Errors()
	if err := c.buffer(c.ctx, path); err != nil || c.Diags.Errors() > before {
		return err
	}
	format, err := cli.Parse(c.ctx, c.App, path, func(s *strict.Source, _ *diag.List) exam.Format { return exam.Recognise(s) })
	if err != nil {
		return err
	}
	file := report.File{Path: path, Format: format}
	about := func(format string, args ...any) { file.Content = fmt.Sprintf(format, args...) }
	switch format {
	case exam.FormatNone:
		err = keep(c, path, exam.ReportUnrecognised, func(exam.Format) {})
	case exam.FormatSuite:
		err = keep(c, path, exam.ParseSuite, func(s *exam.Suite) {
			c.suites = append(c.suites, s)
			file.Digest = s.Digest()
			about("suite %s, %s", s.Name, cli.Count(s.Size(), "task"))
		})
	case exam.FormatReference:
		err = keep(c, path, exam.ParseReference, func(r *exam.Reference) {
			c.references = append(c.references, r)
			file.Digest = r.Digest()
			about("%s, %s", r.ID, cli.Count(len(r.Tasks), "task"))
		})
	case exam.FormatRecords:
		err = keep(c, path, exam.ParseRecords, func(r *exam.Records) {
			c.records = append(c.records, r)
			file.Digest = r.Digest()
			about("%s", cli.Count(r.Len(), "record"))
		})
	case exam.FormatAttempts:
		err = keep(c, path, exam.ParseAttempts, func(t *exam.Attempts) {
			c.attempts = append(c.attempts, t)
			file.Digest = t.Digest()
			about("%s", cli.Count(len(t.Rows), "row"))
		})
	case exam.FormatCohort:
		err = keep(c, path, exam.ParseCohort, func(h *exam.Cohort) {
			c.cohorts = append(c.cohorts, h)
			file.Digest = h.Digest()
			about("suite %s, %s", h.Suite, cli.Count(len(h.Models), "model"))
		})
	case exam.FormatSolverResult:
		err = keep(c, path, exam.ParseSolverResult, func(r *exam.SolverResult) {
			c.solverResults = append(c.solverResults, named[*exam.SolverResult]{path, r})
			about("task %s, relative score %v", r.Task, r.RelativeScore)
		})
	case exam.FormatIndexResult:
		err = keep(c, path, exam.ParseIndexResult, func(r *exam.IndexResult) {
			c.indexResults = append(c.indexResults, named[*exam.IndexResult]{path, r})
			about("suite %s, %s", r.Suite, cli.Count(len(r.Models), "model"))
		})
	}
	c.files = append(c.files, file)
	return err
}

// keep reads a file and, if it has no fault, hands its value on.
func keep[T any](c *checker, path string, parser func(*strict.Source, *diag.List) T, use func(T)) error {
	before := c.Diags.Errors()
	value, err := cli.Parse(c.ctx, c.App, path, parser)
	if err == nil && c.Diags.Errors() == before {
		use(value)
	}
	return err
}

// only returns the one file of its kind, or nil. If there are several it is not
// known which belongs to the others, and that is noted.
func only[T any](c *checker, what string, files []*T) *T {
	if len(files) == 1 {
		return files[0]
	}
	if len(files) > 1 {
		c.notes = append(c.notes, fmt.Sprintf("%d %s were given, so nothing was held against them", len(files), what))
	}
	return nil
}

// fit checks the files against each other.
func (c *checker) fit() {
	suite := only(c, "manifests", c.suites)
	ref := only(c, "references", c.references)
	cohort := only(c, "cohorts", c.cohorts)
	attempts := only(c, "tables of attempts", c.attempts)
	if suite != nil && ref != nil {
		suite.CheckReference(ref, &c.Diags)
	}
	if ref != nil {
		for _, r := range c.records {
			if t := ref.FitRecords(r, &c.Diags); t != nil {
				c.notes = append(c.notes, fmt.Sprintf("%s holds records of the task %s", r.File, t.Name))
			}
		}
		for _, r := range c.solverResults {
			r.result.CheckReference(r.path, ref, &c.Diags)
		}
	}
	if suite != nil && cohort != nil {
		cohort.CheckSuite(suite, "", &c.Diags)
	}
	if suite != nil && cohort != nil && attempts != nil {
		attempts.Check(suite, cohort, &c.Diags)
	}
	for _, r := range c.indexResults {
		if suite != nil {
			r.result.CheckSuite(r.path, suite, &c.Diags)
		}
		r.result.CheckFacts(r.path, attempts, cohort, &c.Diags)
	}
}
