package strict

import (
	"bytes"
	"errors"
	"io"

	"scorebook/diag"
)

// DefaultMaxBytes bounds an input whose caller has no other wish: 512 MiB.
const DefaultMaxBytes = 512 << 20

var errTooLarge = errors.New("input too large")

// Place is a position within a file, small enough to be kept for every row.
type Place struct {
	Line   uint32 // from 1
	Column uint32 // in bytes from 1
}

// In returns the place as a position in file.
func (p Place) In(file string) diag.Position {
	return diag.Position{File: file, Line: int(p.Line), Column: int(p.Column)}
}

// Source is one input being read: it drops a UTF-8 byte order mark, bounds
// the size and knows line and column of the offsets that are asked for.
type Source struct {
	file     string
	r        io.Reader
	max      int64
	n        int64 // bytes handed out, without a byte order mark
	started  bool
	pending  []byte // read while looking for a byte order mark
	err      error  // what ended reading, unless io.EOF
	newlines []int64
	head     int // newlines[:head] lie before the last located offset
	line     uint32
	start    int64 // offset of the first byte of the line
	cr       int64 // 1 + offset of the first carriage return with no line feed, 0: none
	lastCR   bool  // the last byte handed out was a carriage return
	// unindexed sources are located by their reader and need no line ends.
	unindexed bool
	utf16     bool // the text begins with a byte order mark of UTF-16
}

// NewSource reads from r, which is named file in positions. An input of more
// than maxBytes is a fault; 0 means [DefaultMaxBytes].
func NewSource(file string, r io.Reader, maxBytes int64) *Source {
	if maxBytes == 0 {
		maxBytes = DefaultMaxBytes
	}
	return &Source{file: file, r: r, max: maxBytes, line: 1}
}

// File returns the name used in positions.
func (s *Source) File() string { return s.file }

// Size returns how many bytes were read so far, without a byte order mark.
func (s *Source) Size() int64 { return s.n }

// Err returns the error of the underlying reader, which is not a fault of the
// input: a disk that failed, a context that was cancelled.
func (s *Source) Err() error {
	if errors.Is(s.err, errTooLarge) {
		return nil
	}
	return s.err
}

// Read implements io.Reader for the parsers.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if !s.started {
		s.started = true
		bom := []byte("\ufeff")
		first := make([]byte, len(bom))
		n, err := io.ReadFull(s.r, first)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			s.err = err
			return 0, err
		}
		if s.pending = first[:n]; bytes.Equal(s.pending, bom) {
			s.pending = nil
		}
		s.utf16 = bytes.HasPrefix(s.pending, []byte{0xff, 0xfe}) || bytes.HasPrefix(s.pending, []byte{0xfe, 0xff})
	}
	var n int
	var err error
	if len(s.pending) > 0 {
		n = copy(p, s.pending)
		s.pending = s.pending[n:]
	} else if n, err = s.r.Read(p); err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	if over := s.n + int64(n) - s.max; over > 0 {
		n -= int(over)
		err, s.err = errTooLarge, errTooLarge
	}
	s.index(p[:n])
	if errors.Is(err, io.EOF) && s.lastCR && s.cr == 0 {
		s.cr = s.n
	}
	return n, err
}

// index notes the line ends of a chunk.
func (s *Source) index(chunk []byte) {
	for i := 0; !s.unindexed; {
		j := bytes.IndexByte(chunk[i:], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		s.newlines = append(s.newlines, s.n+int64(i)-1)
	}
	for i := 0; s.cr == 0 && i < len(chunk); {
		if s.lastCR {
			if s.lastCR = false; chunk[i] != '\n' {
				s.cr = s.n + int64(i)
				break
			}
		}
		j := bytes.IndexByte(chunk[i:], '\r')
		if j < 0 {
			break
		}
		i += j + 1
		s.lastCR = true
	}
	if s.unindexed {
		s.countLines(chunk)
	}
	s.n += int64(len(chunk))
}

// countLines advances line and start over a chunk, but not beyond a carriage
// return that ends no line, since that is the one place that is asked for.
func (s *Source) countLines(chunk []byte) {
	if s.cr != 0 {
		chunk = chunk[:max(0, s.cr-1-s.n)]
	}
	s.line += uint32(bytes.Count(chunk, []byte{'\n'}))
	if last := bytes.LastIndexByte(chunk, '\n'); last >= 0 {
		s.start = s.n + int64(last) + 1
	}
}

// place returns line and column of an offset. Offsets must not decrease from
// call to call: the lines before the last one asked for are forgotten.
func (s *Source) place(offset int64) Place {
	for s.head < len(s.newlines) && s.newlines[s.head] < offset {
		s.line++
		s.start = s.newlines[s.head] + 1
		s.head++
	}
	if s.head == len(s.newlines) {
		s.newlines, s.head = s.newlines[:0], 0
	}
	return Place{Line: s.line, Column: uint32(max(0, offset-s.start)) + 1}
}

// TooLarge reports the fault if the bound on the size ended reading.
func (s *Source) TooLarge(diags *diag.List) bool {
	if !errors.Is(s.err, errTooLarge) {
		return false
	}
	diags.Add(diag.At(s.place(s.n).In(s.file), CodeTooLarge,
		"found more than %d bytes, expected at most that many", s.max).
		WithHint("raise the bound with --max-bytes"))
	return true
}
