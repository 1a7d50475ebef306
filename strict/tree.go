package strict

import (
	"bytes"
	"io"
	"slices"

	"scorebook/diag"
)

// MaxTreeBytes bounds an input that is read as a tree: 1 MiB. Such inputs are
// written by hand.
const MaxTreeBytes = 1 << 20

// maxTreeDepth bounds how deeply values may lie within each other.
const maxTreeDepth = 32

// Node is a value of a document with its place. Its methods read it as what
// the format wants there; a value that is anything else is reported and never
// taken for a default.
type Node struct {
	At Place

	tree    *tree
	kind    nodeKind
	text    string // of a scalar, as it is written; of a quoted one without the quotes
	quoted  bool   // the scalar is a text whatever it looks like
	members []member
	items   []*Node
}

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeScalar
	nodeList
	nodeObject
)

// member is a name of an object with its value.
type member struct {
	name  string
	at    Place
	value *Node
}

// tree is what the nodes of a document share.
type tree struct {
	file   string
	diags  *diag.List
	shape  diag.Code
	isJSON bool
}

// ReadTree reads a document of at most [MaxTreeBytes]: JSON, if it begins like
// an object or an array, or YAML. Of YAML it takes what JSON knows too: one
// document, names that are plain texts, no anchors, no tags, no merging. A
// value of another kind than expected is reported with the code shape.
func ReadTree(src *Source, diags *diag.List, shape diag.Code) (root *Node, ok bool) {
	text, err := io.ReadAll(io.LimitReader(src, MaxTreeBytes+1))
	if src.TooLarge(diags) || err != nil {
		return nil, false
	}
	start := bytes.TrimLeft(text, " \t\r\n")
	t := &tree{src.file, diags, shape, bytes.HasPrefix(start, []byte("{")) || bytes.HasPrefix(start, []byte("["))}
	if len(text) > MaxTreeBytes {
		diags.Add(diag.At(diag.Position{File: src.file}, CodeTooLarge, "found more than %d bytes, expected a file that a person wrote", MaxTreeBytes))
		return nil, false
	}
	before := diags.Errors()
	if t.isJSON {
		j := NewJSON(NewSource(src.file, bytes.NewReader(text), 0), diags, shape)
		root = t.json(j, 0)
		j.End()
	} else {
		root = t.yaml(text)
	}
	return root, root != nil && diags.Errors() == before
}

// json reads the next value.
func (t *tree) json(j *JSON, depth int) *Node {
	const what = "the document"
	n := &Node{At: j.Here(), tree: t}
	if depth > maxTreeDepth {
		j.Fault(n.At, CodeSyntax, "found a value in more than %d others, expected fewer", maxTreeDepth)
		j.Skip()
		return n
	}
	switch {
	case j.dead, j.Null():
	case j.IsObject():
		n.kind = nodeObject
		j.Map(what, func(name string, at Place) {
			n.members = append(n.members, member{name, at, t.json(j, depth+1)})
		})
	case j.dec.PeekKind() == '[':
		n.kind = nodeList
		j.Array(what, func(int) { n.items = append(n.items, t.json(j, depth+1)) })
	case j.dec.PeekKind() == '"':
		n.kind, n.quoted = nodeScalar, true
		n.text, _, _ = j.String(what)
	default: // a number, true or false
		n.kind = nodeScalar
		raw, _, _ := j.read()
		n.text = string(raw)
	}
	return n
}

// Report reports a fault at the node.
func (n *Node) Report(code diag.Code, format string, args ...any) {
	n.tree.diags.Add(diag.At(n.Position(), code, format, args...))
}

// Position returns where the node is.
func (n *Node) Position() diag.Position { return n.At.In(n.tree.file) }

// other reports a node that is not what was expected.
func (n *Node) other(what, expected string) {
	found := "nothing"
	switch n.kind {
	case nodeScalar:
		if found = excerpt([]byte(n.text)); n.quoted {
			found = "the text " + quote(n.text)
		}
	case nodeList:
		found = "a list"
	case nodeObject:
		found = "an object"
	}
	n.Report(n.tree.shape, "%s: found %s, expected %s", what, found, expected)
}

// IsObject reports whether the node is an object.
func (n *Node) IsObject() bool { return n.kind == nodeObject }

// Member is a name that an object may have.
type Member struct {
	Name     string
	Required bool // a missing name is a fault
	Read     func(*Node)
}

// Object reads the node as an object with the given names, in the order in
// which they are written. Unknown and missing names are reported; what names
// the object in messages.
func (n *Node) Object(what string, members ...Member) bool {
	if n.kind != nodeObject {
		n.other(what, "an object, that is names with values")
		return false
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	seen := make([]bool, len(members))
	for _, found := range n.members {
		i := slices.Index(names, found.name)
		if i < 0 {
			n.tree.diags.Add(unknownName(found.at.In(n.tree.file), what, found.name, names))
			continue
		}
		seen[i] = true
		members[i].Read(found.value)
	}
	for i, m := range members {
		if m.Required && !seen[i] {
			n.Report(n.tree.shape, "%s: the name %q is missing", what, m.Name)
		}
	}
	return true
}

// List reads the node as a list.
func (n *Node) List(what string, item func(*Node)) bool {
	if n.kind != nodeList {
		n.other(what, "a list")
		return false
	}
	for _, i := range n.items {
		item(i)
	}
	return true
}
