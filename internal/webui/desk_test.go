package webui_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

// attempts returns what was recorded.
func (s *site) attempts() (all []*contest.Attempt) {
	s.Read(func(state *contest.State) { all = state.Attempts() })
	return all
}

// The desk submits what a client would.
func TestTheDeskSubmitsAsAClientDoes(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	v := s.member("one")
	for _, test := range []struct {
		question retrieval.QuestionID
		fields   []string
		want     string // of the answers
		shown    string
	}{
		{"1", []string{"video", "K01_V001", "values", "12.3 4"}, `[{"end":12300,"mediaItemName":"K01_V001","start":12300},{"end":4000,"mediaItemName":"K01_V001","start":4000}]`, "×1 wrong"},
		{"1", []string{"video", "SCENEMARK1_VIDEOMARK1.mp4", "values", "71304,945"}, `[{"end":71304945,"mediaItemName":"SCENEMARK1_VIDEOMARK1.mp4","start":71304945}]`, "✓ correct"},
		{"2", []string{"video", "K01_V001", "values", "12.3456", "answer", "Mộc Châu \"x\""}, `[{"text":"QA-Mộc Châu \"x\"-K01_V001-12345.6"}]`, "×1 wrong"},
		{"3", []string{"video", "VIDEOMARK3", "values", "71304945, 3;5"}, `[{"text":"TR-VIDEOMARK3-71304945,3,5"}]`, "½ "},
		{"3", []string{"video", "K01_V001", "values", "10, 20;30"}, `[{"text":"TR-K01_V001-10,20,30"}]`, "×1 wrong"},
	} {
		s.Must(t, contest.Start{Question: test.question, Restart: true})
		s.Clock.Advance(10 * time.Second)
		p := v.post("/desk/submit", test.fields...)
		if p.Code != http.StatusOK || !strings.Contains(p.text, test.shown) {
			t.Errorf("%q: %d %s", test.fields, p.Code, alert(p.text))
		}
		all := s.attempts()
		last := all[len(all)-1]
		var sent struct {
			AnswerSets []struct{ Answers json.RawMessage }
		}
		if err := json.Unmarshal([]byte(last.Body), &sent); err != nil || last.Team != "one" || last.Elapsed != 10*time.Second {
			t.Fatalf("%v in %+v", err, last)
		}
		var got, want any
		if json.Unmarshal(sent.AnswerSets[0].Answers, &got) != nil || json.Unmarshal([]byte(test.want), &want) != nil {
			t.Fatal(last.Body)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: sent %s, expected %s", test.fields, sent.AnswerSets[0].Answers, test.want)
		}
	}
	n := len(s.attempts())
	for _, fields := range [][]string{{"video", "", "values", "1"}, {"video", "x", "values", ""}, {"video", "x", "values", "soon"}, {"video", "x", "values", "NaN"}, {"video", "x", "values", "1e308"}, {"video", "x", "values", " , "}, {"video", "x", "values", "-3"}} {
		if p := v.post("/desk/submit", fields...); p.Code != http.StatusBadRequest || alert(p.text) == "" || !strings.Contains(p.text, `name="video" id="video" required`) {
			t.Errorf("%q: %d %s", fields, p.Code, alert(p.text))
		}
	}
	if p := s.visitor().post("/desk/submit", "video", "x", "values", "1"); p.Code != http.StatusUnauthorized {
		t.Errorf("without a team: %d", p.Code)
	}
	s.Clock.Advance(400 * time.Second)
	if p := v.post("/desk/submit", "video", "K9", "values", "1"); p.Code != http.StatusConflict || !strings.Contains(alert(p.text), "Too late: the time is over. (the submission arrived 410.00 s") {
		t.Errorf("found %d %s", p.Code, alert(p.text))
	}
	if left := len(s.attempts()); left != n {
		t.Errorf("%d attempts were recorded of submissions that were refused", left-n)
	}
}

// The same answer from the same form is one submission, another one is not.
func TestTheDeskSubmitsOnce(t *testing.T) {
	s := newSite(t)
	s.team("one", "One")
	v := s.member("one")
	s.Must(t, contest.Start{Question: "1"})
	key := func() string {
		_, after, _ := strings.Cut(v.get("/desk").text, `name="key" value="`)
		key, _, found := strings.Cut(after, `"`)
		if !found {
			t.Fatal("the form has no key")
		}
		return key
	}
	form := key()
	for i, test := range []struct {
		value, key string
		want       int // attempts afterwards
	}{{"1", form, 1}, {"1", form, 1}, {"2", form, 2}, {"1", key(), 3}} {
		p := v.post("/desk/submit", "video", "x", "values", test.value, "key", test.key)
		if got := len(s.attempts()); got != test.want || !strings.Contains(p.text, "10 points less for the next right answer") {
			t.Errorf("%d: %d attempts, expected %d: %s", i, got, test.want, alert(p.text))
		}
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
