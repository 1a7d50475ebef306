package webui

import (
	"net/http"
	"strconv"
	"strings"

	"scorebook/contest"
	"scorebook/retrieval"
)

const leadersShown = 5

// startPage says what runs here.
type startPage struct {
	*frame
	Question   *boardQuestion
	Leaders    []leader
	Teams      int
	Benchmarks bool
	Demo       bool
	Answer     string // of a demo: a body that answers the question that runs; empty: none does
	Base       string // address of the server, as the visitor has it
	Frozen     bool
	Open       bool // anybody may register
}

type leader struct {
	Rank      string
	Name      string
	Total     string
	Simulated bool
}

func (s *site) start(v *visit) error {
	p := startPage{frame: s.frame(v, v.say("start.title")), Benchmarks: s.options.Results != nil, Demo: s.options.Demo, Base: s.base(v.r)}
	snapshot := s.svc.Snapshot()
	s.svc.Read(func(state *contest.State) {
		rules := state.Rules()
		p.Question = boardQuestionOf(v.Lang, &snapshot.Public, &rules, s.svc.Now())
		if running, ok := state.Question(state.ActiveQuestion()); ok && p.Demo {
			p.Answer = rightAnswer(&running)
		}
		mode := state.Settings().Registration
		p.Open = mode == contest.OpenRegistration || mode == contest.AlwaysRegistration
	})
	p.Teams, p.Frozen = len(snapshot.Public.Rows), !snapshot.Public.Frozen.IsZero()
	for i := range snapshot.Public.Rows {
		if r := &snapshot.Public.Rows[i]; i < leadersShown && r.Rank > 0 {
			p.Leaders = append(p.Leaders, leader{rankText(r.Rank), r.Name, points(r.Total), r.Simulated})
		}
	}
	return s.render(v, http.StatusOK, "start", p)
}

// rightAnswer is the body of a submission that answers a question. Only a demo
// tells it.
func rightAnswer(q *retrieval.Question) string {
	middles := make([]string, len(q.Events))
	for i, e := range q.Events {
		middles[i] = strconv.FormatInt((e.Start+e.End)/2, 10)
	}
	video := strings.TrimPrefix(q.Scene+"_"+q.Video, "_")
	answer := `{"mediaItemName": "` + video + `", "start": ` + middles[0] + `}`
	if q.WholeVideo() {
		answer = `{"mediaItemName": "` + video + `"}`
	}
	switch q.Type {
	case retrieval.QA:
		words := "?"
		if len(q.Answers) > 0 {
			words = q.Answers[0]
		}
		answer = `{"text": "QA-` + words + "-" + video + "-" + strings.Join(middles, ",") + `"}`
	case retrieval.TR:
		answer = `{"text": "TR-` + video + "-" + strings.Join(middles, ",") + `"}`
	}
	return `{"answerSets": [{"answers": [` + answer + `]}]}`
}

// base is the address by which teams reach the server, or the visitor has.
func (s *site) base(r *http.Request) string {
	if s.options.URL != "" {
		return s.options.URL
	}
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
