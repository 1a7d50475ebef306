package retrieval

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"scorebook/diag"
	"scorebook/strict"
)

// GroundTruthColumns are the columns of a table of ground truth. The last three
// may be missing.
var GroundTruthColumns = []string{"id", "type", "scene_id", "video_id", "points", "answer", "fps", "time_limit"}

// neededColumns are those that may not be missing.
const neededColumns = 5

// wholeVideo stands for points where a question asks for a video and for no
// moment of it.
const wholeVideo = "*"

const (
	columnID = iota
	columnType
	columnScene
	columnVideo
	columnPoints
	columnAnswer
	columnFPS
	columnTimeLimit
)

// Bounds of a table of ground truth.
const (
	maxID     = 64      // characters
	maxEvents = 500     // of a question
	maxPoint  = 1 << 53 // above, a float64 no longer holds every whole number
)

// ParseGroundTruth reads a table of questions, in the order of its rows. All
// faults are reported; ok is false if there is an error among them.
func ParseGroundTruth(src *strict.Source, diags *diag.List) (questions []Question, ok bool) {
	before := diags.Errors()
	table, ok := strict.NewCSV(src, diags, GroundTruthColumns[:neededColumns], GroundTruthColumns[neededColumns:]...)
	if !ok {
		return nil, false
	}
	rows := groundTruth{table: table, diags: diags, first: map[QuestionID]strict.Place{}}
	for table.Next() {
		questions = append(questions, rows.question())
	}
	if len(questions) == 0 && diags.Errors() == before && src.Err() == nil {
		diags.Add(diag.At(strict.Place{Line: 1, Column: 1}.In(src.File()), CodeGroundTruthEmpty, "found a header and no question below it, expected at least one"))
	}
	return questions, diags.Errors() == before && src.Err() == nil
}

// groundTruth reads the questions of a table.
type groundTruth struct {
	table *strict.CSV
	diags *diag.List
	first map[QuestionID]strict.Place
}

func (g *groundTruth) report(column int, code diag.Code, format string, args ...any) diag.Diagnostic {
	return diag.At(g.table.Place(column).In(g.table.File()), code, format, args...)
}

// question reads a row.
func (g *groundTruth) question() Question {
	q := Question{
		ID: QuestionID(strings.Clone(g.table.Field(columnID))), Scene: strings.Clone(g.table.Field(columnScene)),
		Video: strings.Clone(g.table.Field(columnVideo)),
	}
	g.id(q.ID)
	q.Type = g.kind()
	if q.Video == "" {
		g.diags.Add(g.report(columnVideo, CodeGroundTruthVideo, "found an empty video_id, expected the name of a video"))
	}
	q.Events = g.events(q.Type)
	q.Answers = g.answers(q.Type)
	q.FPS = g.figure(columnFPS, maxFPS, "frames a second")
	q.TimeLimit = g.figure(columnTimeLimit, maxTimeLimit, "seconds")
	return q
}

// figure reads a number above 0 from a column whose fields may be empty.
func (g *groundTruth) figure(column int, most float64, unit string) float64 {
	text := g.table.Field(column)
	if text == "" {
		return 0
	}
	value, ok := parseValue(text)
	if !ok || value == 0 || value > most {
		g.diags.Add(g.report(column, CodeGroundTruthFigure, "found the %s %.80q, expected a number of %s above 0 and at most %s, or nothing", GroundTruthColumns[column], text, unit, number(most)))
		return 0
	}
	return value
}

func (g *groundTruth) id(id QuestionID) {
	invisible := strings.ContainsFunc(string(id), func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	if n := utf8.RuneCountInString(string(id)); n == 0 || n > maxID || invisible {
		g.diags.Add(g.report(columnID, CodeGroundTruthID, "found the id %.200q, expected 1 to %d visible characters without blanks", id, maxID))
		return
	}
	if first, ok := g.first[id]; ok {
		g.diags.Add(g.report(columnID, CodeGroundTruthDuplicate, "the id %q occurs twice", id).WithRelated(first.In(g.table.File()), "first here"))
		return
	}
	g.first[id] = g.table.Place(columnID)
}

func (g *groundTruth) kind() Type {
	text := g.table.Field(columnType)
	switch Type(text) {
	case KIS, QA, TR:
		return Type(strings.Clone(text))
	case "TRAKE":
		return TR
	}
	d := g.report(columnType, CodeGroundTruthType, "found the type %.200q, expected KIS, QA or TR", text)
	if near, ok := strict.Nearest(text, []string{"KIS", "QA", "TR", "TRAKE"}); ok {
		d = d.WithHint("did you mean %q? types are written in capitals", near)
	}
	g.diags.Add(d)
	return ""
}

// events reads the points.
func (g *groundTruth) events(kind Type) (events []Event) {
	text := g.table.Field(columnPoints)
	fault := func(format string, args ...any) {
		g.diags.Add(g.report(columnPoints, CodeGroundTruthPoints, format, args...))
	}
	if text == wholeVideo {
		if kind == TR {
			fault("found %s, which asks for a video and no moment of it; expected events of a TR question", wholeVideo)
		}
		return []Event{WholeVideo}
	}
	if text == "" {
		fault("found no points, expected a start and an end")
		return nil
	}
	dense := strings.ReplaceAll(text, " ", "")
	if strings.HasPrefix(dense, "-") || strings.Contains(dense, "--") || strings.Contains(dense, ",-") {
		fault("found %.200q, expected no negative points", text)
		return nil
	}
	var points []int64
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '-' }) {
		point, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
		if err != nil || point > maxPoint {
			fault("found the point %.80q, expected a whole number from 0 to 2^53", strings.TrimSpace(part))
			return nil
		}
		points = append(points, int64(point))
	}
	separators := strings.Count(text, ",") + strings.Count(text, "-")
	switch {
	case separators != len(points)-1:
		fault("found %.200q, expected one separator between two points and none at the ends", text)
		return nil
	case len(points)%2 != 0:
		fault("found %d points, expected an even number: a start and an end for every event", len(points))
		return nil
	case len(points) > 2*maxEvents:
		fault("found %d events, expected at most %d", len(points)/2, maxEvents)
		return nil
	}
	ordered := true
	for pair := range slices.Chunk(points, 2) {
		event := Event{Start: pair[0], End: pair[1]}
		if event.Start > event.End {
			fault("found the event %d to %d, expected an end that is not before the start", event.Start, event.End)
			return nil
		}
		if n := len(events); n > 0 && event.Start < events[n-1].Start {
			ordered = false
		}
		events = append(events, event)
	}
	if !ordered {
		g.diags.Add(g.report(columnPoints, CodeGroundTruthOrder, "the events %.200s do not ascend", text))
	}
	return events
}

func (g *groundTruth) answers(kind Type) (answers []string) {
	text := g.table.Field(columnAnswer)
	switch {
	case text == "" && kind == QA:
		g.diags.Add(g.report(columnAnswer, CodeGroundTruthNoAnswer, "found no answer of a QA question: any text will be taken, only the moment counts"))
		return nil
	case text == "":
		return nil
	case kind != QA && kind != "":
		g.diags.Add(g.report(columnAnswer, CodeGroundTruthAnswer, "found the answer %.200q of a %s question, expected none", text, kind))
		return nil
	}
	for answer := range strings.SplitSeq(norm.NFC.String(text), "|") {
		answer = strings.TrimSpace(answer)
		if answer == "" {
			g.diags.Add(g.report(columnAnswer, CodeGroundTruthAnswer, "found an empty answer in %.200q, expected a text between two separators", text))
			return nil
		}
		answers = append(answers, answer)
	}
	return answers
}

// WriteGroundTruth writes questions as the table that ParseGroundTruth reads
// back to equal ones.
func WriteGroundTruth(w io.Writer, questions []Question) error {
	out := csv.NewWriter(w)
	columns := columnFPS // the later ones only if a question has something there
	for _, q := range questions {
		switch {
		case q.TimeLimit > 0:
			columns = len(GroundTruthColumns)
		case q.FPS > 0:
			columns = max(columns, columnFPS+1)
		}
	}
	rows := [][]string{GroundTruthColumns[:columns]}
	for _, q := range questions {
		row := []string{string(q.ID), string(q.Type), q.Scene, q.Video, pointsText(&q), strings.Join(q.Answers, "|"), figureText(q.FPS), figureText(q.TimeLimit)}
		rows = append(rows, row[:columns])
	}
	return out.WriteAll(rows)
}

func pointsText(q *Question) string {
	if q.WholeVideo() {
		return wholeVideo
	}
	var points []string
	for _, event := range q.Events {
		points = append(points, strconv.FormatInt(event.Start, 10), strconv.FormatInt(event.End, 10))
	}
	return strings.Join(points, ",")
}

func figureText(value float64) string {
	if value == 0 {
		return ""
	}
	return number(value)
}
