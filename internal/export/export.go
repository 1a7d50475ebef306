// Package export writes a contest for readers: the journal, what it was played
// with, and the standings, as text in one zip. Equal journals give equal bytes.
package export

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/retrieval"
)

const readme = `journal.jsonl     everything that happened, one event a line, each with a hash over itself and the one before
ground-truth.csv  the questions with their answers, as they are in force now
rules.yaml        the rules in force now
settings.json     name, registration, limits
standings.csv     the jury's table: banned teams have no rank; times in seconds
standings.json    the same
submissions.csv   every attempt: what was announced, and what it is worth by the rules and the ground truth in force now
series.csv        how the standings came about: every attempt that raised a team's score

The journal is whole, simulated teams included: its hashes need every event. The other files leave simulated teams
out unless they were asked for. "scorebook verify --journal journal.jsonl" checks that nothing was changed.
`

// epoch is the time of every file in the zip, so that it depends on the
// contest alone.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Zip writes the contest of a journal whose state is given. Simulated teams are
// left out of everything but the journal unless simulated is true.
func Zip(ctx context.Context, w io.Writer, log journal.Log, state *contest.State, simulated bool) error {
	z := zip.NewWriter(w)
	b := book{state: state, simulated: simulated}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"README.txt", func(w io.Writer) error { _, err := io.WriteString(w, readme); return err }},
		{"ground-truth.csv", func(w io.Writer) error { return retrieval.WriteGroundTruth(w, state.Questions()) }},
		{"rules.yaml", func(w io.Writer) error { rules := state.Rules(); return retrieval.WriteRuleset(w, &rules) }},
		{"settings.json", func(w io.Writer) error { return writeJSON(w, settings(state)) }},
		{"standings.csv", b.standingsCSV},
		{"standings.json", b.standingsJSON},
		{"submissions.csv", b.submissionsCSV},
		{"series.csv", b.seriesCSV},
		{"journal.jsonl", func(w io.Writer) error { return journal.Write(ctx, w, log, state.Seq()) }},
	} {
		out, err := z.CreateHeader(&zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: epoch})
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		if err := file.write(out); err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
	}
	return z.Close()
}

func writeJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

// settings returns the settings without what lets people in.
func settings(state *contest.State) any {
	s := state.Settings()
	s.CodeHash = ""
	return struct {
		Contest string `json:"contest"`
		contest.Settings
	}{state.Contest(), s}
}
