package strict

import (
	"slices"

	"github.com/goccy/go-yaml/token"
)

// maxNames bounds the names of an object in YAML.
const maxNames = 1000

// refused are the parts of YAML that are not taken.
var refused = map[token.Type]string{
	token.AnchorType: "an anchor", token.AliasType: "an alias", token.TagType: "a tag",
	token.MappingKeyType: "a name behind a question mark", token.DirectiveType: "a directive",
}

// taken holds the tokens against the part of YAML that is taken. It also bounds
// depth and width before the parser runs, whose time grows with the square of
// both.
func (y *yamlText) taken(tokens token.Tokens) bool {
	before := y.diags.Errors()
	var size yamlSize
	for i, t := range tokens {
		what, not := refused[t.Type]
		switch {
		case not:
			y.fault(y.place(t), "found %s, expected plain names and values", what)
		case t.Type == token.DocumentHeaderType && slices.ContainsFunc(tokens[:i], content):
			y.fault(y.place(t), "found a second document, expected one")
			return false
		case t.Type == token.DocumentEndType && slices.ContainsFunc(tokens[i+1:], content):
			y.fault(y.place(t), "found more after the end of the document, expected the end of the file")
			return false
		}
		if fault := size.add(t); fault != "" {
			y.fault(y.place(t), "%s", fault)
			return false
		}
	}
	return y.diags.Errors() == before
}

func content(t *token.Token) bool { return t.Type != token.CommentType }

// yamlSize follows depth and width over the tokens of a document.
type yamlSize struct {
	line    int
	inLine  int         // names and dashes of the line, each a level
	flow    int         // open brackets
	last    int         // column of the token before
	objects []yamlNames // those that are open, by their columns
}

// yamlNames counts the names that begin in a column.
type yamlNames struct{ column, n int }

// add takes the next token and says what is too much.
func (s *yamlSize) add(t *token.Token) (fault string) {
	column := t.Position.Column
	if t.Position.Line != s.line && content(t) {
		s.line, s.inLine = t.Position.Line, 0
		for s.flow == 0 && len(s.objects) > 0 && s.objects[len(s.objects)-1].column > column {
			s.objects = s.objects[:len(s.objects)-1]
		}
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		s.flow++
	case token.SequenceEndType, token.MappingEndType:
		s.flow--
	case token.SequenceEntryType, token.MappingValueType:
		if s.flow > 0 {
			break
		}
		s.inLine++
		if t.Type == token.MappingValueType && s.name(s.last) > maxNames {
			return "found an object with more than 1000 names, expected fewer"
		}
	}
	s.last = column
	if s.flow > maxTreeDepth || s.inLine > maxTreeDepth {
		return "found a value in more than 32 others, expected fewer"
	}
	return ""
}

// name counts a name that begins in a column.
func (s *yamlSize) name(column int) int {
	i, found := slices.BinarySearchFunc(s.objects, column, func(o yamlNames, column int) int { return o.column - column })
	if !found {
		s.objects = slices.Insert(s.objects, i, yamlNames{column: column})
	}
	s.objects[i].n++
	return s.objects[i].n
}
