package exam

import (
	"bufio"
	"errors"
	"io"
	"slices"
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

// FormatNone is the format of a file that is of none.
const FormatNone Format = ""

// Recognise finds the format of a file by its content. It reads as far as it
// needs and may leave the source in the middle.
func Recognise(src *strict.Source) Format {
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
	switch first {
	case 0:
		return FormatNone
	case '[':
		return FormatRecords
	case '{':
		names := topLevelNames(r)
		for _, m := range marks {
			if names[m.name] {
				return m.format
			}
		}
		return FormatNone
	}
	header, err := r.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return FormatNone
	}
	columns := 0
	// Other separators are for the reader of tables to complain about.
	for _, name := range strings.FieldsFunc(string(first)+string(header), func(r rune) bool { return strings.ContainsRune(",;\t", r) }) {
		if slices.Contains(AttemptColumns, strings.Trim(name, "\" \t\r\n")) {
			columns++
		}
	}
	if columns < len(AttemptColumns)/2 {
		return FormatNone
	}
	return FormatAttempts
}

// ReportUnrecognised reports what is wrong with a file of no format: that it is
// JSON with a fault in its syntax, or that it is something else. It always
// returns FormatNone.
func ReportUnrecognised(src *strict.Source, diags *diag.List) Format {
	var syntax diag.List
	j := strict.NewJSON(src, &syntax, CodeUnrecognised)
	isObject := j.IsObject()
	j.Skip()
	j.End()
	if src.TooLarge(diags) {
		return FormatNone
	}
	found := "a text that is neither JSON nor a table of attempts"
	if src.Size() == 0 {
		found = "an empty file"
	}
	if isObject {
		if !syntax.OK() {
			for _, d := range syntax.Kept() {
				diags.Add(d)
			}
			return FormatNone
		}
		found = "a JSON object with none of the names that tell the formats apart"
	}
	diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(src.File()), CodeUnrecognised, "found %s, expected a file that this program reads or writes", found))
	return FormatNone
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
