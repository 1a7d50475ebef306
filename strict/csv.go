package strict

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"scorebook/diag"
)

// CSV reads the rows of a table whose columns are known by name. The format is
// RFC 4180 with LF or CRLF; lines with nothing on them are no rows. Columns may
// stand in any order and further ones are ignored.
type CSV struct {
	src     *Source
	csv     *csv.Reader
	diags   *diag.List
	columns []string // the wanted ones
	needed  int      // so many of them, the first ones, must be there
	index   []int    // of each wanted column in a row; -1: it is not there
	width   int      // fields in the header
	record  []string
	row     []string
}

// NewCSV reads the header of src. If it has not every column exactly once, or
// the file is not a table at all, that is reported and ok is false. Optional
// columns follow the others in the count of wanted ones; where one is missing,
// all its fields are empty.
func NewCSV(src *Source, diags *diag.List, columns []string, optional ...string) (c *CSV, ok bool) {
	src.unindexed = true
	c = &CSV{src: src, csv: csv.NewReader(src), diags: diags, needed: len(columns)}
	c.columns = append(append(c.columns, columns...), optional...)
	c.row = make([]string, len(c.columns))
	c.csv.FieldsPerRecord = -1 // checked here, with a better message
	c.csv.ReuseRecord = true
	header, err := c.csv.Read()
	switch {
	case c.broken():
		return c, false
	case errors.Is(err, io.EOF):
		c.fault(Place{1, 1}, CodeCSVHeader, "the file is empty, expected a header with the columns %s", strings.Join(columns, ","))
		return c, false
	case err != nil:
		c.syntax(err)
		return c, false
	}
	ok = c.header(header)
	return c, ok
}

// File returns the name of the input in positions.
func (c *CSV) File() string { return c.src.file }

// Next reads the next row that has the right number of fields; others are
// reported and passed over. Blanks around a field are reported and then taken
// off, so that what else is wrong with the row can still be found.
func (c *CSV) Next() bool {
	for {
		record, err := c.csv.Read()
		if c.broken() || errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			if !c.syntax(err) {
				return false
			}
			continue
		}
		if c.record = record; len(record) != c.width {
			line, _ := c.csv.FieldPos(0)
			c.fault(Place{uint32(line), 1}, CodeCSVSyntax, "found a row of %s, expected %d as in the header", fields(len(record)), c.width)
			continue
		}
		for i, at := range c.index {
			if at >= 0 {
				c.row[i] = c.field(at, c.columns[i])
			}
		}
		return true
	}
}

// Field returns the field of the i-th wanted column. It shares the memory of
// its row.
func (c *CSV) Field(i int) string { return c.row[i] }

// Place returns where the field of the i-th wanted column begins.
// A column that is not there begins where the row does.
func (c *CSV) Place(i int) Place {
	if c.index[i] < 0 {
		return c.Line()
	}
	return c.fieldPlace(c.index[i])
}

// Line returns where the row begins.
func (c *CSV) Line() Place {
	at := c.fieldPlace(0)
	at.Column = 1
	return at
}

func (c *CSV) fieldPlace(i int) Place {
	line, column := c.csv.FieldPos(i)
	return Place{uint32(line), uint32(column)}
}

// field returns one field after looking at its form.
func (c *CSV) field(i int, column string) string {
	text := c.record[i]
	if !utf8.ValidString(text) {
		c.fault(c.fieldPlace(i), CodeCSVEncoding, "column %s: found %s, which is not UTF-8", column, quote(text))
	}
	if trimmed := strings.TrimSpace(text); trimmed != text {
		c.fault(c.fieldPlace(i), CodeCSVWhitespace, "column %s: found %s, expected no blanks around the value", column, quote(text))
		return trimmed
	}
	return text
}

// header finds the wanted columns.
func (c *CSV) header(header []string) bool {
	ok := true
	c.record, c.width = header, len(header)
	c.index = make([]int, len(c.columns))
	for i, column := range c.columns {
		c.index[i] = -1
		for k, name := range header {
			switch {
			case strings.TrimSpace(name) != column:
			case c.index[i] >= 0:
				first := c.fieldPlace(c.index[i])
				c.diags.Add(diag.At(c.fieldPlace(k).In(c.src.file), CodeCSVHeader, "the column %s occurs twice", column).
					WithRelated(first.In(c.src.file), "first here"))
				ok = false
			default:
				c.index[i] = k
				if c.field(k, column) != name {
					ok = false
				}
			}
		}
		if c.index[i] < 0 && i < c.needed {
			ok = false
			d := diag.At(Place{1, 1}.In(c.src.file), CodeCSVHeader, "the column %s is missing", column)
			if separator := otherSeparator(header); separator != "" {
				d = d.WithHint("the header looks separated by %s, expected commas", separator)
			} else if near, found := Nearest(column, header); found {
				d = d.WithHint("did you mean it by %s? names must be exact", quote(near))
			}
			c.diags.Add(d)
		}
	}
	return ok
}

// otherSeparator names what a header is separated by if not by commas.
func otherSeparator(header []string) string {
	all := strings.Join(header, "")
	switch {
	case strings.Count(all, ";") >= len(header):
		return "semicolons"
	case strings.Count(all, "\t") >= len(header):
		return "tabs"
	}
	return ""
}

// broken reports what ends reading for good: an input that is too large, a
// carriage return that ends no line as RFC 4180 knows it, a failed reader.
func (c *CSV) broken() bool {
	if c.src.TooLarge(c.diags) || c.src.Err() != nil {
		return true
	}
	if c.src.utf16 {
		c.diags.Add(diag.At(Place{1, 1}.In(c.src.file), CodeCSVEncoding, "found UTF-16, expected UTF-8").
			WithHint("save the file as UTF-8: in a spreadsheet, as CSV UTF-8"))
		return true
	}
	if c.src.cr == 0 {
		return false
	}
	c.diags.Add(diag.At(c.src.place(c.src.cr-1).In(c.src.file), CodeCSVSyntax,
		"found a carriage return without a line feed, expected LF or CRLF at the end of a line").
		WithHint("save the file with Unix or Windows line ends"))
	return true
}

// syntax reports an error of the CSV reader and whether reading can go on.
func (c *CSV) syntax(err error) bool {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		c.fault(Place{1, 1}, CodeCSVSyntax, "%s", err)
		return false
	}
	at := Place{uint32(parse.Line), uint32(max(1, parse.Column))}
	switch {
	case errors.Is(err, csv.ErrQuote):
		d := diag.At(at.In(c.src.file), CodeCSVSyntax, "a quoted field ends with something else than a quote before a comma or the end of the line")
		if parse.StartLine != parse.Line {
			d = d.WithRelated(Place{uint32(parse.StartLine), 1}.In(c.src.file), "the row begins here")
		}
		c.diags.Add(d)
	case errors.Is(err, csv.ErrBareQuote):
		c.fault(at, CodeCSVSyntax, "a quote stands inside a field that does not begin with one")
	default:
		c.fault(at, CodeCSVSyntax, "%s", parse.Err)
	}
	return true
}

func (c *CSV) fault(at Place, code diag.Code, format string, args ...any) {
	c.diags.Add(diag.At(at.In(c.src.file), code, format, args...))
}

func fields(n int) string {
	if n == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", n)
}
