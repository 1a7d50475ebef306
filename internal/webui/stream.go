package webui

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"scorebook/contest"
	"scorebook/internal/live"
)

// stream sends events until the visitor goes away. Next gives what a page that
// has seen an event is to be told, which may be nothing, and with which event.
func (s *site) stream(v *visit, event string, next func(from contest.Seq) (contest.Seq, []byte, error)) error {
	from, err := live.LastEvent(v.r)
	if err != nil {
		return &mistake{err.Error()}
	}
	err = s.options.Streams.Stream(s.svc, v.w, v.r, from, live.Alive, func(from contest.Seq) (live.Frame, error) {
		seq, data, err := next(from)
		return live.Frame{ID: seq, Event: event, Data: data}, err
	})
	if errors.Is(err, live.ErrTooMany) {
		v.w.Header().Set("Retry-After", "10")
		return v.write(http.StatusServiceUnavailable, "text/plain; charset=utf-8", []byte(v.say("error.too_many_streams")+"\n"))
	}
	if err != nil {
		s.log.Error("a stream of a page broke off", "page", v.r.Pattern, "error", err)
	}
	return nil
}

func encode(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode a frame: %w", err)
	}
	return text, nil
}
