package webui

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/intake"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

const (
	deskCookie = "scorebook-team" // holds the team's token
	deskStay   = 7 * 24 * time.Hour
)

// deskPage is what a team sees of itself, and nothing of the ground truth of a
// question that is not revealed.
type deskPage struct {
	*frame
	Message  string // what was wrong with the last submission
	Reply    *deskReply
	Team     string
	Banned   bool
	Rank     string
	Of       int
	Total    string
	Frozen   bool
	Question *boardQuestion
	Open     bool // submissions are taken
	Own      *deskQuestion
	History  []deskQuestion
	Curl     []string
	Base     string
	Format   string            // key of a message: how the form is filled in
	Key      string            // of this form
	Sent     map[string]string // what the form had, after a mistake
}

// deskReply is the reply to a submission.
type deskReply struct {
	Right   bool
	Partial bool
	Score   string
	Wrong   int
	Costs   string // points that the next right answer loses for this one; empty: none
}

// deskQuestion is a question with the team's attempts.
type deskQuestion struct {
	Title    string
	Type     retrieval.Type
	Score    string
	Class    string
	Done     bool
	Revealed bool
	Truth    string
	Texts    []string
	Attempts []deskAttempt
}

type deskAttempt struct {
	At      string
	Answer  string
	Verdict string // key of a message
	Class   string
	Score   string
	Why     *why // once the question is revealed
}

// team returns the team that the visitor belongs to.
func (s *site) team(v *visit) (contest.Team, bool) {
	cookie, err := v.r.Cookie(deskCookie)
	if err != nil {
		return contest.Team{}, false
	}
	return s.svc.TeamByToken(cookie.Value)
}

func (s *site) desk(v *visit) error { return s.showDesk(v, http.StatusOK, "", nil) }

func (s *site) askForTeam(v *visit, status int, message string) error {
	return s.render(v, status, "sign-in", signInPage{
		s.frame(v, v.say("desk.title")), "/desk/sign-in", v.say("signin.team_token"), v.say("signin.team_hint"), message, "/desk",
	})
}

func (s *site) deskSignIn(v *visit) error {
	if err := v.form(); err != nil {
		return err
	}
	token := v.field("token")
	if _, ok := s.svc.TeamByToken(token); !ok {
		status, message := s.wrongToken(v)
		return s.askForTeam(v, status, message)
	}
	http.SetCookie(v.w, auth.Cookie(v.r, deskCookie, token, deskStay))
	return v.redirect("/desk")
}

func (s *site) deskSignOut(v *visit) error {
	http.SetCookie(v.w, auth.Cookie(v.r, deskCookie, "", -time.Second))
	return v.redirect("/desk")
}

func (s *site) showDesk(v *visit, status int, message string, reply *deskReply) error {
	team, ok := s.team(v)
	if !ok {
		return s.askForTeam(v, v.unasked(), "")
	}
	now, snapshot := s.svc.Now(), s.svc.Snapshot()
	p := deskPage{
		frame: s.frame(v, team.Name), Message: message, Reply: reply, Team: team.Name, Banned: team.Banned, Base: s.base(v.r),
		Rank: "–", Of: len(snapshot.Public.Rows), Frozen: !snapshot.Public.Frozen.IsZero(), Sent: map[string]string{}, Key: random(16),
	}
	v.w.Header().Set("Cache-Control", "no-store")
	if status != http.StatusOK {
		for _, name := range []string{"video", "values", "answer"} {
			p.Sent[name] = v.field(name)
		}
	}
	for i := range snapshot.Public.Rows {
		if r := &snapshot.Public.Rows[i]; r.ID == team.ID {
			p.Rank = rankText(r.Rank)
		}
	}
	for i := range snapshot.Jury.Rows {
		if r := &snapshot.Jury.Rows[i]; r.ID == team.ID {
			p.Total = exactly(r.Total)
		}
	}
	s.svc.Read(func(state *contest.State) {
		rules := state.Rules()
		p.Question = boardQuestionOf(v.Lang, &snapshot.Public, &rules, now)
		for _, q := range state.Questions() {
			mine, tried := deskQuestionOf(state, team.ID, q)
			if p.Question != nil && q.ID == p.Question.ID {
				p.Own = &mine
			} else if tried {
				p.History = append(p.History, mine)
			}
		}
	})
	if q := p.Question; q != nil {
		p.Open = q.Status == contest.StatusRunning || q.Status == contest.StatusBuffer
		p.Curl, p.Format = curl(p.Base, q.Type), "desk.form."+strings.ToLower(string(q.Type))
	}
	return s.render(v, status, "desk", p)
}

func deskQuestionOf(state *contest.State, team contest.TeamID, q retrieval.Question) (mine deskQuestion, tried bool) {
	attempts, result := state.Own(team, q.ID)
	mine = deskQuestion{Title: title(q.ID), Type: q.Type, Score: exactly(result.Score), Class: "none", Done: result.Completed, Revealed: state.Round(q.ID).Revealed}
	switch {
	case result.Scoring > 0 && result.Correctness == retrieval.Partial:
		mine.Class = "half"
	case result.Scoring > 0:
		mine.Class = "good"
	case result.Wrong > 0:
		mine.Class = "bad"
	}
	if mine.Revealed {
		mine.Truth, mine.Texts = truthText(q), q.Answers
	}
	for i := len(attempts) - 1; i >= 0; i-- {
		a := attempts[i]
		told := deskAttempt{At: clock(a.Elapsed), Answer: attemptValues(&a.Answer, q.Type), Score: exactly(a.Announced.Score)}
		announced := *a // what the team was told, until it may know more
		if !mine.Revealed {
			announced.Current, announced.Verdict, announced.Superseded = a.Announced, "", false
		} else {
			told.Score = exactly(a.Current.Score)
			explained := whyOf(state, a, func(a contest.Attempt) string { return clock(a.Elapsed) })
			told.Why = &explained
		}
		told.Verdict, told.Class = verdictOf(&announced)
		mine.Attempts = append(mine.Attempts, told)
	}
	return mine, len(attempts) > 0
}

// curl returns commands that submit an answer to a question of a type.
func curl(base string, kind retrieval.Type) []string {
	const head = "curl %s/submit -H 'Authorization: Bearer TOKEN' -d '%s'"
	switch kind {
	case retrieval.KIS:
		return []string{fmt.Sprintf(head, base, `{"answerSets": [{"answers": [{"mediaItemName": "VIDEO", "start": 12300, "end": 12300}]}]}`)}
	case retrieval.QA:
		return []string{fmt.Sprintf(head, base, `{"answerSets": [{"answers": [{"text": "QA-ANSWER-VIDEO-12300"}]}]}`)}
	}
	return []string{fmt.Sprintf(head, base, `{"answerSets": [{"answers": [{"text": "TR-VIDEO-100,200,300"}]}]}`)}
}

// deskSubmit submits what the form holds, as a client of the team would send it.
func (s *site) deskSubmit(v *visit) error {
	team, ok := s.team(v)
	if !ok {
		return s.askForTeam(v, v.unasked(), "")
	}
	now := s.intake.Moment()
	if err := v.form(); err != nil {
		return err
	}
	judged, err := s.submit(v, team.ID, now)
	if err != nil {
		status, message := s.explain(v, err)
		return s.showDesk(v, status, message, nil)
	}
	r := &judged.Result
	reply := &deskReply{Right: r.CorrectnessFactor > 0, Partial: r.Correctness == retrieval.Partial, Score: exactly(r.Score), Wrong: r.WrongAttempts}
	if !reply.Right {
		reply.Wrong++ // with this one
		s.svc.Read(func(state *contest.State) {
			if rules := state.Rules(); rules.Mode != retrieval.ModeDecay && rules.PPenalty > 0 {
				reply.Costs = exactly(rules.PPenalty)
			}
		})
	}
	return s.showDesk(v, http.StatusOK, "", reply)
}

func (s *site) submit(v *visit, team contest.TeamID, now intake.Moment) (intake.Judged, error) {
	sent, err := deskBody(v, now.Question.Type)
	if err != nil {
		return intake.Judged{}, err
	}
	body, err := retrieval.ParseBody(sent)
	if err != nil {
		return intake.Judged{}, &mistake{err.Error()}
	}
	submission := intake.Submission{Team: team, Arrived: v.arrived, Body: body, Sent: string(sent)}
	if key := v.field("key"); key != "" {
		// The same answer from the same form is one submission, however often the
		// button was pressed.
		submission.Key = service.HashToken(key + string(sent))
	}
	// What was sent is judged even if the visitor leaves.
	return s.intake.Submit(context.WithoutCancel(v.r.Context()), now, submission)
}

// deskBody makes the body of a submission of the fields of the form. Times are
// in seconds, as people read them from a player.
func deskBody(v *visit, kind retrieval.Type) ([]byte, error) {
	video, answer := v.field("video"), v.field("answer")
	var values []string
	for _, text := range numbers(v.field("values"), kind != retrieval.TR) {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || !(math.Abs(number) <= maxNumber) {
			return nil, &mistake{v.say("desk.number", text)}
		}
		if kind != retrieval.TR {
			number *= 1000
		}
		values = append(values, strconv.FormatFloat(round(number, 3), 'f', -1, 64))
	}
	if video == "" || len(values) == 0 {
		return nil, &mistake{v.say("desk.missing")}
	}
	var answers []map[string]any
	switch kind {
	case retrieval.QA:
		answers = []map[string]any{{"text": "QA-" + answer + "-" + video + "-" + strings.Join(values, ",")}}
	case retrieval.TR:
		answers = []map[string]any{{"text": "TR-" + video + "-" + strings.Join(values, ",")}}
	default:
		for _, value := range values {
			answers = append(answers, map[string]any{"mediaItemName": video, "start": json.Number(value), "end": json.Number(value)})
		}
	}
	body, err := json.Marshal(map[string]any{"answerSets": []any{map[string]any{"answers": answers}}})
	if err != nil {
		return nil, fmt.Errorf("encode a submission: %w", err)
	}
	return body, nil
}

// maxNumber bounds a time in seconds and the number of a frame.
const maxNumber = 1e9

// numbers separates what is between blanks, semicolons and commas. With
// decimals, a single comma between digits is a decimal comma, as much of the
// world writes it.
func numbers(text string, decimals bool) (all []string) {
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || unicode.IsSpace(r) }) {
		field = strings.Trim(field, ",")
		whole, part, comma := strings.Cut(field, ",")
		if decimals && comma && !strings.ContainsAny(whole+part, ".,") {
			all = append(all, whole+"."+part)
			continue
		}
		all = append(all, strings.FieldsFunc(field, func(r rune) bool { return r == ',' })...)
	}
	return all
}

// deskEvents tells a team's desk that something happened that it shows: to the
// question, to the team, or to the ranking's being frozen.
func (s *site) deskEvents(v *visit) error {
	team, ok := s.team(v)
	if !ok {
		return s.askForTeam(v, v.unasked(), "")
	}
	last := ""
	return s.stream(v, "change", func(contest.Seq) (contest.Seq, []byte, error) {
		snapshot := s.svc.Snapshot()
		now := deskState(snapshot, team.ID)
		if now == last {
			return snapshot.Seq, nil, nil
		}
		last = now
		return snapshot.Seq, somethingNew, nil
	})
}

// deskState is another text whenever a desk shows something else.
func deskState(snapshot *service.Snapshot, team contest.TeamID) string {
	text := fmt.Sprint(snapshot.Active, snapshot.Public.Frozen)
	for i := range snapshot.Jury.Rows {
		if r := &snapshot.Jury.Rows[i]; r.ID == team {
			text += fmt.Sprint(r.Name, r.Banned, r.Total, r.Cells)
		}
	}
	for i := range snapshot.Public.Rows {
		if r := &snapshot.Public.Rows[i]; r.ID == team {
			text += fmt.Sprint(r.Rank)
		}
	}
	for i := range snapshot.Public.Columns {
		text += fmt.Sprint(snapshot.Public.Columns[i].Revealed, snapshot.Public.Columns[i].Ended)
	}
	return text
}
