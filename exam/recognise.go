package exam

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
	"scorebook/strict"
)

// Format is one of the formats that this package reads or makes.
type Format string

// The formats.
const (
	FormatSuite        Format = "manifest"
	FormatReference    Format = "reference"
	FormatRecords      Format = "records"
	FormatAttempts     Format = "attempts"
	FormatCohort       Format = "cohort"
	FormatSolverResult Format = "solver-score output"
	FormatIndexResult  Format = "score output"
)

// marks tells the formats of JSON objects apart by a name that only one has;
// the first mark that is found decides.
var marks = []struct {
	name   string
	format Format
}{
	{"metric", FormatIndexResult},
	{"relative_score", FormatSolverResult},
	{"tracks", FormatSuite},
	{"scale_floors", FormatReference},
	{"tasks", FormatReference},
	{"models", FormatCohort},
	{"solver_protocol", FormatCohort},
}

// Recognise finds the format of a file by its content. It reports a file of
// none. It reads as far as it needs and may leave the source in the middle.
func Recognise(src *strict.Source, diags *diag.List) (Format, bool) {
	r := bufio.NewReader(src)
	first := byte(0)
	for {
		b, err := r.ReadByte()
		if err != nil {
			break
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			first = b
			break
		}
	}
	unrecognised := func(found string) (Format, bool) {
		diags.Add(diag.At(diag.Position{File: src.File()}, CodeUnrecognised, "found %s, expected a file that this program reads or writes", found))
		return "", false
	}
	switch first {
	case 0:
		return unrecognised("an empty file")
	case '[':
		return FormatRecords, true
	case '{':
		names := topLevelNames(r)
		for _, m := range marks {
			if names[m.name] {
				return m.format, true
			}
		}
		return unrecognised("a JSON object with none of the names that tell the formats apart")
	}
	header, err := r.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false
	}
	columns := 0
	for _, column := range AttemptColumns {
		if bytes.Contains(append([]byte{first}, header...), []byte(column)) {
			columns++
		}
	}
	if columns < len(AttemptColumns)/2 {
		return unrecognised("a text that is neither JSON nor a table of attempts")
	}
	return FormatAttempts, true
}

// topLevelNames reads the names of an object whose brace has been read, up to
// its end or to a fault, which the format's own reader will report.
func topLevelNames(r io.Reader) map[string]bool {
	names := map[string]bool{}
	dec := jsontext.NewDecoder(io.MultiReader(strings.NewReader("{"), r), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return names
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			break
		}
		names[name.String()] = true
		if dec.SkipValue() != nil {
			break
		}
	}
	return names
}
