package httpapi

import (
	"errors"
	"net/http"

	"scorebook/contest"
	"scorebook/internal/live"
)

func (a *api) events(x *exchange) error { return a.stream(x, "public", a.public) }

func (a *api) juryEvents(x *exchange) error { return a.stream(x, "jury", a.jury) }

// stream sends the table of a feed and what changes in it.
func (a *api) stream(x *exchange, name string, feed *live.Feed) error {
	from, err := live.LastEvent(x.request)
	if err != nil {
		return invalid("%s", err)
	}
	var head frameHead
	a.svc.Read(func(state *contest.State) { head.Contest = state.Contest() })
	first := true // tells where the contest is, whatever happened
	err = a.streams.Stream(a.svc, x, x.request, from, live.Comment, func(from contest.Seq) (live.Frame, error) {
		edition := feed.At(a.svc.Snapshot())
		if base := edition.Base(from); !first && base > 0 && !edition.Changed(base) {
			// What was not for this table shall not be seen to have happened.
			return live.Frame{ID: edition.Snapshot.Seq}, nil
		}
		first = false
		own, shared, err := a.frame(name, edition, from, head)
		return live.Frame{ID: edition.Snapshot.Seq, Event: "state", Head: own, Data: shared}, err
	})
	switch {
	case errors.Is(err, live.ErrTooMany):
		p := refuse(http.StatusServiceUnavailable, "too_many_streams", "%d streams are open, and no more are served: poll GET /api/leaderboard-data", a.streams.Max)
		p.retryAfter = "10"
		return p
	case err != nil:
		a.log.Error("a stream broke off", "request_id", x.id, "error", err)
	}
	return nil
}
