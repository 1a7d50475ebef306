package strict

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"scorebook/diag"
)

// CodeYAMLSyntax is that of a text that is not YAML, or more than we take of it.
var CodeYAMLSyntax = diag.Define("yaml/syntax", diag.Error,
	"the file is not YAML, or uses a part of YAML that JSON does not know",
	"write plain names, values, lists and objects; no anchors, tags or second documents, and no tabs for indentation")

// yamlText is a YAML document being read.
type yamlText struct {
	*tree
	text []byte
	// The last place that was asked for, to count columns from there.
	line, column uint32
	start        int // offset of the line
	offset       int // of the place
}

// yaml reads a document. Nil means that there is none, which is reported.
func (t *tree) yaml(text []byte) *Node {
	y := &yamlText{tree: t, text: text, line: 1, column: 1}
	if !y.characters() {
		return nil
	}
	tokens := lexer.Tokenize(string(text))
	if !y.taken(tokens) {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		at, message := Place{1, 1}, err.Error()
		if known := yaml.Error(nil); errors.As(err, &known) {
			at, message = y.place(known.GetToken()), known.GetMessage()
		}
		y.fault(at, "found no YAML that can be read: %s", excerpt([]byte(message)))
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		y.fault(Place{1, 1}, "found an empty document, expected names with values")
		return nil
	}
	return y.node(file.Docs[0].Body, 0)
}

func (y *yamlText) fault(at Place, format string, args ...any) {
	y.diags.Add(diag.At(at.In(y.file), CodeYAMLSyntax, format, args...))
}

// characters holds the text against what YAML may be written in. A carriage
// return belongs to a line feed, or lines would be counted in two ways.
func (y *yamlText) characters() bool {
	for i, rest := 0, y.text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		fault := ""
		switch {
		case r == utf8.RuneError && size == 1:
			fault = "a byte that is not UTF-8"
		case r == '\r' && !bytes.HasPrefix(rest[size:], []byte("\n")):
			fault = "a carriage return without a line feed"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			fault = "a control character"
		}
		if fault != "" {
			before := y.text[:i]
			start := bytes.LastIndexByte(before, '\n') + 1
			y.fault(Place{uint32(1 + bytes.Count(before, []byte("\n"))), uint32(1 + i - start)}, "found %s, expected text", fault)
			return false
		}
		rest, i = rest[size:], i+size
	}
	return true
}

// place returns where a token begins. The parser counts columns in characters.
func (y *yamlText) place(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{1, 1}
	}
	line, column := uint32(max(1, t.Position.Line)), uint32(max(1, t.Position.Column))
	if line != y.line || column < y.column {
		y.column = 0 // counts again
	}
	if line < y.line {
		y.line, y.start = 1, 0
	}
	for y.line < line {
		end := bytes.IndexByte(y.text[y.start:], '\n')
		if end < 0 {
			break // a place behind the text
		}
		y.line, y.start = y.line+1, y.start+end+1
	}
	if y.column == 0 {
		y.column, y.offset = 1, y.start
	}
	for y.column < column && y.offset < len(y.text) && y.text[y.offset] != '\n' {
		_, size := utf8.DecodeRune(y.text[y.offset:])
		y.column, y.offset = y.column+1, y.offset+size
	}
	return Place{y.line, uint32(y.offset-y.start) + 1}
}

// node takes over a value of the parser.
func (y *yamlText) node(value ast.Node, depth int) *Node {
	n := &Node{At: y.place(value.GetToken()), tree: y.tree}
	refuse := func(format string, args ...any) *Node {
		y.fault(n.At, format, args...)
		return n
	}
	if depth > maxTreeDepth {
		return refuse("found a value in more than %d others, expected fewer", maxTreeDepth)
	}
	switch v := value.(type) {
	case *ast.MappingNode:
		return y.object(n, v.Values, depth)
	case *ast.MappingValueNode: // an object of one name
		return y.object(n, []*ast.MappingValueNode{v}, depth)
	case *ast.SequenceNode:
		n.kind = nodeList
		for _, item := range v.Values {
			n.items = append(n.items, y.node(item, depth+1))
		}
	case *ast.NullNode:
	case *ast.StringNode:
		n.kind, n.text = nodeScalar, v.Value
		n.quoted = v.Token.Type == token.SingleQuoteType || v.Token.Type == token.DoubleQuoteType
		if !n.quoted && strings.Contains(strings.TrimSpace(v.Token.Origin), "\n") {
			return refuse("found a text over several lines without quotes, expected one line, or quotes around it")
		}
	case *ast.LiteralNode:
		n.kind, n.text, n.quoted = nodeScalar, v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.kind, n.text = nodeScalar, value.GetToken().Value
	default:
		return refuse("found a %s, expected a plain value", strings.ToLower(value.Type().String()))
	}
	return n
}

func (y *yamlText) object(n *Node, values []*ast.MappingValueNode, depth int) *Node {
	n.kind = nodeObject
	first := map[string]Place{}
	for _, v := range values {
		key := v.Key.GetToken()
		at, name := y.place(key), key.Value
		switch v.Key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
			// A name is as it is written.
		default:
			y.fault(at, "found a %s for a name, expected a plain text", strings.ToLower(v.Key.Type().String()))
			continue
		}
		if earlier, twice := first[name]; twice {
			y.diags.Add(duplicateName(y.file, name, at, earlier))
			continue
		}
		first[name] = at
		n.members = append(n.members, member{name, at, y.node(v.Value, depth+1)})
	}
	if len(n.members) > 0 {
		n.At = n.members[0].at
	}
	return n
}
