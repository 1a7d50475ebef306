package httpapi

import (
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/retrieval"
)

// receipt names a submission by its number and proves by its hash that it was
// recorded.
func receipt(seq contest.Seq, hash [32]byte) string {
	return strconv.FormatUint(uint64(seq), 10) + "-" + hex.EncodeToString(hash[:])
}

// submission is an attempt as its team may see it.
type submission struct {
	Receipt     string                 `json:"receipt"`
	Seq         contest.Seq            `json:"submission"`
	Question    retrieval.QuestionID   `json:"question_id"`
	Round       int                    `json:"round"`
	Arrived     time.Time              `json:"arrived"`
	Announced   verdict                `json:"announced" doc:"The reply"`
	Now         *judgement             `json:"now,omitempty" doc:"Once the question is revealed: as it is judged now"`
	Verdict     contest.Verdict        `json:"verdict,omitempty" doc:"Likewise: the jury's"`
	Reason      string                 `json:"reason,omitempty" doc:"Of the verdict"`
	Counts      bool                   `json:"counts"`
	Revealed    bool                   `json:"revealed"`
	Explanation *retrieval.Explanation `json:"explanation,omitempty" doc:"Once the question is revealed: the arithmetic"`
}

func (a *api) submission(x *exchange) error {
	admin := !a.options.Admin.Open() && a.options.Admin.Request(x.request, x.arrived)
	var own contest.TeamID
	if !admin {
		team, err := a.identify(x, auth.Bearer(x.request))
		if err != nil {
			return err
		}
		own = team.ID
	}
	x.admin = admin
	unknown := refuse(http.StatusNotFound, string(contest.UnknownSubmission),
		"there is no submission with this receipt: send it as the header Scorebook-Receipt of the reply had it")
	number, _, _ := strings.Cut(x.parameter("receipt"), "-")
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return unknown
	}
	var s submission
	found := false
	a.svc.Read(func(state *contest.State) {
		attempt, ok := state.Attempt(contest.Seq(seq))
		if !ok || !admin && attempt.Team != own {
			return
		}
		s, found = submissionOf(state, &attempt), true
	})
	if !found {
		return unknown
	}
	record, err := a.svc.Record(x.request.Context(), s.Seq)
	if err != nil {
		return err
	}
	s.Receipt = receipt(record.Seq, record.Hash)
	if subtle.ConstantTimeCompare([]byte(s.Receipt), []byte(x.parameter("receipt"))) != 1 {
		return unknown
	}
	return x.reply(s)
}

func submissionOf(state *contest.State, attempt *contest.Attempt) submission {
	s := submission{
		Seq: attempt.Seq, Question: attempt.Question, Round: attempt.Round, Arrived: attempt.Arrived,
		Announced: verdictOf(state, attempt.Question, &attempt.Announced), Counts: counts(attempt),
		Revealed: state.Round(attempt.Question).Revealed,
	}
	if !s.Revealed {
		return s
	}
	now := judgementOf(&attempt.Current)
	s.Now, s.Verdict, s.Reason = &now, attempt.Verdict, attempt.Reason
	if explanation, ok := state.Explain(attempt.Seq); ok {
		s.Explanation = &explanation
	}
	return s
}
