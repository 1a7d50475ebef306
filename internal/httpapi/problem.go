package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
)

// problem is an error that the client is told, as RFC 9457 has it.
type problem struct {
	Type      string `json:"type" doc:"Always about:blank: the error code says what it is"`
	Title     string `json:"title" doc:"The status in words"`
	Status    int    `json:"status"`
	Detail    string `json:"detail" doc:"What was found, what was expected, what to do"`
	Code      string `json:"error" doc:"Stable code"`
	Success   bool   `json:"success" doc:"Always false"`
	RequestID string `json:"request_id" doc:"As in the header X-Request-Id and in the server's log"`

	Score       *float64   `json:"score,omitempty" doc:"already_completed: the score that stands"`
	CompletedAt *time.Time `json:"completed_at,omitempty" doc:"already_completed: when the answer that stands arrived"`
	Elapsed     *float64   `json:"elapsed_time,omitempty" doc:"time_limit_exceeded: seconds from the start to the arrival"`
	TimeLimit   *float64   `json:"time_limit,omitempty" doc:"time_limit_exceeded: seconds, with extensions"`
	BufferTime  *float64   `json:"buffer_time,omitempty" doc:"time_limit_exceeded: seconds"`

	retryAfter string // seconds
	challenge  string // WWW-Authenticate
}

// Error implements error.
func (p *problem) Error() string { return p.Code + ": " + p.Detail }

func refuse(status int, code, format string, args ...any) *problem {
	return &problem{Status: status, Code: code, Detail: fmt.Sprintf(format, args...)}
}

// malformed is the refusal of a request that cannot be read.
func malformed(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, "malformed", format, args...)
}

// invalid is the refusal of a value that can be read and makes no sense.
func invalid(format string, args ...any) *problem {
	return refuse(http.StatusBadRequest, string(contest.InvalidValue), format, args...)
}

// internal is what the client is told of a fault that the log explains.
func internal() *problem {
	return refuse(http.StatusInternalServerError, "internal", "the server failed: tell the organiser the request_id")
}

// statuses are the statuses of the rules' refusals.
var statuses = map[contest.Code]int{
	contest.NoActiveQuestion:   http.StatusConflict,
	contest.TimeLimitExceeded:  http.StatusConflict,
	contest.AlreadyCompleted:   http.StatusConflict,
	contest.AlreadyPlayed:      http.StatusConflict,
	contest.QuestionRunning:    http.StatusConflict,
	contest.NotStarted:         http.StatusConflict,
	contest.NotFrozen:          http.StatusConflict,
	contest.NameTaken:          http.StatusConflict,
	contest.KeyReused:          http.StatusConflict,
	contest.QuestionMissing:    http.StatusConflict,
	contest.RegistrationClosed: http.StatusForbidden,
	contest.Banned:             http.StatusForbidden,
	contest.WrongCode:          http.StatusForbidden,
	contest.TooManyTeams:       http.StatusForbidden,
	contest.UnknownTeam:        http.StatusUnauthorized,
	contest.UnknownQuestion:    http.StatusNotFound,
	contest.UnknownSubmission:  http.StatusNotFound,
	contest.InvalidName:        http.StatusBadRequest,
	contest.InvalidValue:       http.StatusBadRequest,
	contest.RateLimited:        http.StatusTooManyRequests,
}

// fail replies with what an error means to the client, and logs what only the
// organiser is to know.
func (x *exchange) fail(a *api, err error) {
	p := a.problem(x, err)
	a.metrics.refused(p.Code)
	if x.status != 0 {
		return // it is too late to say so
	}
	p.Type, p.Title, p.RequestID = "about:blank", http.StatusText(p.Status), x.id
	if p.retryAfter != "" {
		x.Header().Set("Retry-After", p.retryAfter)
	}
	if p.challenge != "" {
		x.Header().Set("WWW-Authenticate", p.challenge)
	}
	_ = x.replyAs(p.Status, "application/problem+json", p)
}

func (a *api) problem(x *exchange, err error) *problem {
	var p *problem
	var reject *contest.Reject
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &reject):
		return a.rejected(x, reject)
	case errors.Is(err, service.ErrUnavailable), errors.Is(err, context.Canceled): // the service logs why; or the client is gone
		p = refuse(http.StatusServiceUnavailable, "unavailable",
			"the request may not have been recorded: send it again, a submission with the same Idempotency-Key")
		p.retryAfter = "1"
		return p
	}
	a.log.Error("a request failed", "request_id", x.id, "route", x.route.path, "error", err)
	return internal()
}

// rejected returns the rules' refusal with what belongs to it.
func (a *api) rejected(x *exchange, reject *contest.Reject) *problem {
	status, known := statuses[reject.Code]
	if !known {
		status = http.StatusConflict
	}
	p := refuse(status, string(reject.Code), "%s", reject.Detail)
	switch reject.Code {
	case contest.UnknownTeam:
		if x.route.access == adminOnly { // the admin names a team, and is known himself
			p.Status = http.StatusNotFound
			break
		}
		p.challenge = teamChallenge
	case contest.RateLimited:
		p.retryAfter = "1"
	}
	if standing := reject.Standing; standing != nil {
		score := round2(standing.Score)
		p.Score = &score
		a.svc.Read(func(state *contest.State) {
			if attempt, ok := state.Attempt(standing.Scoring); ok {
				p.CompletedAt = &attempt.Arrived
			}
		})
	}
	if round := reject.Round; round != nil {
		elapsed, limit, buffer := seconds(x.arrived.Sub(round.Started)), seconds(round.Limit), seconds(round.Buffer)
		p.Elapsed, p.TimeLimit, p.BufferTime = &elapsed, &limit, &buffer
	}
	return p
}
