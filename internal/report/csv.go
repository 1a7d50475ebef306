package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"scorebook/exam"
)

// csvColumns are the columns of [CSV], in their order.
var csvColumns = []string{
	"source", "level", "suite", "reference_id", "model", "track", "item", "instance", "status",
	"rank", "index", "mean", "points", "planned", "observed",
	"score", "eligible", "failed", "unscored", "value", "mu", "s", "scale", "scale_from", "z",
}

// csvRow is one row by the names of its columns; what a level lacks is empty.
type csvRow map[string]string

// CSV writes results as one flat table. What a row is of stands in the column
// level. An Index gives a row for each model (in the order of rank), below it
// one for each track, below that one for each item. A solver result gives a row
// of its own, then one for each eligible instance, then one for each instance
// outside the reference. Figures have all of their digits. Cells that a
// spreadsheet would take for a formula begin with an apostrophe.
func CSV(w io.Writer, b Benchmark) error {
	rows := [][]string{csvColumns}
	add := func(row csvRow) {
		cells := make([]string, len(csvColumns))
		for i, column := range csvColumns {
			cells[i] = row[column]
		}
		rows = append(rows, cells)
	}
	for _, named := range b.Indexes {
		indexRows(named, add)
	}
	for _, named := range b.Solvers {
		solverRows(named, add)
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

func indexRows(named Named[*exam.IndexResult], add func(csvRow)) {
	r := named.Result
	row := func(level, model string) csvRow {
		return csvRow{"source": cell(named.Name), "level": level, "suite": cell(r.Suite), "reference_id": cell(r.ReferenceID), "model": cell(model)}
	}
	for _, ranked := range Ranking(r) {
		m := r.Models[ranked.Name]
		line := row("model", ranked.Name)
		line["status"], line["index"] = cell(string(m.Status)), maybeExact(m.Index)
		line["planned"], line["observed"] = strconv.Itoa(m.Coverage.Planned), strconv.Itoa(m.Coverage.Observed)
		if ranked.Rank > 0 {
			line["rank"] = strconv.Itoa(ranked.Rank)
		}
		add(line)
		for _, track := range exam.Tracks {
			t := m.Tracks.Of(track)
			line := row("track", ranked.Name)
			line["track"], line["mean"], line["points"] = string(track), maybeExact(t.Mean), maybeExact(t.Points)
			line["planned"], line["observed"] = strconv.Itoa(t.Planned), strconv.Itoa(t.Observed)
			add(line)
			for i := range t.Tasks {
				task := &t.Tasks[i]
				line := row("item", ranked.Name)
				line["track"], line["item"], line["mean"] = string(track), cell(task.Item), maybeExact(task.Mean)
				line["observed"] = strconv.Itoa(scored(task))
				add(line)
			}
		}
	}
}

func solverRows(named Named[*exam.SolverResult], add func(csvRow)) {
	r := named.Result
	row := func(level, instance string) csvRow {
		return csvRow{
			"source": cell(named.Name), "level": level, "suite": cell(r.Suite), "reference_id": cell(r.ReferenceID),
			"track": string(exam.Solver), "item": cell(r.Task), "instance": cell(instance),
		}
	}
	line := row("solver", "")
	line["score"], line["eligible"], line["failed"] = exact(r.RelativeScore), strconv.Itoa(r.EligibleInstances), strconv.Itoa(r.FailedInstances)
	line["unscored"] = strconv.Itoa(len(r.UnscoredInstances))
	add(line)
	for i := range r.Instances {
		in := &r.Instances[i]
		line := row("instance", in.Instance)
		line["status"], line["score"], line["value"] = cell(in.Status), exact(in.Score), maybeExact(in.Value)
		line["mu"], line["s"], line["scale"], line["scale_from"] = exact(in.Mu), exact(in.S), exact(in.Scale), cell(string(in.ScaleFrom))
		line["z"] = maybeExact(in.Z)
		add(line)
	}
	for _, instance := range r.UnscoredInstances {
		add(row("unscored", instance))
	}
}

// cell makes a text that no spreadsheet takes for a formula.
func cell(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}
