package httpapi

import (
	"net/http"
	"strconv"
	"strings"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// done is the reply to what an admin changed.
type done struct {
	Success  bool        `json:"success"`
	Seq      contest.Seq `json:"seq" doc:"Of the last event; what was asked for may have been so already"`
	Message  string      `json:"message"`
	Question *status     `json:"question,omitempty" doc:"The question that was changed"`
}

// apply has an admin's command carried out, logs it, and replies.
func (a *api) apply(x *exchange, command contest.Command, question retrieval.QuestionID, message string) error {
	outcome, err := a.svc.Do(x.request.Context(), command, x.arrived)
	if err != nil {
		return err
	}
	a.audit(x, outcome)
	if len(outcome.Events) == 0 {
		message = "nothing had to be changed"
	}
	reply := done{Success: true, Seq: a.svc.Durable(), Message: message}
	if question != "" {
		s, err := a.findStatus(question, a.svc.Now())
		if err != nil {
			return err
		}
		reply.Question = &s
	}
	return x.reply(reply)
}

// audit logs what an admin made happen: the kinds of events, not what is in
// them.
func (a *api) audit(x *exchange, outcome service.Outcome) {
	for _, event := range outcome.Events {
		a.log.Info("admin", "request_id", x.id, "event", event.Event.Kind(), "seq", event.Seq)
	}
}

// startRequest is the body of POST /admin/start-question.
type startRequest struct {
	Question  name     `json:"question_id"`
	TimeLimit *float64 `json:"time_limit,omitempty" doc:"Seconds; default: as the contest or the rules have it"`
	Buffer    *float64 `json:"buffer_time,omitempty" doc:"Likewise"`
	Restart   bool     `json:"restart,omitempty" doc:"Play a question again that was started before; its attempts are voided"`
}

func (a *api) startQuestion(x *exchange) error {
	var request startRequest
	err := decode(x, &request, true)
	if err == nil {
		err = needed("question_id", request.Question)
	}
	if err != nil {
		return err
	}
	command := contest.Start{Question: retrieval.QuestionID(request.Question), Restart: request.Restart}
	if command.TimeLimit, err = optional("time_limit", request.TimeLimit); err != nil {
		return err
	}
	if command.Buffer, err = optional("buffer_time", request.Buffer); err != nil {
		return err
	}
	return a.apply(x, command, command.Question, "the question was started")
}

func needed(field string, n name) error {
	if n == "" {
		return invalid("%s: found nothing, expected one", field)
	}
	return nil
}

// questionRequest names a question.
type questionRequest struct {
	Question name `json:"question_id,omitempty" doc:"Default: the active one"`
}

func (a *api) stopQuestion(x *exchange) error {
	var request questionRequest
	if err := decode(x, &request, true); err != nil {
		return err
	}
	question := a.orActive(request.Question)
	return a.apply(x, contest.Stop{Question: retrieval.QuestionID(request.Question)}, question, "the question was stopped")
}

// orActive returns the question that a request is about.
func (a *api) orActive(named name) retrieval.QuestionID {
	id := retrieval.QuestionID(named)
	if id == "" {
		a.svc.Read(func(state *contest.State) { id = state.ActiveQuestion() })
	}
	return id
}

// extendRequest is the body of POST /admin/extend.
type extendRequest struct {
	Question name     `json:"question_id,omitempty" doc:"Default: the active one"`
	Seconds  *float64 `json:"seconds" doc:"May be negative"`
}

func (a *api) extend(x *exchange) error {
	var request extendRequest
	if err := decode(x, &request, true); err != nil {
		return err
	}
	if request.Seconds == nil {
		return invalid("seconds: found nothing, expected a number of seconds")
	}
	by, err := duration("seconds", *request.Seconds)
	if err != nil {
		return err
	}
	command := contest.Extend{Question: retrieval.QuestionID(request.Question), By: by}
	return a.apply(x, command, a.orActive(request.Question), "the end of the question was moved")
}

// resetRequest is the body of requests that say everything by their path.
type resetRequest struct{}

func (a *api) reset(x *exchange) error {
	return a.plain(x, contest.Reset{}, "everything that was played is void")
}

func (a *api) resetAll(x *exchange) error {
	return a.plain(x, contest.Reset{Teams: true}, "everything that was played is void, and the teams are removed")
}

func (a *api) freeze(x *exchange) error {
	return a.plain(x, contest.Freeze{}, "the standings stand still for the public")
}

func (a *api) unveil(x *exchange) error {
	return a.plain(x, contest.Unveil{}, "the next team is shown as it is now")
}

func (a *api) thaw(x *exchange) error {
	return a.plain(x, contest.Thaw{}, "everybody sees the standings as they are")
}

// plain has a command carried out that needs no words.
func (a *api) plain(x *exchange, command contest.Command, message string) error {
	if err := decode(x, &resetRequest{}, true); err != nil {
		return err
	}
	return a.apply(x, command, "", message)
}

// voidRequest is the body of POST /admin/void.
type voidRequest struct {
	Question name   `json:"question_id"`
	Voided   *bool  `json:"voided,omitempty" doc:"Default: true; false takes the question back in"`
	Reason   string `json:"reason,omitempty"`
}

func (a *api) void(x *exchange) error {
	var request voidRequest
	err := decode(x, &request, true)
	if err == nil {
		err = needed("question_id", request.Question)
	}
	if err == nil {
		err = text("reason", request.Reason)
	}
	if err != nil {
		return err
	}
	command := contest.Void{Question: retrieval.QuestionID(request.Question), Voided: true, Reason: request.Reason}
	message := "the question no longer counts"
	if request.Voided != nil && !*request.Voided {
		command.Voided, message = false, "the question counts again"
	}
	return a.apply(x, command, command.Question, message)
}

// revealRequest is the body of POST /admin/reveal.
type revealRequest struct {
	Question name `json:"question_id"`
}

func (a *api) reveal(x *exchange) error {
	var request revealRequest
	err := decode(x, &request, true)
	if err == nil {
		err = needed("question_id", request.Question)
	}
	if err != nil {
		return err
	}
	id := retrieval.QuestionID(request.Question)
	return a.apply(x, contest.Reveal{Question: id}, id, "everybody may see the ground truth now")
}

// overrideRequest is the body of POST /admin/override.
type overrideRequest struct {
	Submission name            `json:"submission" doc:"Its number, or its receipt"`
	Verdict    contest.Verdict `json:"verdict" enum:"full,partial,incorrect,void,computed" doc:"computed withdraws a verdict"`
	Reason     string          `json:"reason"`
}

func (a *api) override(x *exchange) error {
	var request overrideRequest
	err := decode(x, &request, true)
	if err == nil {
		err = text("reason", request.Reason)
	}
	if err != nil {
		return err
	}
	number, hash, isReceipt := strings.Cut(string(request.Submission), "-")
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return invalid("submission: found %.80q, expected its number or its receipt", request.Submission)
	}
	if isReceipt {
		record, err := a.svc.Record(x.request.Context(), contest.Seq(seq))
		if err != nil || receipt(record.Seq, record.Hash) != number+"-"+hash {
			return refuse(http.StatusNotFound, string(contest.UnknownSubmission), "there is no submission with this receipt")
		}
	}
	command := contest.Override{Submission: contest.Seq(seq), Verdict: request.Verdict, Reason: request.Reason}
	return a.apply(x, command, "", "the verdict was changed, and the standings with it")
}
