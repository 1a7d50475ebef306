package dresapi

import (
	"net/http"
	"strings"
)

// route is what a method and a path are answered by, and how it is described.
type route struct {
	method, path string // the segment {evaluationId} is the id of the evaluation
	handle       func(*API, *call) error
	summary      string
	signedIn     bool // it needs a session
	acts         bool // a GET that is more than a look: no HEAD stands for it
	request      any  // a zero value of its body; nil: none
	query        []string
	reply        any // a zero value of what status 200 comes with
	errors       []int

	segments []string
	name     string // as it is logged and counted
}

var routes = prepare([]route{
	{method: http.MethodPost, path: "/api/v2/login", handle: (*API).login, summary: "Sign in with a team's name and its password or token", request: loginRequest{}, reply: account{}, errors: []int{400, 401, 413, 429}},
	{method: http.MethodGet, path: "/api/v2/logout", handle: (*API).logout, summary: "End the session", signedIn: true, acts: true, reply: said{}},
	{method: http.MethodGet, path: "/api/v2/user", handle: (*API).user, summary: "The team whose session it is", signedIn: true, reply: account{}},
	{method: http.MethodGet, path: "/api/v2/user/session", handle: (*API).session, summary: "The id of the session, as a JSON string", signedIn: true, reply: ""},
	{method: http.MethodGet, path: "/api/v2/client/evaluation/list", handle: (*API).list, summary: "The contest, as a list of one evaluation", signedIn: true, reply: []listed{}},
	{method: http.MethodGet, path: "/api/v2/client/evaluation/currentTask/{evaluationId}", handle: (*API).currentTask, summary: "The task that runs; between tasks the last one, before the first the first", signedIn: true, reply: taskTemplate{}},
	{method: http.MethodGet, path: "/api/v2/evaluation/info/list", handle: (*API).infos, summary: "The contest in more words, as a list of one", signedIn: true, reply: []information{}},
	{method: http.MethodGet, path: "/api/v2/evaluation/state/list", handle: (*API).states, summary: "Where the contest stands, as a list of one, for everybody", reply: []standing{}},
	{method: http.MethodGet, path: "/api/v2/evaluation/{evaluationId}/info", handle: (*API).info, summary: "The contest in more words", signedIn: true, reply: information{}},
	{method: http.MethodGet, path: "/api/v2/evaluation/{evaluationId}/state", handle: (*API).state, summary: "Where the contest stands", signedIn: true, reply: standing{}},
	{method: http.MethodPost, path: "/api/v2/submit/{evaluationId}", handle: (*API).submit, summary: "Submit an answer to the task that runs", signedIn: true, request: clientSubmission{}, reply: verdict{}, errors: []int{400, 412, 413, 429}},
	{method: http.MethodPost, path: "/api/v2/log/query/{evaluationId}", handle: (*API).logQuery, summary: "Tell what a user asked for", signedIn: true, request: queryEventLog{}, reply: said{}, errors: []int{400, 413, 429}},
	{method: http.MethodPost, path: "/api/v2/log/result/{evaluationId}", handle: (*API).logResult, summary: "Tell which results a user saw", signedIn: true, request: queryResultLog{}, reply: said{}, errors: []int{400, 413, 429}},
	{method: http.MethodGet, path: "/api/v2/status/time", handle: (*API).time, summary: "The clock of the server", reply: currentTime{}},
	{method: http.MethodGet, path: "/api/v2/status/info", handle: (*API).about, summary: "What runs, and since when", reply: serverInfo{}},
	{method: http.MethodGet, path: "/api/v2/openapi.json", handle: (*API).openAPI, summary: "This document", reply: map[string]any{}},
	{method: http.MethodPost, path: "/api/v1/login", handle: (*API).login, summary: "Sign in, for older tools", request: loginRequest{}, reply: account{}, errors: []int{400, 401, 413, 429}},
	{method: http.MethodGet, path: "/api/v1/submit", handle: (*API).submitOld, summary: "Submit an answer, for older tools", signedIn: true, acts: true, query: []string{"item", "frame", "shot", "timecode", "text"}, reply: verdict{}, errors: []int{400, 404, 412, 429}},
})

func prepare(all []route) []route {
	for i := range all {
		all[i].segments, all[i].name = segments(all[i].path), "DRES "+all[i].path
	}
	return all
}

const evaluationSegment = "{evaluationId}"

// segments returns the parts of a path between slashes, however many there are.
func segments(path string) []string {
	return strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
}

// matches reports whether a path is the route's, and which evaluation it names.
func (r *route) matches(path []string) (id string, ok bool) {
	if len(path) != len(r.segments) {
		return "", false
	}
	for i, segment := range r.segments {
		switch {
		case segment == evaluationSegment:
			id = path[i]
		case segment != path[i]:
			return "", false
		}
	}
	return id, true
}
