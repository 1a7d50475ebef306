package webui_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// replies makes the desk's submissions be answered so.
func (s *site) replies(status int, body string) {
	s.reply = func(w http.ResponseWriter) {
		w.WriteHeader(status)
		io.WriteString(w, body) //nolint:errcheck // a recorder takes everything
	}
}

// The desk sends what a client would, and the one way to submit judges it.
func TestTheDeskSubmitsAsAClientDoes(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	v := s.member("one")
	s.replies(http.StatusOK, `{"success":true,"correctness":"full","score":93.4,"detail":{"wrong_attempts":1},"message":"Correct answer."}`)
	for _, test := range []struct {
		question retrieval.QuestionID
		fields   []string
		want     string // of the answers
	}{
		{"1", []string{"video", "K01_V001", "values", "12.3 4"}, `[{"end":12300,"mediaItemName":"K01_V001","start":12300},{"end":4000,"mediaItemName":"K01_V001","start":4000}]`},
		{"2", []string{"video", "K01_V001", "values", "12.3456", "answer", "Mộc Châu \"x\""}, `[{"text":"QA-Mộc Châu \"x\"-K01_V001-12345.6"}]`},
		{"1", []string{"video", "K01_V001", "values", "378,5 4"}, `[{"end":378500,"mediaItemName":"K01_V001","start":378500},{"end":4000,"mediaItemName":"K01_V001","start":4000}]`},
		{"3", []string{"video", "K01_V001", "values", "10, 20;30"}, `[{"text":"TR-K01_V001-10,20,30"}]`},
	} {
		s.Must(t, contest.Start{Question: test.question, Restart: true})
		p := v.post("/desk/submit", test.fields...)
		if p.Code != http.StatusOK || !strings.Contains(p.text, "✓ correct") || !strings.Contains(p.text, "&#43;93.4") && !strings.Contains(p.text, "+93.4") {
			t.Errorf("%q: %d %s", test.fields, p.Code, alert(p.text))
		}
		token, body, _ := strings.Cut(strings.TrimPrefix(s.sent[len(s.sent)-1], "Bearer "), " {")
		var sent struct {
			AnswerSets []struct{ Answers json.RawMessage }
		}
		if err := json.Unmarshal([]byte("{"+body), &sent); err != nil || token != "token of one" {
			t.Fatalf("%v in %q", err, s.sent)
		}
		var got, want any
		if json.Unmarshal(sent.AnswerSets[0].Answers, &got) != nil || json.Unmarshal([]byte(test.want), &want) != nil {
			t.Fatal(body)
		}
		one, _ := json.Marshal(got)
		two, _ := json.Marshal(want)
		if string(one) != string(two) {
			t.Errorf("%q: sent %s, expected %s", test.fields, one, two)
		}
	}
	n := len(s.sent)
	for _, fields := range [][]string{{"video", "", "values", "1"}, {"video", "x", "values", ""}, {"video", "x", "values", "soon"}, {"video", "x", "values", "NaN"}, {"video", "x", "values", "1e308"}, {"video", "x", "values", " , "}} {
		if p := v.post("/desk/submit", fields...); p.Code != http.StatusBadRequest || alert(p.text) == "" || !strings.Contains(p.text, `name="video" id="video" required`) {
			t.Errorf("%q: %d %s", fields, p.Code, alert(p.text))
		}
	}
	if p := s.visitor().post("/desk/submit", "video", "x", "values", "1"); p.Code != http.StatusUnauthorized || len(s.sent) != n {
		t.Errorf("without a team: %d, %d were sent", p.Code, len(s.sent)-n)
	}
	s.replies(http.StatusConflict, `{"success":false,"error":"time_limit_exceeded","detail":"the submission arrived 400 s after the start"}`)
	if p := v.post("/desk/submit", "video", "K9", "values", "1"); p.Code != http.StatusConflict || !strings.Contains(p.text, "Too late: the time is over. (the submission arrived 400 s") || !strings.Contains(p.text, `value="K9"`) {
		t.Errorf("found %d %s", p.Code, p.text)
	}
}

// The same answer from the same form is one submission, another one is not.
func TestTheDeskSubmitsOnce(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	v := s.member("one")
	s.replies(http.StatusOK, `{"success":false,"correctness":"incorrect","detail":{"wrong_attempts":1}}`)
	s.Must(t, contest.Start{Question: "1"})
	key := func() string {
		_, after, _ := strings.Cut(v.get("/desk").text, `name="key" value="`)
		key, _, found := strings.Cut(after, `"`)
		if !found {
			t.Fatal("the form has no key")
		}
		return key
	}
	if p := v.post("/desk/submit", "video", "x", "values", "9", "key", key()); !strings.Contains(p.text, "10 points less for the next right answer") {
		t.Errorf("the price of a wrong answer is not told: %s", p.text)
	}
	s.keys, s.arrived = nil, nil
	form := key()
	for _, fields := range [][]string{{"1", form}, {"1", form}, {"2", form}, {"1", key()}} {
		v.post("/desk/submit", "video", "x", "values", fields[0], "key", fields[1])
	}
	if k := s.keys; len(k) != 4 || k[0] == "" || k[0] != k[1] || k[0] == k[2] || k[0] == k[3] {
		t.Errorf("found the keys %q", k)
	}
	if s.arrived[0] != s.Now() {
		t.Errorf("it arrived at %v, now is %v", s.arrived[0], s.Now())
	}
}

func TestTheDeskShowsATeamItsOwn(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	v := s.member("one")
	if p := v.get("/desk"); !strings.Contains(p.text, "no question was started yet") {
		t.Errorf("found %s", p.text)
	}
	s.Must(t, contest.Start{Question: "1"})
	s.Clock.Advance(10 * time.Second)
	s.answer("two", "OTHERS", "", 1)
	s.answer("one", "MINE", "", 2000)
	p := v.get("/desk")
	for _, want := range []string{"MINE · 2 s", "wrong", "4:50", "curl http://example.com/submit"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(p.text, "OTHERS") || strings.Contains(p.text, "token of one") {
		t.Error("a team sees another one's answer, or its token stands in the page")
	}
	// The jury's verdict, and why, are told with the reveal.
	var mine contest.Seq
	s.Read(func(state *contest.State) { mine = state.Attempts()[1].Seq })
	s.Must(t, contest.Override{Submission: mine, Verdict: contest.VerdictFull, Reason: "it is the same clip"})
	s.Must(t, contest.Stop{})
	if p := v.get("/desk"); strings.Contains(p.text, "the same clip") || !strings.Contains(p.text, `<td class="bad">wrong</td>`) {
		t.Errorf("before the reveal: %s", p.text)
	}
	s.Must(t, contest.Reveal{Question: "1"})
	if p := v.get("/desk"); !strings.Contains(p.text, "the same clip") || !strings.Contains(p.text, "VIDEOMARK1") || !strings.Contains(p.text, `<td class="good">correct</td>`) {
		t.Errorf("after the reveal: %s", p.text)
	}
	v.post("/desk/sign-out")
	if p := v.get("/desk"); strings.Contains(p.text, "MINE") {
		t.Error("signed out, and there is a desk")
	}
}

// A frozen board tells a team nothing through its own rank.
func TestTheDeskShowsTheRankThatEverybodySees(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	s.Must(t, contest.Start{Question: "1"})
	s.answer("one", "VIDEOMARK1", "", 71304945)
	s.Must(t, contest.Freeze{})
	s.Clock.Advance(time.Second)
	s.answer("two", "VIDEOMARK1", "", 71304945)
	if p := s.member("two").get("/desk"); !strings.Contains(p.text, "Rank 2 of 2") || !strings.Contains(p.text, "the board is frozen") || strings.Contains(p.text, "· 0 points") {
		t.Errorf("found %s", p.text)
	}
}

func TestDeskIsToldOfItsOwnOnly(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	s.team("two", "Two")
	s.team("three", "Three")
	s.Must(t, contest.Start{Question: "1"})
	l := s.member("one").listen("/desk/events")
	l.wait(t, 1)
	s.answer("two", "elsewhere", "", 1) // changes nothing that one sees
	s.answer("one", "elsewhere", "", 1)
	l.wait(t, 2)
	s.Must(t, contest.Stop{})
	if frames := l.wait(t, 3); len(frames) != 3 {
		t.Errorf("%d frames", len(frames))
	}
	if p := s.visitor().get("/desk/events"); strings.Contains(p.Header().Get("Content-Type"), "event-stream") {
		t.Error("a stream without a team")
	}
}

func TestBenchmarks(t *testing.T) {
	if p := newSite(t).visitor().get("/benchmarks"); p.Code != http.StatusOK || !strings.Contains(p.text, "--results") {
		t.Errorf("found %d %s", p.Code, p.text)
	}
	index, err := os.ReadFile("testdata/index.json")
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{"notes.txt": {Data: []byte("{")}, "other.json": {Data: []byte("[1]")}}
	s := newSite(t, withResults(folder))
	if p := s.visitor().get("/benchmarks"); !strings.Contains(p.text, "holds no result yet") {
		t.Errorf("found %s", p.text)
	}
	folder["index <1>.json"] = &fstest.MapFile{Data: index}
	broken := strings.Replace(string(index), `"status": "complete"`, `"status": "perfect"`, 1)
	folder["broken.json"] = &fstest.MapFile{Data: []byte(broken)}
	p := s.visitor().get("/benchmarks")
	for _, want := range []string{"index &lt;1&gt;", "sample-alpha", "sample-gamma", "<svg", "broken.json", "perfect"} {
		if want != "index &lt;1&gt;" && !strings.Contains(p.text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if p := s.visitor().get("/benchmarks?result=index+%3C1%3E"); !strings.Contains(p.text, "sample-alpha") {
		t.Errorf("found %s", p.text)
	}
	if p := s.visitor().get("/benchmarks?result=%3Cscript%3E"); strings.Contains(p.text, "<script>") || !strings.Contains(p.text, "There is no result") {
		t.Errorf("found %s", p.text)
	}
	// A folder that is gone is told, and read again when it is back.
	gone := gonefs{folder}
	s = newSite(t, withResults(&gone))
	gone.FS = nil
	if p := s.visitor().get("/benchmarks"); p.Code != http.StatusOK || !strings.Contains(p.text, "the folder cannot be read: file does not exist") {
		t.Errorf("found %d %s", p.Code, p.text)
	}
	gone.FS = folder
	if p := s.visitor().get("/benchmarks"); !strings.Contains(p.text, "sample-alpha") || strings.Contains(p.text, "cannot be read") {
		t.Errorf("found %s", p.text)
	}
}

// gonefs is a folder that may be gone.
type gonefs struct{ fs.FS }

func (g *gonefs) Open(name string) (fs.File, error) {
	if g.FS == nil {
		return nil, fs.ErrNotExist
	}
	return g.FS.Open(name)
}
