package retrieval_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/retrieval"
	"scorebook/strict"
)

func parseGroundTruth(text string) ([]retrieval.Question, *diag.List, bool) {
	var diags diag.List
	questions, ok := retrieval.ParseGroundTruth(strict.NewSource("gt.csv", strings.NewReader(text), 0), &diags)
	return questions, &diags, ok
}

const header = "id,type,scene_id,video_id,points,answer\n"

func TestGroundTruthSample(t *testing.T) {
	text, err := os.ReadFile("../testdata/data/aic-sample-groundtruth.csv")
	if err != nil {
		t.Fatal(err)
	}
	questions, diags, ok := parseGroundTruth(string(text))
	if !ok || len(questions) != 22 || diags.Text() != "" {
		t.Fatalf("%d questions, %s", len(questions), diags.Text())
	}
	if q := questions[2]; q.Events[0] != (retrieval.Event{Start: 0, End: 16000}) {
		t.Errorf("leading zeros read as %+v", q)
	}
	if q := questions[15]; q.Type != retrieval.QA || len(q.Answers) != 1 || q.Answers[0] != "10" {
		t.Errorf("an answer of digits reads as %+v", q)
	}
	if q := questions[21]; q.Type != retrieval.TR || len(q.Events) != 3 || q.Events[1].Start != q.Events[0].End {
		t.Errorf("touching events read as %+v", q)
	}
}

func TestGroundTruthForms(t *testing.T) {
	want, _, ok := parseGroundTruth(header + "1,QA,K17,V003,\"1,2,3,4\",A|B\n2,TR,,V1,\"5,6\",\n")
	if !ok {
		t.Fatal("not read")
	}
	for name, text := range map[string]string{
		"BOM and CRLF":       "\ufeff" + strings.ReplaceAll(header+"1,QA,K17,V003,\"1,2,3,4\",A|B\n2,TR,,V1,\"5,6\",\n", "\n", "\r\n"),
		"hyphens":            header + "1,QA,K17,V003,1-2-3-4,A|B\n2,TR,,V1,5-6,\n",
		"blanks and zeros":   header + "1,QA,K17,V003,\"01, 2 ,3,4\",A | B\n2,TRAKE,,V1,5 - 6,\n",
		"another order":      "answer,points,video_id,scene_id,type,id,note\nA|B,1-2-3-4,V003,K17,QA,1,x\n,5-6,V1,,TR,2,y\n",
		"no line end at end": header + "1,QA,K17,V003,1-2-3-4,A|B\n2,TR,,V1,5-6,",
	} {
		if got, diags, ok := parseGroundTruth(text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %s", name, got, diags.Text())
		}
	}
	got, diags, ok := parseGroundTruth("id,type,scene_id,video_id,points,time_limit,fps\n1,KIS,,V1,*,,\n2,TR,,V1,5-6,240,29.97\n")
	if more := []retrieval.Question{
		{ID: "1", Type: retrieval.KIS, Video: "V1", Events: []retrieval.Event{retrieval.WholeVideo}},
		{ID: "2", Type: retrieval.TR, Video: "V1", Events: []retrieval.Event{{Start: 5, End: 6}}, FPS: 29.97, TimeLimit: 240},
	}; !ok || !reflect.DeepEqual(got, more) {
		t.Errorf("further columns: got %+v, %s", got, diags.Text())
	}
	if got, _, ok := parseGroundTruth("id,type,scene_id,video_id,points\n1,TR,,V1,5-6\n"); !ok || len(got) != 1 {
		t.Errorf("without the column answer: %+v", got)
	}
}

func TestGroundTruthFaults(t *testing.T) {
	for _, test := range []struct{ name, row, want string }{
		{"duplicate id", "1,TR,,V1,5-6,\n1,TR,,V1,5-6,", "gt.csv:3:1: error: the id \"1\" occurs twice [groundtruth/duplicate]\n    gt.csv:2:1: first here"},
		{"empty id", ",TR,,V1,5-6,", "gt.csv:2:1: error: found the id \"\""},
		{"blank in an id", "a b,TR,,V1,5-6,", "gt.csv:2:1: error: found the id \"a b\""},
		{"long id", strings.Repeat("a", 65) + ",TR,,V1,5-6,", "gt.csv:2:1: error: found the id"},
		{"unknown type", "1,kis,,V1,5-6,", "gt.csv:2:3: error: found the type \"kis\", expected KIS, QA or TR [groundtruth/type]\n    hint: did you mean \"KIS\"?"},
		{"no video", "1,TR,,,5-6,", "gt.csv:2:7: error: found an empty video_id"},
		{"no points", "1,TR,,V1,,", "gt.csv:2:10: error: found no points"},
		{"odd number", "1,TR,,V1,5-6-7,", "gt.csv:2:10: error: found 3 points, expected an even number"},
		{"ends before it starts", "1,TR,,V1,6-5,", "gt.csv:2:10: error: found the event 6 to 5"},
		{"negative", "1,TR,,V1,\"-5,6\",", "gt.csv:2:10: error: found \"-5,6\", expected no negative points"},
		{"negative later", "1,TR,,V1,\"5,-6\",", "gt.csv:2:10: error: found \"5,-6\", expected no negative points"},
		{"negative behind a blank", "1,TR,,V1,\"5, -6\",", "gt.csv:2:10: error: found \"5, -6\", expected no negative points"},
		{"fraction", "1,TR,,V1,\"5,6.5\",", "gt.csv:2:10: error: found the point \"6.5\""},
		{"word", "1,TR,,V1,\"5,x\",", "gt.csv:2:10: error: found the point \"x\""},
		{"too large", "1,TR,,V1,\"5,9007199254740993\",", "gt.csv:2:10: error: found the point"},
		{"separator at the end", "1,TR,,V1,\"5,6,\",", "gt.csv:2:10: error: found \"5,6,\", expected one separator"},
		{"two separators", "1,TR,,V1,\"5,,6\",", "gt.csv:2:10: error: found \"5,,6\", expected one separator"},
		{"answer of another type", "1,TR,,V1,5-6,x", "gt.csv:2:14: error: found the answer \"x\" of a TR question"},
		{"empty answer", "1,QA,,V1,5-6,a||b", "gt.csv:2:14: error: found an empty answer"},
		{"QA without answer", "1,QA,,V1,5-6,", "gt.csv:2:14: warning: found no answer"},
		{"order", "1,TR,,V1,5-6-1-2,", "gt.csv:2:10: warning: the events 5-6-1-2 do not ascend"},
		{"short row", "1,TR,,V1", "gt.csv:2:1: error: found a row of 4 fields"},
		{"nothing", "", "gt.csv:1:1: error: found a header and no question"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags, ok := parseGroundTruth(header + test.row)
			if !strings.HasPrefix(diags.Text(), test.want) || ok != strings.Contains(test.want, "warning:") {
				t.Errorf("ok %t, got\n%swant\n%s", ok, diags.Text(), test.want)
			}
		})
	}
	const further = "id,type,scene_id,video_id,points,fps,time_limit\n"
	for row, want := range map[string]string{
		"1,TR,,V1,*,,":         `gt.csv:2:10: error: found *, which asks for a video and no moment of it; expected events of a TR question [groundtruth/points]`,
		"1,TR,,V1,1-2,x,":      `gt.csv:2:14: error: found the fps "x", expected a number of frames a second above 0 and at most 1000, or nothing [groundtruth/figure]`,
		"1,TR,,V1,1-2,0,":      `gt.csv:2:14: error: found the fps "0"`,
		"1,TR,,V1,1-2,,86401":  `gt.csv:2:15: error: found the time_limit "86401", expected a number of seconds above 0 and at most 86400, or nothing`,
		"1,TR,,V1,1-2,1001,-1": `gt.csv:2:14: error: found the fps "1001"`,
	} {
		if _, diags, ok := parseGroundTruth(further + row + "\n"); ok || !strings.HasPrefix(diags.Text(), want) {
			t.Errorf("%s: got %s", row, diags.Text())
		}
	}
	_, diags, _ := parseGroundTruth(header + "1,X,,V1,5-6,\n2,TR,,,5,\n3,TR,,V1,5-6,\n3,TR,,V1,x,\n")
	if diags.Errors() != 5 {
		t.Errorf("not all faults are told:\n%s", diags.Text())
	}
	if _, diags, ok := parseGroundTruth("id,type,video_id,points\n"); ok || !strings.Contains(diags.Text(), "scene_id") {
		t.Errorf("a missing column: %s", diags.Text())
	}
}

// checkWritesBack holds that questions are read back from what is written.
func checkWritesBack(t rapid.TB, questions []retrieval.Question) {
	t.Helper()
	var written bytes.Buffer
	if err := retrieval.WriteGroundTruth(&written, questions); err != nil {
		t.Fatal(err)
	}
	if again, diags, ok := parseGroundTruth(written.String()); !ok || !reflect.DeepEqual(again, questions) {
		t.Fatalf("%q reads as %+v, not %+v\n%s", written.String(), again, questions, diags.Text())
	}
}

func TestGroundTruthSampleWritesBack(t *testing.T) {
	sample, err := os.ReadFile("../testdata/data/aic-sample-groundtruth.csv")
	if err != nil {
		t.Fatal(err)
	}
	questions, _, _ := parseGroundTruth(string(sample))
	checkWritesBack(t, questions)
}

func TestGroundTruthWritesBack(t *testing.T) {
	name := rapid.StringMatching(`[A-Za-zĐộ0-9_",;'.-]{1,8}`)
	point := rapid.Int64Range(0, 1<<53)
	event := rapid.Custom(func(t *rapid.T) retrieval.Event {
		a, b := point.Draw(t, "a"), point.Draw(t, "b")
		return retrieval.Event{Start: min(a, b), End: max(a, b)}
	})
	question := rapid.Custom(func(t *rapid.T) retrieval.Question {
		q := retrieval.Question{
			ID: retrieval.QuestionID(name.Draw(t, "id")), Type: rapid.SampledFrom(kinds).Draw(t, "type"),
			Scene: rapid.OneOf(rapid.Just(""), name).Draw(t, "scene"), Video: name.Draw(t, "video"),
			Events: rapid.SliceOfN(event, 1, 4).Draw(t, "events"),
		}
		if q.Type == retrieval.QA && rapid.Bool().Draw(t, "answered") {
			q.Answers = rapid.SliceOfN(name, 1, 3).Draw(t, "answers")
		}
		if q.Type != retrieval.TR && rapid.Bool().Draw(t, "whole") {
			q.Events = []retrieval.Event{retrieval.WholeVideo}
		}
		figure := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0.001, 1000))
		q.FPS, q.TimeLimit = figure.Draw(t, "fps"), figure.Draw(t, "limit")
		return q
	})
	questions := rapid.SliceOfNDistinct(question, 1, 5, func(q retrieval.Question) retrieval.QuestionID { return q.ID })
	rapid.Check(t, func(t *rapid.T) { checkWritesBack(t, questions.Draw(t, "questions")) })
}

func writeGroundTruth(t *testing.T, questions []retrieval.Question) string {
	t.Helper()
	var b bytes.Buffer
	if err := retrieval.WriteGroundTruth(&b, questions); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
