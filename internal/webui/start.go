package webui

import (
	"net/http"

	"scorebook/contest"
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
	p := startPage{frame: s.frame(v, v.say("start.title")), Benchmarks: s.options.Results != nil, Demo: s.options.Demo, Base: base(v.r)}
	snapshot := s.svc.Snapshot()
	s.svc.Read(func(state *contest.State) {
		rules := state.Rules()
		p.Question = boardQuestionOf(v.Lang, &snapshot.Public, &rules, s.svc.Now())
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

// base is the address by which the visitor reached the server.
func base(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
