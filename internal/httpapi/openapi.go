package httpapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// submissionBody describes the body of POST /submit. It is read by the
// retrieval package, which takes more than can be written down here.
type submissionBody struct {
	_ struct{} `additionalProperties:"true"`

	Session    string      `json:"teamSessionId,omitempty" doc:"The team's token; team_session_id is taken too, and so is Authorization: Bearer TOKEN"`
	AnswerSets []answerSet `json:"answerSets,omitempty" nullable:"false"`
	Text       string      `json:"text,omitempty" doc:"Instead of answerSets: QA-ANSWER-MEDIA-MS[,MS...] or TR-MEDIA-FRAME[,FRAME...]"`
}

type answerSet struct {
	_       struct{}     `additionalProperties:"true"`
	Answers []sentAnswer `json:"answers" nullable:"false"`
}

type sentAnswer struct {
	_     struct{} `additionalProperties:"true"`
	Media string   `json:"mediaItemName,omitempty" doc:"KIS"`
	Start *float64 `json:"start,omitempty" doc:"KIS: milliseconds; a numeric text is taken too"`
	End   *float64 `json:"end,omitempty" doc:"KIS: likewise; default: start"`
	Text  string   `json:"text,omitempty" doc:"QA-ANSWER-MEDIA-MS[,MS...] or TR-MEDIA-FRAME[,FRAME...]"`
}

const problemMedia = "application/problem+json"

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// describe makes the OpenAPI document of the routes.
func describe(version string) *huma.OpenAPI {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	document := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Scorebook", Version: version,
			Description: "Scoring of a live retrieval contest. Times are in seconds and points are rounded to two decimals; the server keeps both exactly.",
		},
		Components: &huma.Components{
			Schemas: registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"team":        {Type: "http", Scheme: "bearer", Description: "The team's token, as registration told it"},
				"admin":       {Type: "http", Scheme: "bearer", Description: "The admin's token"},
				"adminHeader": {Type: "apiKey", In: "header", Name: "X-Admin-Token", Description: "The admin's token"},
			},
		},
	}
	for _, r := range routes {
		document.AddOperation(operation(registry, &r))
	}
	return document
}

func operation(registry huma.Registry, r *route) *huma.Operation {
	o := &huma.Operation{
		Method: r.method, Path: r.path, OperationID: operationID(r.method, r.path), Tags: []string{r.group},
		Summary: r.summary, Description: r.detail, Responses: map[string]*huma.Response{},
	}
	switch r.access {
	case teamOnly:
		o.Security = []map[string][]string{{"team": {}}}
	case adminOnly:
		o.Security = []map[string][]string{{"admin": {}}, {"adminHeader": {}}}
	}
	for _, match := range pathParameter.FindAllStringSubmatch(r.path, -1) {
		o.Parameters = append(o.Parameters, &huma.Param{Name: match[1], In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	for _, p := range r.query {
		o.Parameters = append(o.Parameters, &huma.Param{Name: p.name, In: p.in, Description: p.doc, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	statuses := append([]int{http.StatusInternalServerError}, r.errors...)
	if r.request != nil {
		o.RequestBody = &huma.RequestBody{Content: content(registry, "application/json", r.request)}
		statuses = append(statuses, http.StatusBadRequest, http.StatusRequestEntityTooLarge)
	}
	if len(r.query) > 0 {
		statuses = append(statuses, http.StatusBadRequest)
	}
	if r.access == adminOnly {
		statuses = append(statuses, http.StatusUnauthorized, http.StatusForbidden)
	}
	for _, status := range statuses {
		o.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: content(registry, problemMedia, problem{}),
		}
	}
	media := r.media
	if media == "" {
		media = "application/json"
	}
	o.Responses["200"] = &huma.Response{Description: http.StatusText(http.StatusOK), Content: content(registry, media, r.reply)}
	return o
}

// content describes a body of a media type by a zero value.
func content(registry huma.Registry, media string, zero any) map[string]*huma.MediaType {
	described := &huma.MediaType{}
	if zero != nil {
		described.Schema = registry.Schema(reflect.TypeOf(zero), true, "")
	}
	return map[string]*huma.MediaType{media: described}
}

// operationID makes a name such as post-admin-teams-id-ban.
func operationID(method, path string) string {
	words := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/{}.", r) })
	return strings.Join(append([]string{strings.ToLower(method)}, words...), "-")
}

func encodeDocument(document *huma.OpenAPI) []byte {
	encoded, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		panic("the OpenAPI document cannot be encoded: " + err.Error()) // it is made of constants
	}
	return append(encoded, '\n')
}
