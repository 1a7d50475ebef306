package rivals

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"scorebook/retrieval"
)

// Options are who plays, and where.
type Options struct {
	Base       *url.URL // of the server
	AdminToken string   // to register teams as simulated ones
	Count      int
	Seed       uint64
	Questions  []retrieval.Question // with ground truth: rivals are no searchers
	Client     *http.Client         // default: one of their own
}

// Run registers the rivals and lets them play every question that is started,
// until the context ends.
func Run(ctx context.Context, options Options) error {
	if options.Client == nil {
		options.Client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: options.Count + 1}}
	}
	g := &group{Options: options}
	for i := range options.Count {
		token, err := g.register(ctx, i)
		if err != nil {
			return err
		}
		g.tokens = append(g.tokens, token)
	}
	for {
		err := g.follow(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := pause(ctx, time.Second); err != nil { // the server restarts
			return err
		}
	}
}

// group is the rivals of a contest.
type group struct {
	Options
	mu     sync.Mutex
	tokens []string // guarded by mu once they play
}

func (g *group) request(ctx context.Context, method, path, token string, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, g.Base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	return request, nil
}

// call sends a request and reads the reply if it is JSON that is asked for.
func (g *group) call(ctx context.Context, method, path, token string, body []byte, into any) (status int, err error) {
	request, err := g.request(ctx, method, path, token, body)
	if err != nil {
		return 0, err
	}
	response, err := g.Client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()                                    //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<20)) // the list of teams may be long
	if err == nil && into != nil && response.StatusCode < 300 {
		err = json.Unmarshal(text, into)
	}
	return response.StatusCode, err
}

// credentials are what the API tells of a team that was registered.
type credentials struct {
	Token string `json:"team_session_id"`
}

// register adds a rival. One that was there before the server was restarted
// gets a new token; a name that a team of people has is left to them.
func (g *group) register(ctx context.Context, rival int) (string, error) {
	for lap := range 100 {
		name := Name(rival + lap*len(names)*((g.Count+len(names)-1)/len(names)))
		body, err := json.Marshal(map[string]any{"team_name": name, "simulated": true})
		if err != nil {
			return "", err
		}
		var team credentials
		status, err := g.call(ctx, http.MethodPost, "/admin/teams", g.AdminToken, body, &team)
		if err == nil && status == http.StatusConflict {
			var found bool
			if team, found, err = g.again(ctx, name); err == nil && !found {
				continue
			}
			status = http.StatusOK
		}
		if err != nil {
			return "", fmt.Errorf("register the simulated team %q: %w", name, err)
		}
		if status != http.StatusOK || team.Token == "" {
			return "", fmt.Errorf("register the simulated team %q: found status %d, expected 200", name, status)
		}
		return team.Token, nil
	}
	return "", fmt.Errorf("register simulated team %d: every name is taken", rival+1)
}

// again gives the simulated team of a name a new token, if there is one.
func (g *group) again(ctx context.Context, name string) (team credentials, found bool, err error) {
	var list struct {
		Teams []struct {
			ID        string `json:"team_id"`
			Name      string `json:"team_name"`
			Simulated bool   `json:"simulated"`
		} `json:"teams"`
	}
	if _, err := g.call(ctx, http.MethodGet, "/admin/teams", g.AdminToken, nil, &list); err != nil {
		return team, false, err
	}
	for _, known := range list.Teams {
		if known.Simulated && known.Name == name {
			_, err := g.call(ctx, http.MethodPost, "/admin/teams/"+url.PathEscape(known.ID)+"/rotate-token", g.AdminToken, nil, &team)
			return team, err == nil, err
		}
	}
	return team, false, nil
}

// question is what the stream says of the active question.
type question struct {
	ID      retrieval.QuestionID `json:"question_id"`
	Status  string               `json:"status"`
	Round   int                  `json:"round"`
	Limit   float64              `json:"time_limit"`
	Elapsed float64              `json:"elapsed_time"`
}

// follow reads the stream of events and plays what is started, until the stream
// ends.
func (g *group) follow(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.Base.JoinPath("/events").String(), http.NoBody)
	if err != nil {
		return err
	}
	response, err := g.Client.Do(request)
	if err != nil {
		return io.EOF // the server is not there now
	}
	defer response.Body.Close()           //nolint:errcheck // only read
	stop := context.CancelFunc(func() {}) // what is being played
	var all sync.WaitGroup
	defer func() { stop(); all.Wait() }()
	last := ""
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return io.EOF
		}
		data, ok := strings.CutPrefix(line, "data:")
		if !ok {
			continue
		}
		var frame struct {
			Question *question `json:"question"`
		}
		if err := json.Unmarshal([]byte(data), &frame); err != nil {
			return fmt.Errorf("the stream of events: %w", err)
		}
		q := frame.Question
		identity := ""
		if q != nil && q.Status == "running" {
			identity = fmt.Sprint(q.ID, " ", q.Round)
		}
		if identity == last {
			continue
		}
		last = identity
		stop()
		if identity != "" {
			stop = g.play(ctx, *q, &all)
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
