package exam

import (
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// Bounds on what a cohort may plan, since a result names every repetition that
// is missing.
const (
	MaxAttempts = 1000      // repetitions of a task
	MaxPlanned  = 1_000_000 // repetitions of all tasks of the suite by all models
)

// Cohort declares what was planned before any result was known: the suite, the
// reference and protocol of its solver attempts, and the models with their
// repetitions.
type Cohort struct {
	File        string
	Suite       string
	Protocol    Protocol
	ReferenceID string
	Models      []Model // by name; at least one
	suiteAt     strict.Place
	referenceAt strict.Place
	modelsAt    strict.Place
}

// Model is a competitor of a cohort.
type Model struct {
	Name            string
	AttemptsPerTask int // planned repetitions of every task, from 1 to MaxAttempts
}

// ParseCohort reads a cohort. It reports every fault; the result is complete
// only if there was none.
func ParseCohort(src *strict.Source, diags *diag.List) *Cohort {
	c := &Cohort{File: src.File()}
	j := strict.NewJSON(src, diags, CodeCohortInvalid)
	var m Model
	model := strict.NewShape("model", strict.Field{Name: "attempts_per_task", Read: func(j *strict.JSON) {
		n, at, ok := j.Number(CodeCohortInvalid, "attempts_per_task")
		if !ok {
			return
		}
		q := decimal(n)
		if q.IsInt() && q.Num().IsInt64() {
			m.AttemptsPerTask = int(q.Num().Int64())
		}
		if m.AttemptsPerTask < 1 || m.AttemptsPerTask > MaxAttempts {
			m.AttemptsPerTask = 1 // so that what is planned can still be looked at
			j.Fault(at, CodeCohortInvalid, "attempts_per_task: found %s, expected a whole number from 1 to %d", n, MaxAttempts)
		}
	}})
	j.Object(strict.NewShape("cohort",
		strict.Field{Name: "suite", Read: func(j *strict.JSON) {
			c.suiteAt = j.Here()
			c.Suite = readName(j, "suite", CodeCohortInvalid)
		}},
		strict.Field{Name: "solver_protocol", Read: func(j *strict.JSON) {
			c.Protocol = oneOf(j, CodeCohortInvalid, "solver_protocol", Online, Offline)
		}},
		strict.Field{Name: "solver_reference_id", Read: func(j *strict.JSON) {
			c.referenceAt = j.Here()
			c.ReferenceID = readName(j, "solver_reference_id", CodeCohortInvalid)
		}},
		strict.Field{Name: "models", Read: func(j *strict.JSON) {
			c.modelsAt = j.Here()
			_, ok := j.Map("models", func(name string, at strict.Place) {
				if name == "" {
					j.Fault(at, CodeCohortInvalid, "models: found an empty name")
				}
				m = Model{Name: name}
				j.Object(model)
				c.Models = append(c.Models, m)
			})
			if ok && len(c.Models) == 0 {
				j.Fault(c.modelsAt, CodeCohortInvalid, "models: found none, expected at least one model")
			}
		}},
	))
	j.End()
	slices.SortFunc(c.Models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	return c
}

// Model returns the position of a model in Models or -1.
func (c *Cohort) Model(name string) int {
	i, ok := slices.BinarySearchFunc(c.Models, name, func(m Model, name string) int { return strings.Compare(m.Name, name) })
	if !ok {
		return -1
	}
	return i
}

// CheckSuite reports a cohort that was declared for another suite or reference
// than the loaded one. Asked is the suite's name on the command line, or empty
// if it was given as a file.
func (c *Cohort) CheckSuite(s *Suite, asked string, diags *diag.List) {
	// A name that could not be read is a fault of its own file.
	if known := c.Suite != "" && s.Name != ""; known && (c.Suite != s.Name || asked != "" && c.Suite != asked) {
		other := s.Name
		if c.Suite == other {
			other = asked
		}
		diags.Add(diag.At(c.suiteAt.In(c.File), CodeCohortSuite, "found the suite %q, but the loaded one is %q", c.Suite, other).
			WithRelated(s.nameAt.In(s.File), "the manifest's suite is %q", s.Name))
	}
	planned := 0
	for _, m := range c.Models {
		planned += m.AttemptsPerTask * s.Size()
	}
	if planned > MaxPlanned {
		diags.Add(diag.At(c.modelsAt.In(c.File), CodeCohortInvalid, "models: found %d planned repetitions of %d tasks, expected at most %d", planned, s.Size(), MaxPlanned))
	}
	if known := c.ReferenceID != "" && s.ReferenceID != ""; known && c.ReferenceID != s.ReferenceID {
		diags.Add(diag.At(c.referenceAt.In(c.File), CodeCohortReference, "found solver_reference_id %q, but the suite has %q", c.ReferenceID, s.ReferenceID).
			WithRelated(s.referenceAt.In(s.File), "the suite's reference"))
	}
}
