package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"sort"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"scorebook/internal/httpapi"
)

// Nothing that a participant can see holds ground truth before the reveal: no
// route, whatever is sent to it, no header, no stream, no metric, no log line.
func TestNothingLeaks(t *testing.T) {
	for _, rules := range []string{"aic2025", "aic2025-exact", "aic-decay"} {
		t.Run(rules, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { leaks(t, newSite(t, preset(rules))) })
		})
	}
}

func leaks(t *testing.T, s *site) {
	one := s.team("one")
	stream := s.listen("/events")
	look := func(r *reply) {
		t.Helper()
		var seen strings.Builder
		for name, values := range r.Header {
			fmt.Fprintln(&seen, name, values)
		}
		seen.WriteString(r.Body)
		if found := leaked(seen.String()); found != "" {
			t.Errorf("%s shows %q: %s", r.what, found, seen.String())
		}
	}
	walk := func(receipt string) {
		t.Helper()
		for _, route := range httpapi.Routes() {
			if route.Media == "text/event-stream" {
				continue
			}
			paths := map[string]bool{}
			for _, id := range []string{"1", "2", "3", "x", receipt} {
				paths[parameters.ReplaceAllString(route.Path, id)] = true
			}
			for path := range paths {
				bodies := []string{""}
				if route.Method == http.MethodPost {
					bodies = append(bodies, "{", `{"question_id": "2"}`)
				}
				for _, headers := range [][]header{nil, {bearer(one)}, {bearer("wrong")}} {
					for _, body := range bodies {
						look(s.call(route.Method, path, body, headers...))
					}
				}
			}
		}
		look(s.get("/leaderboard?question=1"))
		look(s.get("/nowhere"))
	}
	answers := map[string][]string{
		"1": {"TR-SCENEMARK1_VIDEOMARK1-71304890,71305000,71305001", "TR-x-1", "TR-x-1.5", "TR", "KIS-1", "QA-x-1", right, right},
		"2": {"QA-x-y-1", ""},
		"3": {
			"QA-ANSWERMARK-SCENEMARK3_VIDEOMARK3-1", "QA-wrong-SCENEMARK3_VIDEOMARK3-71305000", "QA-ANSWERMARK-VIDEOMARK1-71305000", "QA-x",
			"TR-x-7", "QA-ANSWERMARK-SCENEMARK3_VIDEOMARK3-71305000",
		},
	}
	var order []string
	for id := range answers {
		order = append(order, id)
	}
	sort.Strings(order)
	receipt := "1-00"
	for _, id := range order {
		s.start(id, 10*time.Second)
		for i, text := range answers[id] {
			r := s.submit(one, text, header{"Idempotency-Key", fmt.Sprint(id, "-", i)})
			look(r)
			look(s.submit(one, text, header{"Idempotency-Key", fmt.Sprint(id, "-", i)}))
			if given := r.Header.Get("Scorebook-Receipt"); given != "" {
				receipt = given
			}
		}
		for _, start := range []any{71305000, "71304000", -1, 1e300, nil, []int{1}} { // what is malformed is shown to its sender
			look(s.call(http.MethodPost, "/submit", map[string]any{"answerSets": []any{map[string]any{"answers": []any{
				map[string]any{"mediaItemName": "VIDEOMARK2", "start": start, "end": 71306000},
			}}}}, bearer(one)))
		}
		walk(receipt)
		synctest.Wait()
		time.Sleep(time.Second)
	}
	s.admin(http.MethodPost, "/admin/stop-question", nil).want(200)
	walk(receipt)
	time.Sleep(time.Minute)
	frames := stream.end()
	if len(frames) < 5 {
		t.Errorf("%d frames", len(frames))
	}
	if found := leaked(strings.Join(frames, "\n")); found != "" {
		t.Errorf("the stream shows %q", found)
	}
	if found := leaked(s.log.text()); found != "" {
		t.Errorf("the log shows %q", found)
	}

	s.admin(http.MethodPost, "/admin/reveal", map[string]any{"question_id": "3"}).want(200)
	if leaked(s.get("/question/3/status").Body) == "" || leaked(s.get("/submissions/"+receipt, bearer(one)).Body) == "" {
		t.Error("what was revealed is not shown")
	}
	if found := leaked(s.get("/question/2/status").Body + s.get("/config").Body + s.get("/leaderboard").Body); found != "" {
		t.Errorf("another question shows %q", found)
	}
}

// While the ranking is frozen, nothing that everybody may read changes with what
// teams and jury do, but for the number of the contest's last event.
func TestFrozenRepliesStandStill(t *testing.T) {
	s := newSite(t)
	one, two := s.team("one"), s.team("two")
	s.start("1", time.Second)
	first := s.submit(two, "TR-elsewhere-1").want(200).Header.Get("Scorebook-Seq")
	s.admin(http.MethodPost, "/admin/freeze", map[string]any{}).want(200)
	number := regexp.MustCompile(`"seq":\d+`)
	paths := []string{"/leaderboard", "/leaderboard?question=1", "/api/leaderboard-data", "/questions", "/question/1/status", "/config", "/"}
	look := func() map[string]string {
		seen := map[string]string{}
		for _, path := range paths {
			seen[path] = number.ReplaceAllString(s.get(path).want(200).Body, "")
		}
		return seen
	}
	before := look()
	s.submit(one, right).want(200)
	s.admin(http.MethodPost, "/admin/override", map[string]any{"submission": first, "verdict": "full", "reason": "r"}).want(200)
	s.submit(two, right).refused(409, "already_completed")
	for path, text := range look() {
		if text != before[path] {
			t.Errorf("%s was\n%s\nand is\n%s", path, before[path], text)
		}
	}
	s.admin(http.MethodPost, "/admin/thaw", map[string]any{}).want(200)
	if text := number.ReplaceAllString(s.get("/leaderboard").Body, ""); text == before["/leaderboard"] {
		t.Error("after the thaw nothing is another than before")
	}
}
