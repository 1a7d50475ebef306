package httpapi

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

var (
	//go:embed manual.html
	manualSource string
	//go:embed manual.css
	style []byte

	manualPage = template.Must(template.New("manual").Parse(manualSource))
)

// manual is what the page shows: the OpenAPI document, in the order of the
// table of routes.
type manual struct {
	Version string
	About   string
	Groups  []manualGroup
	Types   []manualType
}

type manualGroup struct {
	Title      string
	Operations []manualOperation
}

type manualOperation struct {
	ID, Method, Path, Summary, Detail, Who string
	Parameters                             []*huma.Param
	Takes, Gives                           string // names of types
	Media                                  string
	Refusals                               []string // statuses
}

type manualType struct {
	Name   string
	Fields []manualField
}

type manualField struct {
	Name, Type, Of, Doc string // Of is the name of the type that it is made of
	Optional            bool
}

// renderManual makes the page.
func renderManual(document *huma.OpenAPI) []byte {
	page := manual{Version: document.Info.Version, About: document.Info.Description}
	for _, r := range routes {
		item := document.Paths[r.path]
		o := item.Get
		if r.method == "POST" {
			o = item.Post
		}
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Title != r.group {
			page.Groups = append(page.Groups, manualGroup{Title: r.group})
		}
		group := &page.Groups[len(page.Groups)-1]
		group.Operations = append(group.Operations, describeOperation(o, r.access))
	}
	schemas := document.Components.Schemas.Map()
	for name := range schemas {
		page.Types = append(page.Types, describeType(name, schemas[name]))
	}
	slices.SortFunc(page.Types, func(a, b manualType) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	if err := manualPage.Execute(&out, page); err != nil {
		panic("the manual cannot be rendered: " + err.Error()) // it is made of constants
	}
	return out.Bytes()
}

func describeOperation(o *huma.Operation, who access) manualOperation {
	m := manualOperation{
		ID: o.OperationID, Method: o.Method, Path: o.Path, Summary: o.Summary, Detail: o.Description, Parameters: o.Parameters,
		Who: []string{"everybody", "teams", "organisers"}[who],
	}
	if o.RequestBody != nil {
		for _, body := range o.RequestBody.Content {
			m.Takes = refName(body.Schema)
		}
	}
	for code, response := range o.Responses {
		if code != "200" {
			m.Refusals = append(m.Refusals, code)
			continue
		}
		for media, body := range response.Content {
			m.Media = media
			if body.Schema != nil {
				m.Gives = refName(body.Schema)
			}
		}
	}
	slices.Sort(m.Refusals)
	return m
}

func refName(s *huma.Schema) string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

func describeType(name string, s *huma.Schema) manualType {
	t := manualType{Name: name}
	for field, of := range s.Properties {
		f := manualField{Name: field, Doc: of.Description, Optional: !slices.Contains(s.Required, field)}
		f.Type, f.Of = typeOf(of)
		for _, value := range of.Enum {
			f.Doc = strings.TrimPrefix(f.Doc+" | "+value.(string), " | ")
		}
		t.Fields = append(t.Fields, f)
	}
	slices.SortFunc(t.Fields, func(a, b manualField) int { return strings.Compare(a.Name, b.Name) })
	return t
}

// typeOf says what a value is, and the name of the type that it is made of.
func typeOf(s *huma.Schema) (text, of string) {
	switch {
	case s.Ref != "":
		return "", refName(s)
	case len(s.OneOf) > 0:
		return "string or integer", ""
	case s.Items != nil:
		text, of = typeOf(s.Items)
		return strings.TrimSpace("list of " + text), of
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		text, of = typeOf(values)
		return strings.TrimSpace("object by id of " + text), of
	}
	return s.Type, ""
}
