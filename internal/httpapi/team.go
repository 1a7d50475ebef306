package httpapi

import (
	"net/http"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/keep"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// registration is what a team sends to take part.
type registration struct {
	Name      string `json:"team_name,omitempty" doc:"1 to 120 visible characters"`
	NameCamel string `json:"teamName,omitempty" doc:"The same"`
	Code      string `json:"code,omitempty" doc:"The invite code, if the contest asks for one"`
	Password  string `json:"password,omitempty" doc:"For clients that sign in with one, 8 to 128 characters; the token works as a password, too"`
}

// registered is a team with its token, which is told once.
type registered struct {
	Team         contest.TeamID `json:"team_id"`
	Name         string         `json:"team_name"`
	Session      string         `json:"team_session_id" doc:"The team's token: 128 random bits, told only now"`
	SessionCamel string         `json:"teamSessionId" doc:"The same"`
	Message      string         `json:"message"`
}

// newToken makes a team's token: 128 random bits. Only its hash is kept.
func newToken() string { return random(16) }

func newTeamID() contest.TeamID { return contest.TeamID("t" + random(6)) }

func (a *api) register(x *exchange) error {
	var request registration
	if err := decode(x, &request, false); err != nil {
		return err
	}
	if request.Name != "" && request.NameCamel != "" && request.Name != request.NameCamel {
		return malformed("found two different names in team_name and teamName, expected one")
	}
	if !a.registrations.AllowN(x.arrived, 1) {
		p := refuse(http.StatusTooManyRequests, string(contest.RateLimited), "too many teams register at this moment: try again in a second")
		p.retryAfter = "1"
		return p
	}
	command := contest.Register{Name: request.Name + request.NameCamel}
	if request.Name != "" {
		command.Name = request.Name
	}
	if request.Code != "" {
		command.CodeHash = service.HashToken(request.Code)
	}
	return a.addTeam(x, command, request.Password)
}

// addTeam registers a team and replies with its token.
func (a *api) addTeam(x *exchange, command contest.Register, password string) error {
	if password != "" {
		if fault := keep.CheckPassword(password); fault != "" {
			return malformed("password: %s, expected %d to %d visible ones", fault, keep.MinPassword, keep.MaxPassword)
		}
		if a.options.Passwords == nil {
			return malformed("password: this server keeps none: the token works as a password")
		}
	}
	token := newToken()
	command.ID, command.TokenHash = newTeamID(), service.HashToken(token)
	outcome, err := a.svc.Do(x.request.Context(), command, x.arrived)
	if err != nil {
		return err
	}
	if x.admin {
		a.audit(x, outcome)
	}
	x.team = command.ID
	message := "Keep the token: it is shown only once."
	if password != "" {
		if err := a.options.Passwords.Set(x.request.Context(), command.ID, password); err != nil {
			a.log.Error("a password was not kept", "team", command.ID, "error", err)
			message = "The password could not be kept, so sign in with the token. Keep it: it is shown only once."
		}
	}
	return a.replyToken(x, command.ID, token, message)
}

func (a *api) replyToken(x *exchange, id contest.TeamID, token, message string) error {
	var team contest.Team
	a.svc.Read(func(state *contest.State) { team, _ = state.Team(id) })
	return x.reply(registered{Team: id, Name: team.Name, Session: token, SessionCamel: token, Message: message})
}

// account is what a team may know of itself.
type account struct {
	Team       contest.TeamID  `json:"team_id"`
	Name       string          `json:"team_name"`
	Banned     bool            `json:"banned"`
	Simulated  bool            `json:"simulated"`
	Rank       int             `json:"rank" doc:"From 1, as everybody sees it; 0: not ranked"`
	Tied       bool            `json:"tied"`
	Total      float64         `json:"total_score"`
	Time       float64         `json:"total_time"`
	ServerTime time.Time       `json:"server_time"`
	Active     *status         `json:"active_question,omitempty" doc:"Left out if there is none"`
	Questions  []accountDetail `json:"questions" nullable:"false" doc:"Those that the team tried"`
}

type accountDetail struct {
	ID       retrieval.QuestionID `json:"question_id"`
	Result   cell                 `json:"result"`
	Attempts []ownAttempt         `json:"attempts" nullable:"false"`
}

type ownAttempt struct {
	Seq       contest.Seq     `json:"submission"`
	Arrived   time.Time       `json:"arrived"`
	Elapsed   float64         `json:"elapsed_time"`
	Announced judgement       `json:"announced" doc:"What the team was told"`
	Now       *judgement      `json:"now,omitempty" doc:"Once the question is revealed: as it is judged now"`
	Verdict   contest.Verdict `json:"verdict,omitempty" doc:"Likewise: the jury's"`
	Counts    bool            `json:"counts" doc:"Not void, and not after the attempt that ended the question"`
}

type judgement struct {
	Score       float64               `json:"score"`
	Correctness retrieval.Correctness `json:"correctness" enum:"full,partial,incorrect"`
}

func judgementOf(r *retrieval.Result) judgement {
	return judgement{round2(r.Score), r.Correctness}
}

func ownAttemptOf(a *contest.Attempt, revealed bool) ownAttempt {
	own := ownAttempt{Seq: a.Seq, Arrived: a.Arrived, Elapsed: seconds(a.Elapsed), Announced: judgementOf(&a.Announced), Counts: counts(a)}
	if revealed {
		now := judgementOf(&a.Current)
		own.Now, own.Verdict = &now, a.Verdict
	}
	return own
}

// counts reports whether an attempt is not void, and not after the one that
// ended the question.
func counts(a *contest.Attempt) bool {
	return !a.Superseded && !a.Void && a.Verdict != contest.VerdictVoid
}

func (a *api) me(x *exchange) error {
	team, err := a.identify(x, auth.Bearer(x.request))
	if err != nil {
		return err
	}
	mine := account{
		Team: team.ID, Name: team.Name, Banned: team.Banned, Simulated: team.Simulated,
		ServerTime: x.arrived.UTC(), Questions: []accountDetail{},
	}
	snapshot := a.svc.Snapshot()
	for i := range snapshot.Jury.Rows {
		if row := &snapshot.Jury.Rows[i]; row.ID == team.ID {
			mine.Total, mine.Time = round2(row.Total), seconds(row.Time)
		}
	}
	for i := range snapshot.Public.Rows { // frozen, its own rank would tell a team of the others
		if row := &snapshot.Public.Rows[i]; row.ID == team.ID {
			mine.Rank, mine.Tied = row.Rank, row.Tied
		}
	}
	a.svc.Read(func(state *contest.State) {
		for _, question := range state.Questions() {
			if question.ID == state.ActiveQuestion() {
				s := statusOf(state, question, x.arrived)
				mine.Active = &s
			}
			attempts, result := state.Own(team.ID, question.ID)
			if len(attempts) == 0 {
				continue
			}
			detail := accountDetail{ID: question.ID, Result: cellOf(&result)}
			for _, attempt := range attempts {
				detail.Attempts = append(detail.Attempts, ownAttemptOf(attempt, state.Round(question.ID).Revealed))
			}
			mine.Questions = append(mine.Questions, detail)
		}
	})
	return x.reply(mine)
}
