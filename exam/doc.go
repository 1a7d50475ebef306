// Package exam scores benchmarks: solver records become scores relative to a
// fixed reference, and attempt tables become an Index with its coverage.
//
// The inputs are a suite manifest ([Suite]), a fixed reference ([Reference]),
// instance records ([Records]), a table of attempts ([Attempts]) and a cohort
// ([Cohort]). Each has a Parse function that reads a [strict.Source] and
// reports every fault with its position; none opens a file. [ScoreSolver] and
// [ComputeIndex] compute results from parsed values. The formulas are those of
// docs/scoring.md.
//
// Every number is taken as the exact decimal that was written, sums and
// variances are exact rationals, and each published float64 is rounded once.
// So results do not depend on the order of rows or on the processor.
package exam
