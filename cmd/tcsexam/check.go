package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"scorebook/exam"
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
		Args:    arguments(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := checker{app: a, ctx: cmd.Context()}
			for _, path := range args {
				if err := c.load(path); err != nil {
					return err
				}
			}
			if a.diags.OK() {
				c.fit()
			}
			if !a.diags.OK() {
				return nil
			}
			return a.tell("", report.Files(c.files))
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
	solverResults map[string]*exam.SolverResult
	indexResults  map[string]*exam.IndexResult
}

// load reads one file; what is wrong with it is in the diagnostics.
func (c *checker) load(path string) error {
	before := c.diags.Errors()
	if err := c.buffer(path); err != nil || c.diags.Errors() > before {
		return err
	}
	format, err := parse(c.ctx, c.app, path, exam.Recognise)
	if err != nil {
		return err
	}
	file := report.File{Path: path, Format: format}
	switch format {
	case exam.FormatNone:
		_, err = parse(c.ctx, c.app, path, func(s *strict.Source) struct{} {
			exam.ReportUnrecognised(s, &c.diags)
			return struct{}{}
		})
	case exam.FormatSuite:
		var s *exam.Suite
		if s, err = c.parseSuite(c.ctx, path); err == nil {
			c.suites = append(c.suites, s)
			file.Content, file.Digest = fmt.Sprintf("suite %s, %s", s.Name, count(s.Size(), "task")), s.Digest()
		}
	case exam.FormatReference:
		var r *exam.Reference
		if r, err = c.parseReference(c.ctx, path); err == nil {
			c.references = append(c.references, r)
			file.Content, file.Digest = fmt.Sprintf("%s, %s", r.ID, count(len(r.Tasks), "task")), r.Digest()
		}
	case exam.FormatRecords:
		var r *exam.Records
		if r, err = c.parseRecords(c.ctx, path); err == nil {
			c.records = append(c.records, r)
			file.Content, file.Digest = count(r.Len(), "record"), r.Digest()
		}
	case exam.FormatAttempts:
		var t *exam.Attempts
		if t, err = c.parseAttempts(c.ctx, path); err == nil {
			c.attempts = append(c.attempts, t)
			file.Content, file.Digest = count(len(t.Rows), "row"), t.Digest()
		}
	case exam.FormatCohort:
		var h *exam.Cohort
		if h, err = c.parseCohort(c.ctx, path); err == nil {
			c.cohorts = append(c.cohorts, h)
			file.Content, file.Digest = fmt.Sprintf("suite %s, %s", h.Suite, count(len(h.Models), "model")), h.Digest()
		}
	case exam.FormatSolverResult:
		var r *exam.SolverResult
		r, err = parse(c.ctx, c.app, path, func(s *strict.Source) *exam.SolverResult { return exam.ParseSolverResult(s, &c.diags) })
		if err == nil && r != nil {
			if c.solverResults == nil {
				c.solverResults = map[string]*exam.SolverResult{}
			}
			c.solverResults[path] = r
			file.Content = fmt.Sprintf("task %s, relative score %v", r.Task, r.RelativeScore)
		}
	case exam.FormatIndexResult:
		var r *exam.IndexResult
		r, err = parse(c.ctx, c.app, path, func(s *strict.Source) *exam.IndexResult { return exam.ParseIndexResult(s, &c.diags) })
		if err == nil && r != nil {
			if c.indexResults == nil {
				c.indexResults = map[string]*exam.IndexResult{}
			}
			c.indexResults[path] = r
			file.Content = fmt.Sprintf("suite %s, %s", r.Suite, count(len(r.Models), "model"))
		}
	}
	if c.diags.Errors() == before {
		c.files = append(c.files, file)
	}
	return err
}

// buffer reads an input whole that cannot be opened again, such as a pipe: its
// format is found first, and then it is read from its beginning.
func (c *checker) buffer(path string) error {
	if path != stdio {
		info, err := os.Stat(path)
		if err != nil {
			return notThere(err)
		}
		if info.Mode().IsRegular() || info.IsDir() {
			return nil
		}
	}
	type content struct {
		bytes []byte
		err   error
	}
	read, err := parse(c.ctx, c.app, path, func(s *strict.Source) content {
		b, err := io.ReadAll(s)
		if s.TooLarge(&c.diags) {
			err = nil
		}
		return content{b, err}
	})
	if err := errors.Join(err, read.err); err != nil {
		return err
	}
	if c.buffered == nil {
		c.buffered = map[string][]byte{}
	}
	c.buffered[path] = read.bytes
	return nil
}

// fit checks the files against each other. Of a format that several files have
// it is not known which belongs to which, so none of them is.
func (c *checker) fit() {
	var suite *exam.Suite
	var ref *exam.Reference
	if len(c.suites) == 1 {
		suite = c.suites[0]
	}
	if len(c.references) == 1 {
		ref = c.references[0]
	}
	if suite != nil && ref != nil {
		suite.CheckReference(ref, &c.diags)
	}
	if ref != nil {
		for _, r := range c.records {
			ref.FitRecords(r, &c.diags)
		}
		for _, f := range c.files {
			if r := c.solverResults[f.Path]; r != nil {
				r.CheckReference(f.Path, ref, &c.diags)
			}
		}
	}
	if suite != nil {
		for _, h := range c.cohorts {
			h.CheckSuite(suite, "", &c.diags)
		}
		for _, f := range c.files {
			if r := c.indexResults[f.Path]; r != nil {
				r.CheckSuite(f.Path, suite, &c.diags)
			}
		}
		if len(c.cohorts) == 1 {
			for _, t := range c.attempts {
				t.Check(suite, c.cohorts[0], &c.diags)
			}
		}
	}
}
