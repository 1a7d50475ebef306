package exam

import (
	"slices"
	"strings"
)

// Track is one of the four kinds of tasks that the Index weighs.
type Track string

// The four tracks.
const (
	Theorem      Track = "theorem"
	Solver       Track = "solver"
	Construction Track = "construction"
	Open         Track = "open"
)

// Tracks lists the tracks in the order of publication.
var Tracks = []Track{Theorem, Solver, Construction, Open}

// Weight returns how many Index points a track mean of 1 is worth.
func (t Track) Weight() int64 {
	if t == Open {
		return 10
	}
	return 30
}

func trackNames() string {
	names := make([]string, len(Tracks))
	for i, t := range Tracks {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// Kind says what a solver task's values are.
type Kind string

const (
	// Objective values are any finite numbers.
	Objective Kind = "objective"
	// Solve values are 1 for solved and 0 for unsolved.
	Solve Kind = "solve"
)

// Direction says which values of a solver task are better.
type Direction string

// The two directions; a solve task is maximized.
const (
	Maximize Direction = "maximize"
	Minimize Direction = "minimize"
)

// Protocol says under which conditions solver attempts were run.
type Protocol string

// The two protocols; they are never mixed in one Index.
const (
	Online  Protocol = "online"
	Offline Protocol = "offline"
)

// StatusOK marks a record with a valid, evaluated outcome.
const StatusOK = "ok"

// Failures lists the record statuses of a solver that failed: they score 0.
var Failures = strings.Split(knownFailures, ", ")

const knownFailures = "timeout, invalid, certificate_failed, crash, memout, wrong_answer, no_solution, error"

// Infrastructure lists the record statuses that say nothing about the solver:
// the judging must be repaired before anything can be scored.
var Infrastructure = []string{
	"infrastructure_error", "infra_error", "judge_failed", "judge_error", "missing",
	"not_finished", "not_run", "cancelled", "harness_error",
}

// IsFailure reports whether a record's status is one of [Failures].
func IsFailure(status string) bool { return slices.Contains(Failures, status) }
