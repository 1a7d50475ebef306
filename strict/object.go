package strict

import (
	"fmt"
	"slices"
	"strings"

	"scorebook/diag"
)

// Shape describes an object whose names are known. It may be used for many
// objects one after the other, but not for an object within itself.
type Shape struct {
	What   string // names the object in messages
	Fields []Field
	// Others allows names that are not in Fields; their values are skipped.
	// A name that differs from a known one only by case is a fault all the same.
	Others bool
}

// Field is one known name of an object.
type Field struct {
	Name     string
	Optional bool        // otherwise a missing name is a fault
	Read     func(*JSON) // reads exactly the value that belongs to the name
}

// maxFields is how many fields a Shape may have.
const maxFields = 32

// Object reads an object of the given shape and returns the place of its
// opening bracket. It reports unknown, repeated and missing names; ok is false
// if what is there is not an object.
func (j *JSON) Object(shape *Shape) (at Place, ok bool) {
	at = j.Here()
	if !j.open('{', shape.What, "an object") {
		return at, false
	}
	var seen [maxFields]Place
	var others *nameSet
	for j.more('}') {
		raw, keyAt, ok := j.read()
		if !ok {
			break
		}
		key := j.unquote(raw)
		if i := shape.index(key); i >= 0 {
			if first := seen[i]; first != (Place{}) {
				j.duplicate(string(key), keyAt, first)
				j.Skip()
				continue
			}
			seen[i] = keyAt
			shape.Fields[i].Read(j)
			continue
		}
		if others == nil {
			others = j.nameSet()
		}
		if j.once(others, key, keyAt) {
			j.unknown(shape, string(key), keyAt)
		}
		j.Skip()
	}
	if _, closed := j.close(); !closed {
		return at, false
	}
	for i, f := range shape.Fields {
		if !f.Optional && seen[i] == (Place{}) {
			j.Fault(at, j.shape, "%s: the name %q is missing", shape.What, f.Name)
		}
	}
	return at, true
}

func (s *Shape) index(key []byte) int {
	for i := range s.Fields {
		if s.Fields[i].Name == string(key) {
			return i
		}
	}
	return -1
}

// unknown reports a name that the shape does not have, unless others may be.
func (j *JSON) unknown(shape *Shape, key string, at Place) {
	names := make([]string, len(shape.Fields))
	for i, f := range shape.Fields {
		names[i] = f.Name
	}
	if shape.Others && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, key) }) {
		return
	}
	j.diags.Add(unknownName(at.In(j.src.file), shape.What, key, names))
}

// unknownName describes a name that is none of the known ones.
func unknownName(at diag.Position, what, name string, known []string) diag.Diagnostic {
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return diag.At(at, CodeKeyCase, "%s: found the name %s, expected %q", what, quote(name), k)
		}
	}
	d := diag.At(at, CodeUnknownKey, "%s: found the unknown name %s", what, quote(name))
	if near, ok := Nearest(name, known); ok {
		return d.WithHint("did you mean %q?", near)
	}
	return d.WithHint("known names: %s", strings.Join(known, ", "))
}

// nameSet holds the names of one object. It lives as long as the object is
// being read and is reused for the next one at the same depth.
type nameSet struct {
	text  []byte
	names []nameRef
	index map[string]Place // instead of names, once there are many
}

type nameRef struct {
	start, end int
	at         Place
}

// nameSet returns the empty set for the object being read.
func (j *JSON) nameSet() *nameSet {
	for len(j.names) <= j.depth {
		j.names = append(j.names, &nameSet{})
	}
	set := j.names[j.depth]
	set.text, set.names, set.index = set.text[:0], set.names[:0], nil
	return set
}

// once adds a name to the set; if it is there already, it reports that and
// returns false.
func (j *JSON) once(set *nameSet, name []byte, at Place) bool {
	first, twice := set.find(name)
	if twice {
		j.duplicate(string(name), at, first)
		return false
	}
	set.add(name, at)
	return true
}

func (s *nameSet) find(name []byte) (Place, bool) {
	if s.index != nil {
		at, ok := s.index[string(name)]
		return at, ok
	}
	for _, r := range s.names {
		if string(s.text[r.start:r.end]) == string(name) {
			return r.at, true
		}
	}
	return Place{}, false
}

func (s *nameSet) add(name []byte, at Place) {
	const few = 16
	if s.index == nil && len(s.names) == few {
		s.index = make(map[string]Place, 2*few)
		for _, r := range s.names {
			s.index[string(s.text[r.start:r.end])] = r.at
		}
	}
	if s.index != nil {
		s.index[string(name)] = at
		return
	}
	start := len(s.text)
	s.text = append(s.text, name...)
	s.names = append(s.names, nameRef{start, len(s.text), at})
}

// NewShape returns a shape after checking that it can be read.
func NewShape(what string, fields ...Field) *Shape {
	if len(fields) > maxFields {
		panic(fmt.Sprintf("strict: %d fields, at most %d", len(fields), maxFields))
	}
	return &Shape{What: what, Fields: fields}
}
