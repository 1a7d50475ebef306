package webui

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

const attemptsShown = 60

// controlPage is the control room. It holds ground truth.
type controlPage struct {
	*frame
	Message   string // what went wrong with the last order
	Questions []controlQuestion
	Active    *controlQuestion // nil: none
	Chosen    *controlQuestion // to be started, or looked at; nil: none
	Playable  bool             // the chosen question was not played yet
	Unsaid    *controlQuestion // the last one that was played, if it is not revealed
	Attempts  []controlAttempt
	Filtered  bool // only those at the chosen question
	All       int  // attempts that count at the question that is looked at
	Solved    int
	First     string // when the first team solved it; empty: none has
	Write     string // mean time of a write to the journal, in milliseconds
	Teams     int
	Mode      contest.RegistrationMode
	Modes     []contest.RegistrationMode
	Frozen    bool
	Since     string
	Hidden    int // teams that are not unveiled
	Why       *why
	WhatIf    *whatIf
	Verdicts  []contest.Verdict
	Healthy   bool
	Back      string // this page
}

// controlQuestion is a question as the organiser sees it.
type controlQuestion struct {
	boardQuestion
	Title    string
	Truth    string
	Texts    []string
	Limit    string // seconds, of the next start
	Buffer   string
	Round    int
	Voided   bool
	Revealed bool
	Solved   int
	Attempts int
	Link     string
	Current  bool // it is looked at
}

// controlAttempt is a line of the table of attempts.
type controlAttempt struct {
	Seq      contest.Seq
	At       string
	Name     string
	Question string
	Answer   string
	Verdict  string // key of a message
	Class    string
	Quality  string
	Score    string
	Link     string
	Current  bool
	Void     bool
}

func (s *site) control(v *visit) error { return s.showControl(v, http.StatusOK, "") }

func (s *site) showControl(v *visit, status int, message string) error {
	query := v.r.URL.Query()
	if v.r.Method != http.MethodGet {
		query = url.Values{}
		if back, err := url.Parse(v.back("/admin-dashboard")); err == nil {
			query = back.Query()
		}
	}
	p := &controlPage{
		frame: s.frame(v, v.say("control.title")), Message: message, Healthy: s.svc.Healthy(), Back: "/admin-dashboard?" + query.Encode(),
		Modes:    []contest.RegistrationMode{contest.OpenRegistration, contest.CodeRegistration, contest.ClosedRegistration, contest.AlwaysRegistration},
		Verdicts: []contest.Verdict{contest.VerdictFull, contest.VerdictPartial, contest.VerdictIncorrect, contest.VerdictVoid, contest.VerdictComputed},
	}
	now, table := s.svc.Now(), &s.svc.Snapshot().Jury
	if batches := s.svc.Stats.Batches.Load(); batches > 0 {
		mean := time.Duration(s.svc.Stats.Writing.Load() / int64(batches))
		p.Write = strconv.FormatFloat(float64(mean.Microseconds())/1000, 'f', 1, 64)
	}
	var failed error
	s.svc.Read(func(state *contest.State) {
		settings := state.Settings()
		p.Seq, p.Mode, p.Teams = state.Seq(), settings.Registration, len(state.Teams())
		if frozen := state.Frozen(); !frozen.IsZero() {
			p.Frozen, p.Since, p.Hidden = true, frozen.In(zone(settings)).Format("15:04:05"), state.Veiled()
		}
		p.questions(v, state, table, query, now)
		p.attempts(state, query)
		if seq, err := strconv.ParseUint(query.Get("why"), 10, 64); err == nil {
			if a, ok := state.Attempt(contest.Seq(seq)); ok {
				explained := whyOf(state, &a, func(a contest.Attempt) string {
					return clock(a.Elapsed) + " · " + a.Arrived.In(zone(settings)).Format("15:04:05.000")
				})
				p.Why = &explained
			}
		}
		p.WhatIf, failed = whatIfOf(v, state, table, query)
	})
	if failed != nil && message == "" {
		p.Message = failed.Error()
	}
	return s.render(v, status, "control", p)
}

// questions lists the questions, and finds the one that runs and the one that is
// looked at.
func (p *controlPage) questions(v *visit, state *contest.State, table *contest.Table, query url.Values, now time.Time) {
	rules := state.Rules()
	chosen := retrieval.QuestionID(query.Get("q"))
	for i := range table.Columns {
		c := &table.Columns[i]
		question, _ := state.Question(c.Question)
		limit, buffer := state.Limits(&question)
		q := controlQuestion{
			Title: title(c.Question), Truth: truthText(question), Texts: question.Answers, Limit: seconds(limit), Buffer: seconds(buffer),
			Round: c.Number, Voided: c.Voided, Revealed: c.Revealed, Link: link(query, "q", string(c.Question)), Current: c.Question == chosen,
		}
		only := contest.Table{Columns: []contest.Column{*c}}
		if of := boardQuestionOf(v.Lang, &only, &rules, now); of != nil {
			q.boardQuestion = *of
		}
		q.ID, q.Number, q.Of, q.Type, q.Status = c.Question, i+1, len(table.Columns), c.Type, c.Status(now)
		for j := range table.Rows {
			cell := &table.Rows[j].Cells[i]
			q.Attempts += cell.Attempts
			if cell.Scoring > 0 {
				q.Solved++
			}
		}
		p.Questions = append(p.Questions, q)
		if c.Active {
			p.Active = &q
		}
		if q.Current {
			p.Chosen = &q
		}
	}
	if p.Chosen == nil && p.Active == nil { // propose the next one
		for i := range p.Questions {
			if q := &p.Questions[i]; q.Round == 0 {
				q.Current = true
				p.Chosen = q
				break
			}
		}
	}
	if p.Chosen != nil && p.Active != nil && p.Chosen.ID == p.Active.ID {
		p.Chosen = nil
	}
	for i := range p.Questions {
		if q := &p.Questions[i]; q.Status == contest.StatusEnded && !q.Revealed && !q.Voided && (p.Unsaid == nil || q.Started > p.Unsaid.Started) {
			p.Unsaid = q
		}
	}
	if p.Unsaid != nil && p.Chosen != nil && p.Unsaid.ID == p.Chosen.ID {
		p.Unsaid = nil // it has its button
	}
	p.Playable = p.Chosen != nil && p.Chosen.Round == 0
	seen := p.Active
	if seen == nil {
		seen = p.Chosen
	}
	if chosen != "" && p.Chosen != nil {
		seen = p.Chosen
	}
	if seen == nil {
		return
	}
	p.All, p.Solved = seen.Attempts, seen.Solved
	var first time.Duration = -1
	for j := range table.Rows {
		if cell := &table.Rows[j].Cells[seen.Number-1]; cell.Scoring > 0 && (first < 0 || cell.Time < first) {
			first = cell.Time
		}
	}
	if first >= 0 {
		p.First = clock(first)
	}
}

// attempts lists the last attempts, newest first.
func (p *controlPage) attempts(state *contest.State, query url.Values) {
	only := retrieval.QuestionID(query.Get("q"))
	if _, known := state.Question(only); !known {
		only = ""
	}
	p.Filtered = only != ""
	seen := query.Get("why")
	for _, a := range slices.Backward(state.Attempts()) {
		if len(p.Attempts) == attemptsShown {
			break
		}
		if only != "" && a.Question != only {
			continue
		}
		team, ok := state.Team(a.Team)
		if !ok { // removed by a reset
			team.Name = string(a.Team)
		}
		question, _ := state.Question(a.Question)
		line := controlAttempt{
			Seq: a.Seq, At: clock(a.Elapsed), Name: team.Name, Question: title(a.Question), Answer: attemptValues(&a.Answer, question.Type),
			Quality: "–", Score: exactly(a.Current.Score), Current: strconv.FormatUint(uint64(a.Seq), 10) == seen,
			Link: link(query, "why", strconv.FormatUint(uint64(a.Seq), 10)),
		}
		line.Void = a.Void || a.Verdict == contest.VerdictVoid || state.Round(a.Question).Voided
		line.Verdict, line.Class = verdictOf(a)
		if a.Current.CorrectnessFactor > 0 {
			line.Quality = strconv.FormatFloat(round(a.Current.MatchQuality, 3), 'f', 3, 64)
		}
		p.Attempts = append(p.Attempts, line)
	}
}

// link returns the address of the control room with another value in its query.
func link(query url.Values, name, value string) string {
	other := url.Values{}
	for key, values := range query {
		other[key] = values
	}
	other.Set(name, value)
	return "/admin-dashboard?" + other.Encode()
}

// somethingNew says no more than that.
var somethingNew = []byte("{}")

// controlEvents tells that something happened; what, the page asks for.
func (s *site) controlEvents(v *visit) error {
	return s.stream(v, "change", func(contest.Seq) (contest.Seq, []byte, error) {
		return s.svc.Durable(), somethingNew, nil
	})
}

// activityPage is what was done besides submitting, newest first.
type activityPage struct {
	*frame
	Deeds []deed
	More  int // that are not shown
}

type deed struct {
	Seq  contest.Seq
	At   string
	Text string
}

const deedsShown = 300

func (s *site) activity(v *visit) error {
	p := activityPage{frame: s.frame(v, v.say("activity.title"))}
	s.svc.Read(func(state *contest.State) {
		at := zone(state.Settings())
		all := state.Deeds()
		p.More = max(0, len(all)-deedsShown)
		for _, r := range slices.Backward(all[p.More:]) {
			p.Deeds = append(p.Deeds, deed{r.Seq, r.At.In(at).Format("2006-01-02 15:04:05"), describe(v.Lang, state, r.Event)})
		}
	})
	return s.render(v, http.StatusOK, "activity", p)
}

// describe says an event in a sentence.
func describe(lang string, state *contest.State, event contest.Event) string {
	key := "activity." + event.Kind()
	name := func(id contest.TeamID) string {
		team, ok := state.Team(id)
		return cmp.Or(team.Name, map[bool]string{true: "", false: string(id)}[ok])
	}
	said := func(args ...any) string { return say(lang, key, args...) }
	because := func(reason string) string {
		if reason == "" {
			return ""
		}
		return " (" + reason + ")"
	}
	switch e := event.(type) {
	case contest.TeamRegistered:
		return said(e.Name)
	case contest.TeamRenamed:
		return said(e.Name)
	case contest.TeamBanned:
		if !e.Banned {
			key += ".not"
		}
		return said(name(e.Team)) + because(e.Reason)
	case contest.TokenRotated:
		return said(name(e.Team))
	case contest.RegistrationSet:
		return said(say(lang, "registration."+string(e.Mode)))
	case contest.QuestionStarted:
		return said(title(e.Question), e.Round, seconds(e.TimeLimit), seconds(e.Buffer))
	case contest.QuestionExtended:
		return said(title(e.Question), seconds(e.By))
	case contest.QuestionStopped:
		return said(title(e.Question))
	case contest.QuestionVoided:
		if !e.Voided {
			key += ".not"
		}
		return said(title(e.Question)) + because(e.Reason)
	case contest.QuestionRevealed:
		return said(title(e.Question))
	case contest.VerdictOverridden:
		return said(uint64(e.Submission), say(lang, "jury."+string(e.Verdict))) + because(e.Reason)
	case contest.RulesReplaced:
		return said(e.Rules.Name) + because(e.Reason)
	case contest.GroundTruthReplaced:
		return said() + because(e.Reason)
	case contest.TeamsUnveiled:
		return said(name(e.Teams[len(e.Teams)-1]))
	case contest.ContestReset:
		if e.Teams {
			key += ".teams"
		}
	}
	return said()
}
