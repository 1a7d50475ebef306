package httpapi

import "net/http"

// route is a row of the table of routes.
type route struct {
	method, path string
	access       access
	quiet        bool // logged for debugging only: probes and what is polled

	group   string // heading in the manual
	summary string
	detail  string
	query   []parameter
	request any    // zero value of the body's type; nil: none
	reply   any    // zero value of the reply's type; nil: media says what is sent
	media   string // of the reply; empty: JSON
	errors  []int  // statuses besides those of every route

	handle func(*api, *exchange) error
}

// parameter is a part of the query or a header.
type parameter struct{ name, in, doc string }

func query(name, doc string) parameter  { return parameter{name, "query", doc} }
func header(name, doc string) parameter { return parameter{name, "header", doc} }

// Headings of the manual.
const (
	groupContest = "The contest"
	groupTeams   = "Teams"
	groupAdmin   = "Organisers: questions"
	groupPeople  = "Organisers: teams"
	groupJury    = "Organisers: what happened"
	groupServer  = "The server"
)

var lastEventID = []parameter{
	header("Last-Event-ID", "The id of the last frame that was seen: the stream goes on from there"),
	query("last_event_id", "The same, for clients that cannot send headers"),
}

// routes is every route there is.
var routes = []route{
	{method: http.MethodGet, path: "/", group: groupContest, summary: "Whether the server is there", reply: greeting{}, handle: (*api).greet},
	{method: http.MethodGet, path: "/config", group: groupContest, summary: "Rules and questions, without ground truth", reply: config{}, handle: (*api).config},
	{method: http.MethodGet, path: "/questions", group: groupContest, summary: "All questions", reply: questionList{}, handle: (*api).questions},
	{
		method: http.MethodGet, path: "/question/{id}/status", group: groupContest, summary: "Where a question stands",
		detail: "The ground truth is part of it once it is revealed.", reply: status{}, errors: []int{404}, handle: (*api).questionStatus,
	},
	{
		method: http.MethodGet, path: "/leaderboard", group: groupContest, summary: "The ranking",
		query: []parameter{query("question", "Only this question's")}, reply: ranking{}, errors: []int{404}, handle: (*api).leaderboard,
	},
	{
		method: http.MethodGet, path: "/api/leaderboard-data", quiet: true, group: groupContest, summary: "The ranking with every question",
		detail: "The ETag is the number of the last event: send it back as If-None-Match, and an unchanged table is a 304.",
		reply:  board{}, handle: (*api).leaderboardData,
	},
	{
		method: http.MethodGet, path: "/events", quiet: true, group: groupContest, summary: "The ranking as a stream of changes",
		detail: "Server-sent events of the type state; the id is the number of the last event of the contest. At most ten frames a second.",
		query:  lastEventID, reply: frame{}, media: "text/event-stream", errors: []int{503}, handle: (*api).events,
	},

	{
		method: http.MethodPost, path: "/teams/register", group: groupTeams, summary: "Register a team",
		detail:  "The reply holds the team's token, which is told only once. At most 20 teams a second may register, all together.",
		request: registration{}, reply: registered{}, errors: []int{403, 409, 429, 503}, handle: (*api).register,
	},
	{
		method: http.MethodPost, path: "/submit", access: teamOnly, group: groupTeams, summary: "Submit an answer to the running question",
		detail: "At most 64 KiB of JSON, whatever its Content-Type. What counts is the moment at which the request arrived. " +
			"The reply's header Scorebook-Receipt proves that the submission was recorded.",
		query:   []parameter{header("Idempotency-Key", "At most 200 visible characters: the same key with the same body is the same submission, and gets the first reply")},
		request: submissionBody{}, reply: verdict{}, errors: []int{401, 403, 408, 409, 429, 503}, handle: (*api).submit,
	},
	{
		method: http.MethodGet, path: "/teams/me", access: teamOnly, group: groupTeams, summary: "The own team: rank, attempts and scores",
		reply: account{}, errors: []int{401}, handle: (*api).me,
	},
	{
		method: http.MethodGet, path: "/submissions/{receipt}", access: teamOnly, group: groupTeams, summary: "An own submission",
		detail: "With its arithmetic once the question is revealed.", reply: submission{}, errors: []int{401, 404}, handle: (*api).submission,
	},

	{
		method: http.MethodPost, path: "/admin/start-question", access: adminOnly, group: groupAdmin, summary: "Start a question",
		detail: "A question that runs is ended.", request: startRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).startQuestion,
	},
	{method: http.MethodPost, path: "/admin/stop-question", access: adminOnly, group: groupAdmin, summary: "End the running question", request: questionRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).stopQuestion},
	{
		method: http.MethodPost, path: "/admin/extend", access: adminOnly, group: groupAdmin, summary: "Move the end of the running question",
		detail: "Scores do not change: in the added time the time factor is 0.", request: extendRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).extend,
	},
	{method: http.MethodPost, path: "/admin/void", access: adminOnly, group: groupAdmin, summary: "Take a question out of the standings, or back in", request: voidRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).void},
	{method: http.MethodPost, path: "/admin/reveal", access: adminOnly, group: groupAdmin, summary: "Show everybody the ground truth of a closed question", request: revealRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).reveal},
	{method: http.MethodPost, path: "/admin/override", access: adminOnly, group: groupAdmin, summary: "Put the jury's verdict in place of the computed one", request: overrideRequest{}, reply: done{}, errors: []int{404, 503}, handle: (*api).override},
	{
		method: http.MethodPost, path: "/admin/freeze", access: adminOnly, group: groupAdmin, summary: "Make the ranking stand still for the public",
		detail: "The jury's goes on, and teams still learn what their own answers earn.", request: resetRequest{}, reply: done{}, errors: []int{503}, handle: (*api).freeze,
	},
	{
		method: http.MethodPost, path: "/admin/unveil", access: adminOnly, group: groupAdmin, summary: "Show the next team of a frozen ranking as it is now",
		detail:  "From the last place up, to the first team whose results changed. When none is left, the ranking thaws.",
		request: resetRequest{}, reply: done{}, errors: []int{409, 503}, handle: (*api).unveil,
	},
	{method: http.MethodPost, path: "/admin/thaw", access: adminOnly, group: groupAdmin, summary: "Show everybody the ranking as it is", request: resetRequest{}, reply: done{}, errors: []int{503}, handle: (*api).thaw},
	{method: http.MethodPost, path: "/admin/reset", access: adminOnly, group: groupAdmin, summary: "Void everything that was played", request: resetRequest{}, reply: done{}, errors: []int{503}, handle: (*api).reset},
	{method: http.MethodPost, path: "/admin/reset-all", access: adminOnly, group: groupAdmin, summary: "Void everything that was played, and remove the teams", request: resetRequest{}, reply: done{}, errors: []int{503}, handle: (*api).resetAll},

	{method: http.MethodPost, path: "/admin/registration", access: adminOnly, group: groupPeople, summary: "Say who may register", request: registrationRequest{}, reply: done{}, errors: []int{503}, handle: (*api).setRegistration},
	{method: http.MethodGet, path: "/admin/teams", access: adminOnly, group: groupPeople, summary: "All teams", reply: roster{}, handle: (*api).teams},
	{method: http.MethodPost, path: "/admin/teams", access: adminOnly, group: groupPeople, summary: "Add a team, whatever the registration is", request: teamRequest{}, reply: registered{}, errors: []int{409, 503}, handle: (*api).createTeam},
	{method: http.MethodPost, path: "/admin/teams/{id}/rename", access: adminOnly, group: groupPeople, summary: "Rename a team", request: renameRequest{}, reply: done{}, errors: []int{404, 409, 503}, handle: (*api).rename},
	{method: http.MethodPost, path: "/admin/teams/{id}/ban", access: adminOnly, group: groupPeople, summary: "Keep a team out, or let it in again", request: banRequest{}, reply: done{}, errors: []int{404, 503}, handle: (*api).ban},
	{method: http.MethodPost, path: "/admin/teams/{id}/rotate-token", access: adminOnly, group: groupPeople, summary: "Give a team a new token", request: resetRequest{}, reply: registered{}, errors: []int{404, 503}, handle: (*api).rotateToken},

	{method: http.MethodGet, path: "/admin/sessions", access: adminOnly, group: groupJury, summary: "Every question that was started", reply: sessions{}, handle: (*api).sessions},
	{
		method: http.MethodGet, path: "/admin/submissions", access: adminOnly, group: groupJury, summary: "Submissions, oldest first",
		query: []parameter{
			query("question", "Only to this question"), query("team", "Only of the team with this id"),
			query("after", "Only those with a greater number"), query("limit", "At most so many, up to 500; default: 100"),
		},
		reply: attempts{}, handle: (*api).submissions,
	},
	{method: http.MethodGet, path: "/admin/submissions/{seq}", access: adminOnly, group: groupJury, summary: "A submission with its arithmetic", reply: explained{}, errors: []int{404}, handle: (*api).explainSubmission},
	{method: http.MethodGet, path: "/admin/questions", access: adminOnly, group: groupJury, summary: "All questions with their ground truth", reply: fullQuestions{}, handle: (*api).fullQuestions},
	{method: http.MethodGet, path: "/admin/leaderboard", access: adminOnly, quiet: true, group: groupJury, summary: "The ranking with banned teams", reply: board{}, handle: (*api).juryBoard},
	{method: http.MethodGet, path: "/admin/series", access: adminOnly, group: groupJury, summary: "How the standings came about", reply: series{}, handle: (*api).series},
	{
		method: http.MethodGet, path: "/admin/export", access: adminOnly, group: groupJury, summary: "Everything as a zip file",
		query: []parameter{query("simulated", "true: standings and submissions with simulated teams")}, media: "application/zip", handle: (*api).export,
	},
	{
		method: http.MethodGet, path: "/admin/events", access: adminOnly, quiet: true, group: groupJury, summary: "The jury's ranking as a stream of changes",
		query: lastEventID, reply: frame{}, media: "text/event-stream", errors: []int{503}, handle: (*api).juryEvents,
	},

	{method: http.MethodGet, path: "/healthz", quiet: true, group: groupServer, summary: "Whether the process lives", reply: health{}, handle: (*api).alive},
	{method: http.MethodGet, path: "/readyz", quiet: true, group: groupServer, summary: "Whether submissions can be recorded", reply: health{}, errors: []int{503}, handle: (*api).ready},
	{method: http.MethodGet, path: "/metrics", quiet: true, group: groupServer, summary: "Counts for Prometheus", media: "text/plain", handle: (*api).prometheus},
	{method: http.MethodGet, path: "/openapi.json", group: groupServer, summary: "This interface as OpenAPI 3.1", media: "application/json", handle: (*api).openAPI},
	{method: http.MethodGet, path: "/docs", group: groupServer, summary: "This interface as a page", media: "text/html", handle: (*api).docs},
	{method: http.MethodGet, path: "/docs/style.css", quiet: true, group: groupServer, summary: "The page's style sheet", media: "text/css", handle: (*api).docsStyle},
}
