// Package load uses a server as many teams and viewers at once would, from
// outside, and holds what it acknowledged against its journal afterwards.
package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Plan is what is done to a server.
type Plan struct {
	Base       *url.URL
	AdminToken string

	Question string        // that runs meanwhile; empty: the first one
	Teams    int           // that are registered for it
	Rate     float64       // submissions a second, by the teams in turn; 0: a burst alone
	Duration time.Duration // of the question
	Burst    time.Duration // at the end of the question in which every team submits once; 0: none
	Viewers  int           // who hold the stream of the ranking open

	Progress func(format string, args ...any) // default: nobody is told
}

// Run does it and reports. The server must have a contest in which nothing was
// played yet: teams are registered, and their submissions stay.
func Run(ctx context.Context, p *Plan) (*Report, error) {
	if p.Progress == nil {
		p.Progress = func(string, ...any) {}
	}
	r := &run{Plan: p, client: &http.Client{
		Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64},
	}}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	viewers, err := r.watch(ctx)
	if err != nil {
		return nil, err
	}
	defer viewers.leave()
	began, err := r.start(ctx)
	if err != nil {
		return nil, err
	}
	report := r.attack(ctx, began, viewers)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	viewers.settle()
	report.Viewers = viewers.report()
	if _, err := r.admin(ctx, http.MethodPost, "/admin/stop-question", map[string]any{}); err != nil {
		return nil, err
	}
	return report, r.verify(ctx, report)
}

// run is a plan under way.
type run struct {
	*Plan
	client *http.Client
	tokens []string

	receipts []string
}

// prepare looks at the contest and registers the teams.
func (r *run) prepare(ctx context.Context) error {
	played, err := r.admin(ctx, http.MethodGet, "/admin/sessions", nil)
	if err != nil {
		return err
	}
	if sessions, _ := played["sessions"].([]any); len(sessions) > 0 {
		return fmt.Errorf("%s has a contest in which %d questions were played: give a server with a new database, since its teams and submissions stay", r.Base, len(sessions))
	}
	config, err := r.admin(ctx, http.MethodGet, "/config", nil)
	if err != nil {
		return err
	}
	questions, _ := config["questions"].(map[string]any)
	ids := make([]string, 0, len(questions))
	for id := range questions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	switch {
	case len(ids) == 0:
		return fmt.Errorf("%s has a contest without questions", r.Base)
	case r.Question == "":
		r.Question = ids[0]
	case !slices.Contains(ids, r.Question):
		return fmt.Errorf("the contest has no question %q: it has %q", r.Question, ids)
	}
	r.Progress("registering %d teams", r.Teams)
	return r.register(ctx)
}

func (r *run) register(ctx context.Context) error {
	const atOnce = 16
	r.tokens = make([]string, r.Teams)
	next := make(chan int)
	failed := make(chan error, atOnce)
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for i := range next {
				reply, err := r.admin(ctx, http.MethodPost, "/admin/teams", map[string]any{"team_name": fmt.Sprintf("Load %06d", i+1)})
				if err != nil {
					failed <- err
					return
				}
				r.tokens[i], _ = reply["team_session_id"].(string)
			}
		})
	}
	var err error
	for i := range r.Teams {
		select {
		case next <- i:
			continue
		case err = <-failed:
		case <-ctx.Done():
			err = ctx.Err()
		}
		break
	}
	close(next)
	all.Wait()
	if err == nil && len(failed) > 0 {
		err = <-failed
	}
	return err
}

// start starts the question, and returns when it began by this machine's clock.
func (r *run) start(ctx context.Context) (time.Time, error) {
	_, err := r.admin(ctx, http.MethodPost, "/admin/start-question", map[string]any{"question_id": r.Question, "time_limit": r.Duration.Seconds()})
	return time.Now(), err
}

// admin asks as the organiser.
func (r *run) admin(ctx context.Context, method, path string, body any) (reply map[string]any, err error) {
	response, err := r.ask(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return reply, nil
}

func (r *run) ask(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, r.Base.JoinPath(path).String(), sent)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.AdminToken)
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		response.Body.Close() //nolint:errcheck // only read
		return nil, fmt.Errorf("%s %s: found status %s, expected 200: %s", method, path, response.Status, text)
	}
	return response, nil
}
