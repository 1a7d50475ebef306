package webui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/webui"
	"scorebook/retrieval"
)

// stream is an open stream of a page.
type stream struct {
	http.ResponseWriter
	mu     sync.Mutex
	text   strings.Builder
	cancel context.CancelFunc
	done   chan struct{}
}

// Write implements io.Writer.
func (l *stream) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// Flush implements http.Flusher.
func (l *stream) Flush() {}

func (v *visitor) listen(path string) *stream {
	ctx, cancel := context.WithCancel(v.t.Context())
	l := &stream{ResponseWriter: httptest.NewRecorder(), cancel: cancel, done: make(chan struct{})}
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	go func() {
		defer close(l.done)
		v.handler.ServeHTTP(l, r)
	}()
	v.t.Cleanup(func() { cancel(); <-l.done })
	return l
}

type boardFrame struct {
	Seq     uint64
	Version uint64
	Reload  bool
	Order   []string
	Ranks   []string
	Rows    map[string]string
}

// frames returns what was received of a kind of event.
func (l *stream) frames(t *testing.T) (all []boardFrame) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range regexp.MustCompile(`id: (\d+)\nevent: (?:board|change)\ndata: (.*)\n\n`).FindAllStringSubmatch(l.text.String(), -1) {
		var f boardFrame
		if err := json.Unmarshal([]byte(m[2]), &f); err != nil {
			t.Fatalf("%v in %s", err, m[2])
		}
		fmt.Sscan(m[1], &f.Seq) //nolint:errcheck // the pattern has digits there
		all = append(all, f)
	}
	return all
}

// wait returns the frames once there are so many.
func (l *stream) wait(t *testing.T, n int) []boardFrame {
	t.Helper()
	for range 1000 {
		if frames := l.frames(t); len(frames) >= n {
			return frames
		}
		time.Sleep(5 * time.Millisecond) // frames have no number to wait for
	}
	t.Fatalf("%d frames, expected %d: %s", len(l.frames(t)), n, l.text.String())
	return nil
}

func seqOf(t *testing.T, text string) (seq, version uint64) {
	t.Helper()
	if _, err := fmt.Sscanf(regexp.MustCompile(`data-seq="(\d+)" data-version="(\d+)"`).FindString(text), "data-seq=\"%d\" data-version=\"%d\"", &seq, &version); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return seq, version
}

// What a page is told brings it to where a page that is loaded anew stands.
func TestFramesBringAPageUpToDate(t *testing.T) {
	s := newSite(t)
	for _, id := range []contest.TeamID{"one", "two", "three"} {
		s.team(id, "Team "+string(id))
	}
	s.Must(t, contest.Start{Question: "1"})
	v := s.visitor()
	seq, version := seqOf(t, v.get("/leaderboard-ui").text)
	l := v.listen(fmt.Sprintf("/leaderboard-ui/events?last_event_id=%d", seq))
	s.Clock.Advance(10 * time.Second)
	s.answer("three", "VIDEOMARK1", "", 71304945)
	f := l.wait(t, 1)[0]
	row := regexp.MustCompile(`(?s)<tr id="three">.*?</tr>`).FindString(v.get("/leaderboard-ui").text)
	if f.Version != version || f.Reload || strings.Join(f.Order, " ") != "three one two" || strings.Join(f.Ranks, " ") != "1 2 2" || len(f.Rows) != 1 || f.Rows["three"] != row {
		t.Errorf("found %+v, expected the row %s", f, row)
	}
	// A wrong attempt changes a row and no rank.
	s.answer("one", "elsewhere", "", 1)
	if f := l.wait(t, 2)[1]; len(f.Order) > 0 || len(f.Rows) != 1 || !strings.Contains(f.Rows["one"], "×1") {
		t.Errorf("found %+v", f)
	}
	s.Must(t, contest.Rename{Team: "one", Name: "Renamed"})
	if f := l.wait(t, 3)[2]; !strings.Contains(f.Rows["one"], "Renamed") || len(f.Order) > 0 {
		t.Errorf("found %+v", f)
	}
	// A row that goes away, and columns that change, make a new page.
	s.Must(t, contest.Ban{Team: "two", Banned: true})
	if f := l.wait(t, 4)[3]; !f.Reload || f.Version == version {
		t.Errorf("found %+v", f)
	}
	s.Must(t, contest.Start{Question: "2"})
	if f := l.wait(t, 5)[4]; !f.Reload {
		t.Errorf("found %+v", f)
	}
	s.Must(t, contest.Freeze{})
	l.wait(t, 6)
	// What the freeze hides is not told; what comes after it is.
	s.answer("three", "VIDEOMARK2", "ANSWERMARK", 71304945)
	s.Must(t, contest.Stop{})
	if f := l.wait(t, 7)[6]; !f.Reload || len(f.Rows) > 0 {
		t.Errorf("found %+v", f)
	}
	// Who is too far behind, or of another contest, loads the page anew.
	for _, from := range []string{"1", "99999", "0", ""} {
		if f := v.listen("/leaderboard-ui/events?last_event_id="+from).wait(t, 1)[0]; !f.Reload {
			t.Errorf("from %q: found %+v", from, f)
		}
	}
	if p := v.get("/leaderboard-ui/events?last_event_id=x"); p.Code != http.StatusBadRequest {
		t.Errorf("found %d", p.Code)
	}
}

func TestBoardShowsTheLastQuestionsAndTheRestTogether(t *testing.T) {
	var many []retrieval.Question
	for i := range 12 {
		q := questions[0]
		q.ID = retrieval.QuestionID(fmt.Sprint(i + 1))
		many = append(many, q)
	}
	s := newSite(t)
	s.Must(t, contest.ReplaceGroundTruth{Questions: many, Reason: "more of them"})
	s.team("one", "One")
	for _, q := range many {
		s.Must(t, contest.Start{Question: q.ID})
		s.answer("one", "VIDEOMARK1", "", 71304945)
	}
	s.Must(t, contest.Void{Question: "2", Voided: true})
	text := s.visitor().get("/leaderboard-ui").text
	if !strings.Contains(text, `<th scope="col" class="earlier">Q1–Q3</th>`) || !strings.Contains(text, `<td class="earlier">200.0</td>`) || strings.Count(text, "<td class=\"cell") != 9 {
		t.Errorf("found %s", text)
	}
	if !strings.Contains(text, `<td class="total" title="1100 · 0:00">1100.0</td>`) {
		t.Error("the total is another one")
	}
}

// A board is made once for everybody: nothing of whoever asked first is in it.
func TestTheSharedBoardKnowsNobody(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	first := s.organiser()
	first.cookies["scorebook-team"] = s.member("one").cookies["scorebook-team"]
	first.get("/leaderboard-ui?secret=of-the-first")
	if text := s.visitor().get("/leaderboard-ui").text; strings.Contains(text, "secret") || strings.Contains(text, "token of") {
		t.Errorf("found %s", text)
	}
	if text := s.visitor().get("/leaderboard-ui?lang=vi&theme=light").text; !strings.Contains(text, `lang="vi" data-theme="light"`) || !strings.Contains(text, "Bảng xếp hạng") {
		t.Errorf("found %.300s", text)
	}
	zipped := s.visitor()
	zipped.headers["Accept-Encoding"] = "br;q=1, gzip;q=0.5"
	if p := zipped.get("/leaderboard-ui"); p.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(p.text, "One") {
		t.Errorf("found %v", p.Header())
	}
	zipped.headers["Accept-Encoding"] = "gzip;q=0"
	if p := zipped.get("/leaderboard-ui"); p.Header().Get("Content-Encoding") != "" {
		t.Errorf("found %v", p.Header())
	}
}

func TestLanguageAndThemeAreRemembered(t *testing.T) {
	s := newSite(t)
	v := s.visitor()
	v.headers["Accept-Language"] = "vi-VN,vi;q=0.9,en;q=0.5"
	if text := v.get("/").text; !strings.Contains(text, `<html lang="vi">`) {
		t.Errorf("found %.200s", text)
	}
	v.get("/?lang=en&theme=dark")
	if text := v.get("/desk").text; !strings.Contains(text, `<html lang="en" data-theme="dark">`) {
		t.Errorf("found %.200s", text)
	}
	v.get("/?lang=xx&theme=pink")
	if text := v.get("/").text; !strings.Contains(text, `<html lang="en" data-theme="dark">`) {
		t.Errorf("found %.200s", text)
	}
	v.get("/?theme=auto")
	if text := v.get("/").text; !strings.Contains(text, `<html lang="en">`) {
		t.Errorf("found %.200s", text)
	}
}

// Beside a frozen board stands nothing new, and beside the jury's everything.
func TestTheJurysAsideGoesOn(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	s.Must(t, contest.Start{Question: "1"})
	s.answer("two", "elsewhere", "", 1)
	s.Must(t, contest.Freeze{})
	s.answer("one", "VIDEOMARK1", "", 71304945)
	public, jury := s.visitor().get("/leaderboard-ui/aside").text, s.organiser().get("/admin-dashboard/leaderboard/aside").text
	if strings.Contains(public, ">One<") || !strings.Contains(public, ">Two<") || strings.Contains(public, "solved it") {
		t.Errorf("the public reads %s", public)
	}
	if !strings.Contains(jury, ">One<") || !strings.Contains(jury, "<b>1</b> solved it") {
		t.Errorf("the jury reads %s", jury)
	}
}

// The start page of a demo tells a body that answers the question that runs.
func TestADemoTellsItsAnswers(t *testing.T) {
	s := newSite(t, func(o *webui.Options) { o.Demo = true })
	s.team("one", "One")
	for i, q := range questions {
		s.Must(t, contest.Start{Question: q.ID})
		text := html.UnescapeString(s.visitor().get("/").text)
		_, after, _ := strings.Cut(text, "/submit -H 'Authorization: Bearer TOKEN' -d '")
		sent, _, found := strings.Cut(after, "'</pre>")
		body, err := retrieval.ParseBody([]byte(sent))
		if !found || err != nil {
			t.Fatalf("question %s: %v in %s", q.ID, err, text)
		}
		answer, err := retrieval.Interpret(body, retrieval.Form{Type: q.Type, FPS: 25}, retrieval.NewMedia(questions))
		if err != nil {
			t.Fatal(err)
		}
		judged := s.Must(t, contest.Submit{Team: "one", Question: q.ID, Arrived: s.Now(), Body: sent, Answer: answer})
		if result := judged.Events[0].Event.(contest.SubmissionJudged).Announced; result.Correctness != retrieval.Full {
			t.Errorf("question %d: %s earns %+v", i, sent, result)
		}
	}
	if text := newSite(t).visitor().get("/").text; strings.Contains(text, "/submit") {
		t.Error("a contest tells its answers")
	}
}
