package dresapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"scorebook/internal/dresapi"
)

// document is the OpenAPI document, as much of it as its tests look at.
type document struct {
	OpenAPI    string
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]*schema }
}

type operation struct {
	OperationID string
	Responses   map[string]struct {
		Content map[string]struct{ Schema *schema }
	}
	Security []any
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 string
	Enum                 []string
	Nullable             bool
	Items                *schema
	Properties           map[string]*schema
	Required             []string
	AdditionalProperties any
}

func (s *site) document() *document {
	s.t.Helper()
	r := s.call(http.MethodGet, "/api/v2/openapi.json", "")
	var d document
	if err := json.Unmarshal(r.Body.Bytes(), &d); err != nil || r.Header().Get("Content-Type") != "application/json" {
		s.t.Fatalf("%v, %v", err, r.Header())
	}
	return &d
}

// faults says what of a value is not as a schema has it.
func (d *document) faults(at string, s *schema, value any) (all []string) {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		s = d.Components.Schemas[name]
	}
	fault := func() []string {
		return append(all, fmt.Sprintf("%s: found %v, expected %s %v", at, value, s.Type, s.Enum))
	}
	switch v := value.(type) {
	case nil:
		if !s.Nullable {
			return fault()
		}
	case string:
		if s.Type != "string" || s.Enum != nil && !slices.Contains(s.Enum, v) {
			return fault()
		}
	case bool:
		if s.Type != "boolean" {
			return fault()
		}
	case float64:
		if s.Type != "number" && (s.Type != "integer" || v != float64(int64(v))) {
			return fault()
		}
	case []any:
		if s.Type != "array" {
			return fault()
		}
		for i, item := range v {
			all = append(all, d.faults(fmt.Sprintf("%s[%d]", at, i), s.Items, item)...)
		}
	case map[string]any:
		if s.Type != "object" {
			return fault()
		}
		if s.Properties == nil {
			return nil // any object
		}
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				all = append(all, at+": "+name+" is missing")
			}
		}
		for name, member := range v {
			if s.Properties[name] == nil {
				all = append(all, at+": "+name+" is a key too many")
				continue
			}
			all = append(all, d.faults(at+"."+name, s.Properties[name], member)...)
		}
	}
	return all
}

var lastID = regexp.MustCompile(`/(c0ffee|other|x)(/|$)`)

// check holds a reply against the document: its status must be one of those that
// it lists, and its keys those of the schema.
func (d *document) check(t testing.TB, method, path string, status int, value any) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	path = "/" + strings.Join(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }), "/")
	path = lastID.ReplaceAllString(strings.TrimPrefix(path, "/dres"), "/{evaluationId}$2")
	operation, ok := d.Paths[path][strings.ToLower(method)]
	if !ok || status == http.StatusMethodNotAllowed {
		return
	}
	response, ok := operation.Responses[fmt.Sprint(status)]
	if !ok {
		t.Errorf("%s %s: status %d is not in the document", method, path, status)
		return
	}
	for _, fault := range d.faults(operation.OperationID, response.Content["application/json"].Schema, value) {
		t.Error(fault)
	}
}

// The document names what clients are generated from as DRES's own does (doc of
// version 2.0.4).
func TestDocument(t *testing.T) {
	d := newSite(t, dresapi.Options{Version: "1.2.3"}).document()
	want := map[string]string{
		"post /api/v2/login": "postApiV2Login", "get /api/v2/logout": "getApiV2Logout", "get /api/v2/user": "getApiV2User", "get /api/v2/user/session": "getApiV2UserSession",
		"get /api/v2/client/evaluation/list":                       "getApiV2ClientEvaluationList",
		"get /api/v2/client/evaluation/currentTask/{evaluationId}": "getApiV2ClientEvaluationCurrentTaskByEvaluationId",
		"get /api/v2/evaluation/info/list":                         "getApiV2EvaluationInfoList",
		"get /api/v2/evaluation/state/list":                        "getApiV2EvaluationStateList",
		"get /api/v2/evaluation/{evaluationId}/info":               "getApiV2EvaluationByEvaluationIdInfo",
		"get /api/v2/evaluation/{evaluationId}/state":              "getApiV2EvaluationByEvaluationIdState",
		"post /api/v2/submit/{evaluationId}":                       "postApiV2SubmitByEvaluationId",
		"post /api/v2/log/query/{evaluationId}":                    "postApiV2LogQueryByEvaluationId",
		"post /api/v2/log/result/{evaluationId}":                   "postApiV2LogResultByEvaluationId",
		"get /api/v2/status/time":                                  "getApiV2StatusTime", "get /api/v2/status/info": "getApiV2StatusInfo",
		"get /api/v2/openapi.json": "getApiV2Openapi", "post /api/v1/login": "postApiV1Login", "get /api/v1/submit": "getApiV1Submit",
	}
	got := map[string]string{}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			got[method+" "+path] = operation.OperationID
		}
	}
	if !maps.Equal(got, want) || !strings.HasPrefix(d.OpenAPI, "3.0.") {
		t.Errorf("version %s, found %v", d.OpenAPI, got)
	}
	for _, name := range []string{"ApiClientSubmission", "ApiClientAnswer", "ApiUser", "SuccessfulSubmissionsStatus", "ErrorStatus", "ApiEvaluationState", "QueryResultLog", "CurrentTime"} {
		if s := d.Components.Schemas[name]; s == nil || s.Type != "object" || s.AdditionalProperties != false {
			t.Errorf("the schema %s is %+v", name, s)
		}
	}
}
