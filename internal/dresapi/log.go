package dresapi

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/internal/intake"
	"scorebook/internal/keep"
)

func (a *API) logQuery(c *call) error  { return a.log(c, keep.Query) }
func (a *API) logResult(c *call) error { return a.log(c, keep.Result) }

// log keeps what a client tells of its user. What is in it is for those who
// analyse a contest; here it need only be an object.
func (a *API) log(c *call, kind keep.Kind) error {
	team, _, err := a.team(c)
	if err == nil {
		err = a.exists(c)
	}
	if err != nil {
		return err
	}
	body, err := c.read(keep.MaxBody)
	if err != nil {
		return err
	}
	text := jsontext.Value(body)
	if !text.IsValid() || text.Kind() != '{' {
		return refuse(http.StatusBadRequest, `The log is no JSON object that can be read, expected {"timestamp": ..., "events": [...]}.`)
	}
	if a.options.Interactions == nil {
		return c.reply(said{true, "Logs are not kept here."})
	}
	switch err := a.options.Interactions.Add(keep.Interaction{Team: team.ID, At: c.arrived, Kind: kind, Body: intake.WithoutToken(body)}); {
	case errors.Is(err, keep.ErrTooOften):
		return refuse(http.StatusTooManyRequests, "The team sends logs too often, and this one was not kept: wait a second.")
	case errors.Is(err, keep.ErrFull):
		return refuse(http.StatusTooManyRequests, "The team has sent as many logs as are kept, and this one was not.")
	}
	return c.reply(said{true, "Log received."})
}
