package httpapi

import (
	"errors"
	"net/http"
	"strings"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/intake"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// maxKey bounds an Idempotency-Key, in characters.
const maxKey = 200

// verdict is the reply to a submission.
type verdict struct {
	Success     bool                  `json:"success" doc:"Right, or right in part"`
	Correctness retrieval.Correctness `json:"correctness" enum:"full,partial,incorrect"`
	Score       float64               `json:"score" doc:"What this attempt earns"`
	Detail      verdictDetail         `json:"detail"`
	Question    retrieval.QuestionID  `json:"question_id"`
	Message     string                `json:"message"`
}

type verdictDetail struct {
	Matched    *int     `json:"matched_events,omitempty" doc:"Left out of a wrong reply if the rules' feedback is verdict"`
	Total      *int     `json:"total_events,omitempty" doc:"Likewise"`
	Percentage *float64 `json:"percentage,omitempty" doc:"Likewise"`
	Wrong      int      `json:"wrong_attempts" doc:"Of the team at this question, with this one"`
	Elapsed    float64  `json:"elapsed_time" doc:"Seconds from the start of the question to the arrival"`
	TimeFactor float64  `json:"time_factor"`
	Penalty    float64  `json:"penalty" doc:"For the wrong attempts"`
	Remaining  float64  `json:"remaining_time" doc:"Seconds of the time limit that were left"`
}

// verdictOf says what a team is told of an attempt: never where the ground
// truth lies, nor which part of an answer was wrong.
func verdictOf(state *contest.State, question retrieval.QuestionID, r *retrieval.Result) verdict {
	rules, round := state.Rules(), state.Round(question)
	right := r.CorrectnessFactor > 0
	v := verdict{
		Success: right, Correctness: r.Correctness, Score: round2(r.Score), Question: question,
		Detail: verdictDetail{
			Wrong: r.WrongAttempts, Elapsed: round2(r.ElapsedSeconds), TimeFactor: roundTo(r.TimeFactor, 1e4), Penalty: round2(r.Penalty),
			Remaining: max(0, round2(round.Limit.Seconds()-r.ElapsedSeconds)),
		},
	}
	costs := rules.Mode != retrieval.ModeDecay && rules.PPenalty > 0
	switch {
	case r.Correctness == retrieval.Full:
		v.Message = "Correct answer."
	case right:
		v.Message = "Partly correct answer."
	case costs:
		v.Message = "Wrong answer. Try again with penalty."
	default:
		v.Message = "Wrong answer. Try again."
	}
	if !right {
		v.Detail.Wrong++
		if costs {
			v.Detail.Penalty = round2(float64(v.Detail.Wrong) * rules.PPenalty)
		}
	}
	if right || rules.Feedback == retrieval.FeedbackCounts {
		percentage := 0.0
		if r.TotalEvents > 0 {
			percentage = round2(100 * float64(r.MatchedEvents) / float64(r.TotalEvents))
		}
		v.Detail.Matched, v.Detail.Total, v.Detail.Percentage = &r.MatchedEvents, &r.TotalEvents, &percentage
	}
	return v
}

func (a *api) submit(x *exchange) error {
	// The question is the one that runs now, not when the body has been read.
	now := a.intake.Moment()
	raw, err := x.read(maxSubmission)
	if err != nil {
		return err
	}
	key, err := idempotencyKey(x.request)
	if err != nil {
		return err
	}
	body, err := retrieval.ParseBody(raw)
	if err != nil {
		return malformed("%s", err)
	}
	token, err := oneToken(body.Token, auth.Bearer(x.request))
	if err != nil {
		return err
	}
	team, err := a.identify(x, token)
	if err != nil {
		return err
	}
	judged, err := a.intake.Submit(x.request.Context(), now, intake.Submission{
		Team: team.ID, Arrived: x.arrived, Body: body, Sent: intake.WithoutToken(raw), Key: key,
	})
	var unread *retrieval.Malformed
	switch {
	case errors.Is(err, intake.ErrTooOften):
		p := refuse(http.StatusTooManyRequests, string(contest.RateLimited), "the team submits too often: wait a second; GET /config tells the limit")
		p.retryAfter = "1"
		return p
	case errors.As(err, &unread):
		return malformed("%s", unread)
	case err != nil:
		return err
	}
	if judged.Repeated {
		x.Header().Set("Scorebook-Repeated", "true")
	}
	return a.replyVerdict(x, receipt(judged.Seq, judged.Hash), judged.Question, &judged.Result)
}

func (a *api) replyVerdict(x *exchange, receipt string, question retrieval.QuestionID, result *retrieval.Result) error {
	var v verdict
	a.svc.Read(func(state *contest.State) { v = verdictOf(state, question, result) })
	seq, _, _ := strings.Cut(receipt, "-")
	values, header := []string{receipt, seq}, x.Header()
	header["Scorebook-Receipt"], header["Scorebook-Seq"] = values[:1:1], values[1:]
	return x.reply(v)
}

// idempotencyKey returns what is kept of the header Idempotency-Key.
func idempotencyKey(r *http.Request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		return "", nil
	}
	if len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", malformed("Idempotency-Key: found %d bytes, expected at most %d visible ASCII characters without blanks", len(key), maxKey)
	}
	return service.HashToken(key), nil
}

// oneToken returns the token that a submission came with.
func oneToken(inBody, inHeader string) (string, error) {
	switch {
	case inHeader == "":
		return inBody, nil
	case inBody == "" || inBody == inHeader:
		return inHeader, nil
	}
	return "", malformed("found two different tokens in teamSessionId and in the header Authorization, expected one")
}
