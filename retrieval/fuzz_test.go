package retrieval_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"scorebook/internal/testkit"
	"scorebook/retrieval"
)

var kinds = []retrieval.Type{retrieval.KIS, retrieval.QA, retrieval.TR}

// checkAnswer holds what is true of every answer and every refusal.
func checkAnswer(t *testing.T, body *retrieval.Body, kind retrieval.Type) {
	t.Helper()
	answer, err := retrieval.Interpret(body, retrieval.Form{Type: kind, FPS: 25}, retrieval.NewMedia(known))
	if _, unknown := retrieval.Interpret(body, retrieval.Form{Type: kind, FPS: 25}, retrieval.NewMedia(nil)); fmt.Sprint(unknown) != fmt.Sprint(err) {
		t.Fatalf("%v if the names are known, else %v", err, unknown)
	}
	if err != nil {
		if malformed := (*retrieval.Malformed)(nil); !errors.As(err, &malformed) || len(err.Error()) > 1000 || !utf8.ValidString(err.Error()) {
			t.Fatalf("refused with %q", err)
		}
		return
	}
	if answer.Video == "" || len(answer.Values) == 0 || len(answer.Values) > retrieval.MaxValues || !utf8.ValidString(answer.Text+answer.Video+answer.Scene) {
		t.Fatalf("read as %+v", answer)
	}
	for _, value := range answer.Values {
		if !(value >= 0 && value <= 1<<53) || kind == retrieval.TR && value != float64(int64(value)) {
			t.Fatalf("the value %v", value)
		}
	}
	if again, err := retrieval.Interpret(body, retrieval.Form{Type: kind, FPS: 25}, retrieval.NewMedia(known)); err != nil || !reflect.DeepEqual(again, answer) {
		t.Fatalf("read as %+v and as %+v", answer, again)
	}
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"text":"TR-V017-1,2"}`, items(`{"mediaItemName":"K14_V026","start":"1.5","end":null}`), sent("QA-A-K17_V003-1"), `{"a":[[[[]]]]}`,
		`{"teamSessionId":"x","answerSets":[{"answers":[{"start":1e999}]}]}`, "{\"text\":\"\xff\"}", `{"text":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		sent := bytes.Clone(raw)
		body, err := retrieval.ParseBody(raw)
		if !bytes.Equal(raw, sent) {
			t.Fatalf("%q was changed to %q", sent, raw)
		}
		if again, errAgain := retrieval.ParseBody(raw); !reflect.DeepEqual(again, body) || fmt.Sprint(errAgain) != fmt.Sprint(err) {
			t.Fatalf("read as %+v, %v and as %+v, %v", body, err, again, errAgain)
		}
		if err != nil {
			if malformed := (*retrieval.Malformed)(nil); !errors.As(err, &malformed) || len(err.Error()) > 2000 || !utf8.ValidString(err.Error()) {
				t.Fatalf("refused with %q", err)
			}
			return
		}
		for _, kind := range kinds {
			checkAnswer(t, body, kind)
		}
	})
}

func FuzzAnswerText(f *testing.F) {
	for _, seed := range []string{
		"TR-N001_V001-1, 2", "QA-Bến-Thành-K17_V003-1", "10-V003-1.5", "QA-a-news-2024_part-2-1", "tr--1", "--1", "-", "QA-\u0301-V003-1", "QA-x-.mp4-1",
		"QA- -K17-V003-1", "K17-V003-1", "QA-A-K14_V026.mp4-1,2", "TR-V--1",
		"QA-A-K17_V003-1+QA-A-k17-v003-1", "K17_V003+k17-v003", "QA-A-V003-1+V003",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("refused before")
		}
		for _, kind := range kinds {
			checkAnswer(t, &retrieval.Body{Text: text}, kind)
			checkAnswer(t, &retrieval.Body{Items: []retrieval.Item{{Field: "f", Text: text, Media: text, Start: new(float64)}}}, kind)
			one, two, found := strings.Cut(text, "+") // two answers, that may be of one video or not
			if found && one != "" && two != "" {
				checkAnswer(t, &retrieval.Body{Items: []retrieval.Item{{Field: "f", Text: one}, {Field: "g", Text: two}}}, kind)
				checkAnswer(t, &retrieval.Body{Items: []retrieval.Item{{Field: "f", Media: one, Start: new(float64)}, {Field: "g", Media: two, Start: new(float64)}}}, kind)
				checkAnswer(t, &retrieval.Body{Items: []retrieval.Item{{Field: "f", Text: one, Media: two, Start: new(float64)}}}, kind)
			}
		}
	})
}

func FuzzGroundTruth(f *testing.F) {
	for _, seed := range []string{
		"", header, header + "1,QA,K17,V003,\"1,2\",A|B\n", "\ufeff" + header + "1,TR,,V,1-2,\r\n", header + "1,TR,,V,2-1,\n1,X,,,x,y\n",
		"id,type,scene_id,video_id,points\n1,KIS,a,b,1-2\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		questions, diags, ok := parseGroundTruth(text)
		for _, d := range diags.Kept() {
			if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
				t.Fatalf("%q: %s", text, d.Text())
			}
			for _, r := range d.Related {
				if !testkit.Inside(text, r.Pos.Line, r.Pos.Column) {
					t.Fatalf("%q: %s", text, d.Text())
				}
			}
		}
		if !ok {
			return
		}
		for _, q := range questions {
			if q.ID == "" || q.Video == "" || len(q.Events) == 0 || strings.Contains(string(q.ID), " ") {
				t.Fatalf("read as %+v", q)
			}
		}
		written := writeGroundTruth(t, questions)
		again, diags, ok := parseGroundTruth(written)
		if !ok || !reflect.DeepEqual(again, questions) {
			t.Fatalf("%q reads as %+v, not %+v\n%s", written, again, questions, diags.Text())
		}
		if twice := writeGroundTruth(t, again); twice != written {
			t.Fatalf("%q is written as %q the second time", written, twice)
		}
	})
}
