// Package scorebook is the root of Scorebook, which scores contests and
// benchmarks and keeps what is needed to compute every score again.
//
// Facts are kept, scores are computed: a score is a pure function of recorded
// facts and of named rules. Two machines that are given the same facts print
// the same bytes, a correction of the facts corrects every score, and a
// dispute is settled by showing the arithmetic.
//
// This package holds no code. The path of each other package says whether it
// is pure. Those at the root are functions of values: they know no file, no
// socket, no clock, and no randomness that was not handed in. Those under
// internal touch the world, and cmd wires the parts together:
//
//	diag             a fault in an input: code, position, message, hint
//	strict           bytes to values, JSON, YAML and CSV, without guessing
//	stat             the normal distribution, means, deviations, all exact
//	standings        a ranked table: rows, cells, totals, ties
//	retrieval        an answer to a question under a ruleset: score and explanation
//	contest          a contest's commands, events, state and tables
//	setup            the file that describes a contest
//	exam             records to relative scores, attempts to the Index
//	internal/journal the append-only log of a contest's events
//	internal/journal/journaltest the contract of a log as tests, and logs that fail
//	internal/keep    what is kept beside the journal: passwords, logs of clients
//	internal/keep/keeptest what every store of it must do, as tests
//	internal/store   the journal in SQLite or PostgreSQL, and what is kept beside it
//	internal/export  a contest as a zip of text files
//	internal/service the sequencer: decide, make durable, answer
//	internal/service/servicetest a contest in memory, for tests
//	internal/auth    who is the organiser: tokens and sessions
//	internal/intake  submissions of every dialect, to where they are judged
//	internal/live    what changed since a client looked, and event streams
//	internal/httpapi the JSON interface, the event stream, OpenAPI, metrics
//	internal/dresapi clients of DRES, at its own paths
//	internal/conform a client of DRES at work, judged for its author
//	internal/dresfile templates and runs of DRES as files
//	internal/webui   the pages
//	internal/load    a server as many teams and viewers use it
//	internal/rivals  simulated teams
//	internal/cli     how the programs speak, read files and end
//	internal/look    what pages look like: colours, type, rules
//	internal/report  results to JSON, to text for people, and to pages
//	internal/bench   what speed is measured against, for benchmarks
//	internal/sample  the bundled sample data
//	internal/testkit what the tests of several packages share
//	cmd/tcsexam      the command for benchmarks: flags, reading files, exit codes
//	cmd/scorebook    the command for contests
//
// What each package may import is written as a table in imports_test.go, and
// tested.
package scorebook
