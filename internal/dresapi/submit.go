package dresapi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/contest"
	"scorebook/internal/intake"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// verdict is the reply to a submission.
type verdict struct {
	Status      bool   `json:"status"`
	Submission  string `json:"submission" enum:"CORRECT,WRONG,INDETERMINATE,UNDECIDABLE"`
	Description string `json:"description"`
}

func (a *API) submit(c *call) error {
	now := a.intake.Moment() // not what runs when the body has been read
	raw, err := c.read(maxBody)
	if err != nil {
		return err
	}
	body, unread := retrieval.ParseBody(raw)
	session := c.sent()
	if session == "" && unread == nil {
		session = body.Token
	}
	team, ok := a.teamOf(session)
	if !ok {
		return refuse(http.StatusUnauthorized, signIn)
	}
	if err := a.exists(c); err != nil {
		return err
	}
	if unread != nil {
		if !jsontext.Value(raw).IsValid() {
			return refuse(http.StatusBadRequest, "The submission cannot be read: "+unread.Error())
		}
		return refuse(http.StatusPreconditionFailed, "The submission cannot be read as an answer: "+unread.Error())
	}
	return a.judge(c, now, team, body, intake.WithoutToken(raw))
}

// judge has a submission judged, and says what it came to. The text of a wrong
// reply has no part of the word for a right one: clients look for it.
func (a *API) judge(c *call, now intake.Moment, team contest.Team, body *retrieval.Body, sent string) error {
	key := ""
	if header := c.request.Header.Get("Idempotency-Key"); header != "" {
		key = service.HashToken(header)
	}
	judged, err := a.intake.Submit(c.request.Context(), now, intake.Submission{Team: team.ID, Arrived: c.arrived, Body: body, Sent: sent, Key: key})
	var unread *retrieval.Malformed
	switch {
	case errors.Is(err, intake.ErrTooOften):
		return refuse(http.StatusTooManyRequests, "The team submits too often: wait a second.")
	case errors.As(err, &unread):
		return refuse(http.StatusPreconditionFailed, "The submission cannot be read as an answer: "+unread.Error())
	case err != nil:
		return err
	}
	header := c.Header()
	seq := strconv.FormatUint(uint64(judged.Seq), 10)
	header.Set("Scorebook-Seq", seq)
	header.Set("Scorebook-Receipt", seq+"-"+hex.EncodeToString(judged.Hash[:]))
	header.Set("Scorebook-Score", strconv.FormatFloat(judged.Result.Score, 'f', 2, 64))
	v := verdict{true, "WRONG", "Submission wrong, try again."}
	switch r := &judged.Result; {
	case r.Correctness == retrieval.Full:
		v.Submission, v.Description = "CORRECT", "Submission correct."
	case r.CorrectnessFactor > 0:
		v.Submission, v.Description = "CORRECT", fmt.Sprintf("Submission partial: %d of %d events.", r.MatchedEvents, r.TotalEvents)
	}
	return c.reply(v)
}

// maxMoment bounds a moment, in milliseconds.
const maxMoment = 1 << 53

// submitOld takes a submission as version 1 of DRES did: in the query. Its session
// stands there too, and a cookie does not do, since any page may make a browser
// ask for an address.
func (a *API) submitOld(c *call) error {
	now := a.intake.Moment()
	query := c.request.URL.Query()
	team, ok := a.teamOf(query.Get("session"))
	if !ok {
		return refuse(http.StatusUnauthorized, signIn)
	}
	if now.Question.ID == "" {
		return refuse(http.StatusNotFound, "No task is running.")
	}
	body, err := oldBody(query, now.Form.FPS)
	if err != nil {
		return err
	}
	query.Set("session", "-")
	return a.judge(c, now, team, body, query.Encode())
}

// oldBody makes of a query what a body of version 2 would be.
func oldBody(query url.Values, fps float64) (*retrieval.Body, error) {
	item := retrieval.Item{Field: "query", Text: query.Get("text"), Media: query.Get("item")}
	switch frame, code := query.Get("frame"), query.Get("timecode"); {
	case code != "":
		ms, ok := timecode(code, fps)
		if !ok {
			return nil, refuse(http.StatusBadRequest, "timecode: expected HH:MM:SS:FF.")
		}
		item.Start = &ms
	case frame != "":
		n, err := strconv.ParseUint(frame, 10, 32)
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "frame: expected a whole number.")
		}
		ms := float64(n) / fps * 1000
		item.Start = &ms
	}
	if item.Start != nil && !(*item.Start <= maxMoment) {
		return nil, refuse(http.StatusBadRequest, "The moment is more than 2^53 milliseconds.")
	}
	return &retrieval.Body{Items: []retrieval.Item{item}}, nil
}

// timecode reads hours, minutes, seconds and frames.
func timecode(text string, fps float64) (ms float64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) != 4 {
		return 0, false
	}
	weights := [4]float64{3600e3, 60e3, 1e3, 1000 / fps}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, false
		}
		ms += float64(n) * weights[i]
	}
	return ms, true
}
