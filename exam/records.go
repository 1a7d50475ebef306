package exam

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// Records are the final outcomes of one attempt at a solver task.
//
// A file may hold millions, so they are stored in chunks, which never move
// while the list grows, and ordered by a list of their numbers.
type Records struct {
	File   string
	chunks [][]Record
	order  []uint32     // by instance; no two have the same
	end    strict.Place // the bracket that closes the list
	whole  bool         // the list was read to its end
}

const chunkBits = 12

// Len returns how many records there are.
func (r *Records) Len() int { return len(r.order) }

// At returns the i-th record in the order of their instances.
func (r *Records) At(i int) *Record { return r.stored(r.order[i]) }

// Find returns the record of an instance or nil.
func (r *Records) Find(instance string) *Record {
	i, ok := slices.BinarySearchFunc(r.order, instance, func(n uint32, instance string) int {
		return strings.Compare(r.stored(n).Instance(), instance)
	})
	if !ok {
		return nil
	}
	return r.At(i)
}

func (r *Records) stored(n uint32) *Record { return &r.chunks[n>>chunkBits][n&(1<<chunkBits-1)] }

// add stores a record; sort must follow.
func (r *Records) add(record Record) {
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == 1<<chunkBits {
		r.chunks = append(r.chunks, make([]Record, 0, 1<<chunkBits))
		last++
	}
	r.chunks[last] = append(r.chunks[last], record)
}

// Record is the outcome on one instance.
type Record struct {
	text   string // instance and value, one behind the other: a file may hold millions
	name   int32  // length of the instance in text
	solved int8   // 1 true, -1 false, 0 not given
	faulty bool   // a fault of the outcome was reported
	Status status
	at     strict.Place
}

// status is an index into statuses.
type status uint8

var statuses = append(append([]string{StatusOK}, Failures...), Infrastructure...)

// String returns the status as it is written in a file.
func (s status) String() string { return statuses[s] }

// OK reports whether the outcome is valid; otherwise the solver failed.
func (s status) OK() bool { return s == 0 }

// Instance returns the name of the instance.
func (r *Record) Instance() string { return r.text[:r.name] }

// Value returns A, or ok false if the record carries none. A failed record may
// carry a value; it does not count.
func (r *Record) Value() (n strict.Number, ok bool) {
	return strict.Number(r.text[r.name:]), len(r.text) > int(r.name)
}

// Solved returns the Boolean outcome, or ok false if the record carries none.
func (r *Record) Solved() (solved, ok bool) { return r.solved > 0, r.solved != 0 }

// ParseRecords reads a list of records. It reports every fault that shows
// without the reference; the result is complete only if there was none.
//
// Keys other than instance, status, A and solved are passed over. A null A or
// solved counts as not given.
func ParseRecords(src *strict.Source, diags *diag.List) *Records {
	p := recordParser{records: &Records{File: src.File()}, diags: diags}
	shape := strict.NewShape("record",
		strict.Field{Name: "instance", Read: func(j *strict.JSON) { p.instance, _, p.hasInstance = j.String("instance") }},
		strict.Field{Name: "status", Read: p.readStatus},
		strict.Field{Name: "A", Optional: true, Read: func(j *strict.JSON) {
			if !j.Null() {
				p.value, p.valueAt, p.valueOK = j.Number(CodeRecordsValue, "A")
				p.hasValue = true
			}
		}},
		strict.Field{Name: "solved", Optional: true, Read: func(j *strict.JSON) {
			if !j.Null() {
				p.solved, p.solvedAt, p.solvedOK = j.Bool(CodeRecordsValue, "solved")
				p.hasSolved = true
			}
		}},
	)
	shape.Others = true
	j := strict.NewJSON(src, diags, CodeRecordsShape)
	p.records.end, p.records.whole = j.Array("records", func(int) {
		p.current = current{}
		if at, ok := j.Object(shape); ok {
			p.add(j, at)
		}
	})
	j.End()
	p.records.sort(diags)
	return p.records
}

type recordParser struct {
	records *Records
	diags   *diag.List
	buf     []byte
	current
}

// current is the record being read.
type current struct {
	instance    string
	hasInstance bool
	status      status
	hasStatus   bool
	value       strict.Number
	hasValue    bool // a value is there, usable or not
	valueOK     bool
	valueAt     strict.Place
	solved      bool
	hasSolved   bool
	solvedOK    bool
	solvedAt    strict.Place
}

func (p *recordParser) readStatus(j *strict.JSON) {
	word, at, ok := j.Term("status")
	if !ok {
		return
	}
	i := slices.Index(statuses, word)
	switch {
	case i < 0:
		d := diag.At(at.In(j.File()), CodeUnknownStatus, "found the status %q, expected ok or a failure", word)
		if near, ok := strict.Nearest(word, statuses); ok {
			d = d.WithHint("did you mean %q?", near)
		} else {
			d = d.WithHint("failures are %s", knownFailures)
		}
		p.diags.Add(d)
	case slices.Contains(Infrastructure, word):
		j.Fault(at, CodeInfrastructureStatus, "found the status %q, which says that the judging failed, not the solver", word)
	default:
		p.status, p.hasStatus = status(i), true
	}
}

// add checks the current record as a whole and keeps it.
func (p *recordParser) add(j *strict.JSON, at strict.Place) {
	if !p.hasInstance {
		return
	}
	if p.instance == "" {
		j.Fault(at, CodeRecordsShape, "record: found an empty instance")
	}
	faulty := !p.hasStatus || p.hasValue && !p.valueOK || p.hasSolved && !p.solvedOK
	switch {
	case p.hasValue && p.hasSolved:
		at := p.solvedAt
		if p.valueAt.Line > at.Line || p.valueAt.Line == at.Line && p.valueAt.Column > at.Column {
			at = p.valueAt
		}
		j.Fault(at, CodeRecordsValue, "instance %q: found A and solved together, expected one of them", p.instance)
		faulty = true
	case p.hasStatus && p.status.OK() && !p.hasValue && !p.hasSolved:
		faulty = true
		j.Fault(at, CodeRecordsValue, "instance %q: found status ok without a value, expected A or solved", p.instance)
	}
	p.buf = append(append(p.buf[:0], p.instance...), p.value...)
	r := Record{text: string(p.buf), name: int32(len(p.instance)), Status: p.status, faulty: faulty, at: at}
	if p.hasSolved {
		if r.solved = -1; p.solved {
			r.solved = 1
		}
	}
	p.records.add(r)
}

// sort orders the records by instance and reports duplicates, of which the
// first stays.
//
// Names often begin alike. So records are compared by the eight bytes behind
// what all names have in common, and only if these are equal as a whole.
func (r *Records) sort(diags *diag.List) {
	type keyed struct {
		key uint64
		n   uint32
	}
	common := r.commonPrefix()
	var keys []keyed
	for _, chunk := range r.chunks {
		for i := range chunk {
			var next [8]byte
			copy(next[:], chunk[i].Instance()[common:])
			keys = append(keys, keyed{binary.BigEndian.Uint64(next[:]), uint32(len(keys))})
		}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Or(strings.Compare(r.stored(a.n).Instance(), r.stored(b.n).Instance()), cmp.Compare(a.n, b.n))
	})
	r.order = make([]uint32, 0, len(keys))
	for _, k := range keys {
		record := r.stored(k.n)
		if last := len(r.order) - 1; last >= 0 && r.At(last).Instance() == record.Instance() {
			diags.Add(diag.At(record.at.In(r.File), CodeDuplicateInstance, "the instance %q occurs twice", record.Instance()).
				WithRelated(r.At(last).at.In(r.File), "first here"))
			continue
		}
		r.order = append(r.order, k.n)
	}
}

// commonPrefix returns how many bytes the names of all instances begin with
// alike.
func (r *Records) commonPrefix() int {
	if len(r.chunks) == 0 {
		return 0
	}
	first := r.chunks[0][0].Instance()
	common := len(first)
	for _, chunk := range r.chunks {
		for i := range chunk {
			name := chunk[i].Instance()
			common = min(common, len(name))
			for k := range common {
				if name[k] != first[k] {
					common = k
					break
				}
			}
		}
	}
	return common
}
