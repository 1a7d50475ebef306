package dresapi

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The bodies below are read as what they are sent as, which is more than can be
// written down; see package retrieval and docs/dres.md.

// clientSubmission is the body of a submission.
type clientSubmission struct {
	AnswerSets []clientAnswerSet `json:"answerSets" nullable:"false"`
}

type clientAnswerSet struct {
	TaskID   *string        `json:"taskId,omitempty" doc:"Not needed: the task that runs is meant"`
	TaskName *string        `json:"taskName,omitempty" doc:"Likewise"`
	Answers  []clientAnswer `json:"answers" nullable:"false"`
}

type clientAnswer struct {
	Text       *string `json:"text,omitempty" doc:"QA: QA-ANSWER-VIDEO-MS[,MS...]; TRAKE: TR-VIDEO-FRAME[,FRAME...]"`
	Media      *string `json:"mediaItemName,omitempty" doc:"KIS, and TRAKE with one answer for each event"`
	Collection *string `json:"mediaItemCollectionName,omitempty" doc:"Not looked at"`
	Start      *int64  `json:"start,omitempty" doc:"Milliseconds"`
	End        *int64  `json:"end,omitempty" doc:"Milliseconds; default: start"`
}

type queryEvent struct {
	Timestamp int64  `json:"timestamp"`
	Category  string `json:"category" enum:"TEXT,IMAGE,SKETCH,FILTER,BROWSING,COOPERATION,OTHER"`
	Type      string `json:"type"`
	Value     string `json:"value"`
}

type queryEventLog struct {
	Timestamp int64        `json:"timestamp" doc:"Milliseconds since 1970"`
	Events    []queryEvent `json:"events" nullable:"false"`
}

type rankedAnswer struct {
	Answer clientAnswer `json:"answer"`
	Rank   *int32       `json:"rank,omitempty"`
}

type queryResultLog struct {
	Timestamp    int64          `json:"timestamp" doc:"Milliseconds since 1970"`
	SortType     string         `json:"sortType"`
	Availability string         `json:"resultSetAvailability"`
	Results      []rankedAnswer `json:"results" nullable:"false"`
	Events       []queryEvent   `json:"events" nullable:"false"`
}

// schemaNames are the names of DRES's own document, from which clients are
// generated.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[loginRequest]():     "LoginRequest",
	reflect.TypeFor[account]():          "ApiUser",
	reflect.TypeFor[said]():             "SuccessStatus",
	reflect.TypeFor[listed]():           "ApiClientEvaluationInfo",
	reflect.TypeFor[taskTemplate]():     "ApiClientTaskTemplateInfo",
	reflect.TypeFor[information]():      "ApiEvaluationInfo",
	reflect.TypeFor[properties]():       "ApiRunProperties",
	reflect.TypeFor[participant]():      "ApiTeamInfo",
	reflect.TypeFor[taskInfo]():         "ApiTaskTemplateInfo",
	reflect.TypeFor[standing]():         "ApiEvaluationState",
	reflect.TypeFor[clientSubmission](): "ApiClientSubmission",
	reflect.TypeFor[clientAnswerSet]():  "ApiClientAnswerSet",
	reflect.TypeFor[clientAnswer]():     "ApiClientAnswer",
	reflect.TypeFor[verdict]():          "SuccessfulSubmissionsStatus",
	reflect.TypeFor[queryEvent]():       "QueryEvent",
	reflect.TypeFor[queryEventLog]():    "QueryEventLog",
	reflect.TypeFor[rankedAnswer]():     "RankedAnswer",
	reflect.TypeFor[queryResultLog]():   "QueryResultLog",
	reflect.TypeFor[currentTime]():      "CurrentTime",
	reflect.TypeFor[serverInfo]():       "DresInfo",
	reflect.TypeFor[failure]():          "ErrorStatus",
}

// failure is the reply to what is refused: in DRES's document a schema of its own.
type failure said

// describe makes the document of the dialect.
func describe(version string) *huma.OpenAPI {
	registry := huma.NewMapRegistry("#/components/schemas/", func(t reflect.Type, hint string) string {
		if name := schemaNames[t]; name != "" {
			return name
		}
		return huma.DefaultSchemaNamer(t, hint)
	})
	document := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "DRES's interface for clients, as Scorebook serves it", Version: version,
			Description: "A contest is one evaluation and each question is a task. More is read than is described here; no reply has another key.",
		},
		Components: &huma.Components{
			Schemas: registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"query":  {Type: "apiKey", In: "query", Name: "session", Description: "It wins over the others"},
				"cookie": {Type: "apiKey", In: "cookie", Name: cookieName},
				"header": {Type: "http", Scheme: "bearer"},
			},
		},
	}
	for i := range routes {
		document.AddOperation(routes[i].operation(registry))
	}
	return document
}

func (r *route) operation(registry huma.Registry) *huma.Operation {
	o := &huma.Operation{Method: r.method, Path: r.path, OperationID: r.operationID(), Summary: r.summary, Responses: map[string]*huma.Response{}}
	statuses := append([]int{}, r.errors...)
	if strings.Contains(r.path, evaluationSegment) {
		o.Parameters = append(o.Parameters, &huma.Param{Name: strings.Trim(evaluationSegment, "{}"), In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
		statuses = append(statuses, http.StatusNotFound)
	}
	for _, name := range r.query {
		o.Parameters = append(o.Parameters, &huma.Param{Name: name, In: "query", Schema: &huma.Schema{Type: huma.TypeString}})
	}
	if r.signedIn {
		o.Security = []map[string][]string{{"query": {}}, {"cookie": {}}, {"header": {}}}
		statuses = append(statuses, http.StatusUnauthorized)
	}
	if r.request != nil {
		o.RequestBody = &huma.RequestBody{Content: content(registry, r.request)}
	}
	for _, status := range statuses {
		o.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: content(registry, failure{})}
	}
	o.Responses["200"] = &huma.Response{Description: http.StatusText(http.StatusOK), Content: content(registry, r.reply)}
	return o
}

func content(registry huma.Registry, zero any) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: registry.Schema(reflect.TypeOf(zero), true, "")}}
}

// operationID names an operation as DRES does: the method and the segments of the
// path, each with a capital, and By before a parameter.
func (r *route) operationID() string {
	id := strings.ToLower(r.method)
	for _, segment := range r.segments {
		if name, parameter := strings.CutPrefix(segment, "{"); parameter {
			segment, id = strings.TrimSuffix(name, "}"), id+"By"
		}
		segment, _, _ = strings.Cut(segment, ".")
		id += strings.ToUpper(segment[:1]) + segment[1:]
	}
	return id
}

// encodeDocument writes the document in version 3.0, which every generator reads.
func encodeDocument(document *huma.OpenAPI) []byte {
	text, err := document.Downgrade()
	if err != nil {
		panic("the OpenAPI document cannot be encoded: " + err.Error()) // it is made of constants
	}
	return text
}

func (a *API) openAPI(c *call) error {
	c.Header().Set("Content-Type", "application/json")
	_, _ = c.Write(a.document()) // the client may be gone
	return nil
}
