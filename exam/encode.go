package exam

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/strict"
)

// The Write methods write the canonical form of a file: names in their order,
// numbers as they were given, one row, instance or record a line. What was
// written parses to an equal value and writes the same bytes again.
//
// The Digest methods return the SHA-256 of that form. So a digest is of the
// facts: neither the order of rows nor line ends, a byte order mark, white
// space or keys that are kept aside change it.

func digest(write func(io.Writer) error) string {
	h := sha256.New()
	if err := write(h); err != nil {
		panic(err) // a hash does not fail
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Digest returns the hexadecimal SHA-256 of the reference's canonical form.
func (r *Reference) Digest() string { return digest(r.Write) }

// Digest returns the hexadecimal SHA-256 of the records' canonical form.
func (r *Records) Digest() string { return digest(r.Write) }

// Digest returns the hexadecimal SHA-256 of the manifest's canonical form.
func (s *Suite) Digest() string { return digest(s.Write) }

// Digest returns the hexadecimal SHA-256 of the cohort's canonical form.
func (c *Cohort) Digest() string { return digest(c.Write) }

// Digest returns the hexadecimal SHA-256 of the table's canonical form.
func (t *Attempts) Digest() string { return digest(t.Write) }

// printer writes pieces and remembers the first error.
type printer struct {
	w   io.Writer
	buf []byte
	err error
}

// flush hands the buffered pieces on once there are enough, or at the end.
func (p *printer) flush(end bool) error {
	const enough = 1 << 16
	if p.err == nil && (end || len(p.buf) >= enough) {
		_, p.err = p.w.Write(p.buf)
		p.buf = p.buf[:0]
	}
	return p.err
}

func (p *printer) text(pieces ...string) {
	for _, s := range pieces {
		p.buf = append(p.buf, s...)
	}
}

func (p *printer) quote(s string) {
	quoted, err := jsontext.AppendQuote(p.buf, s)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("write %q: %w", s, err)
		return
	}
	p.buf = quoted
}

func (p *printer) numbers(values []strict.Number) {
	p.text("[")
	for i, v := range values {
		if i > 0 {
			p.text(",")
		}
		p.text(string(v))
	}
	p.text("]")
}

func (p *printer) names(names []string) {
	p.text("[")
	for i, name := range names {
		if i > 0 {
			p.text(", ")
		}
		p.quote(name)
	}
	p.text("]")
}

// separated calls write for each of n parts and puts a comma and a line end
// between them.
func (p *printer) separated(n int, write func(i int)) {
	for i := range n {
		if i > 0 {
			p.text(",\n")
		}
		write(i)
		if p.flush(false) != nil {
			return
		}
	}
}

// Write writes the reference in its canonical form.
func (r *Reference) Write(w io.Writer) error {
	p := printer{w: w}
	p.text(`{"reference_id":`)
	p.quote(r.ID)
	p.text(`,"scale_floors":{"relative":`, string(r.Floors.Relative), `,"absolute":`, string(r.Floors.Absolute), `},"tasks":{`, "\n")
	p.separated(len(r.Tasks), func(i int) {
		t := r.Tasks[i]
		p.quote(t.Name)
		p.text(`:{"kind":"`, string(t.Kind), `","direction":"`, string(t.Direction), `","instances":{`, "\n")
		p.separated(len(t.Instances), func(i int) {
			p.quote(t.Instances[i].Name)
			p.text(":")
			p.numbers(t.Instances[i].Values)
		})
		p.text("},\n", `"unscored_reference_instances":`)
		p.names(t.Unscored)
		p.text("}")
	})
	p.text("\n}}\n")
	return p.flush(true)
}

// Write writes the records in their canonical form.
func (r *Records) Write(w io.Writer) error {
	p := printer{w: w}
	p.text("[\n")
	p.separated(r.Len(), func(i int) {
		record := r.At(i)
		p.text(`{"instance":`)
		p.quote(record.Instance())
		p.text(`,"status":"`, record.Status.String(), `"`)
		if a, ok := record.Value(); ok {
			p.text(`,"A":`, string(a))
		}
		if solved, ok := record.Solved(); ok {
			p.text(`,"solved":`, strconv.FormatBool(solved))
		}
		p.text("}")
	})
	p.text("\n]\n")
	return p.flush(true)
}

// Write writes the manifest in its canonical form.
func (s *Suite) Write(w io.Writer) error {
	p := printer{w: w}
	p.text(`{"suite":`)
	p.quote(s.Name)
	p.text(`,"solver_reference_id":`)
	p.quote(s.ReferenceID)
	p.text(`,"tracks":{`, "\n")
	p.separated(len(Tracks), func(i int) {
		p.quote(string(Tracks[i]))
		p.text(":")
		p.names(s.items[Tracks[i]])
	})
	p.text("\n}}\n")
	return p.flush(true)
}

// Write writes the cohort in its canonical form.
func (c *Cohort) Write(w io.Writer) error {
	p := printer{w: w}
	p.text(`{"suite":`)
	p.quote(c.Suite)
	p.text(`,"solver_protocol":"`, string(c.Protocol), `","solver_reference_id":`)
	p.quote(c.ReferenceID)
	p.text(`,"models":{`, "\n")
	p.separated(len(c.Models), func(i int) {
		p.quote(c.Models[i].Name)
		p.text(`:{"attempts_per_task":`, strconv.Itoa(c.Models[i].AttemptsPerTask), "}")
	})
	p.text("\n}}\n")
	return p.flush(true)
}

// Write writes the table in its canonical form: the nine columns, the rows in
// the order of their fields.
func (t *Attempts) Write(w io.Writer) error {
	rows := make([][]string, len(t.Rows))
	for i := range t.Rows {
		rows[i] = t.Rows[i].fields[:]
	}
	slices.SortFunc(rows, slices.Compare)
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	if err := out.WriteAll(append([][]string{AttemptColumns}, rows...)); err != nil {
		return fmt.Errorf("write attempts: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}
