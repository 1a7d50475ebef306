package retrieval_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"scorebook/retrieval"
)

// A contest's videos: hyphens in ids, ids that end like others, no scene.
var known = []retrieval.Question{
	{ID: "1", Type: retrieval.KIS, Scene: "K14", Video: "V026"},
	{ID: "2", Type: retrieval.QA, Scene: "K17", Video: "V003"},
	{ID: "3", Type: retrieval.TR, Scene: "N001", Video: "V001"},
	{ID: "4", Type: retrieval.KIS, Video: "00043"},
	{ID: "5", Type: retrieval.KIS, Video: "news-2024_part-2"},
	{ID: "6", Type: retrieval.KIS, Scene: "Cảnh", Video: "V1"},
}

func sent(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"teamSessionId":"t","answerSets":[{"answers":[{"text":%s}]}]}`, quoted)
}

func items(items ...string) string {
	return `{"answerSets":[{"answers":[` + strings.Join(items, ",") + `]}]}`
}

func TestInterpret(t *testing.T) {
	answer := func(scene, video, text string, values ...float64) retrieval.Answer {
		return retrieval.Answer{Scene: scene, Video: video, Text: text, Values: values}
	}
	for _, test := range []struct {
		name string
		kind retrieval.Type
		body string
		want retrieval.Answer
	}{
		{"moment", retrieval.KIS, items(`{"mediaItemName":"K14_V026","start":370000,"end":370000}`), answer("K14", "V026", "", 370000)},
		{"stretch", retrieval.KIS, items(`{"mediaItemName":"K14-V026","start":370000,"end":386000}`), answer("K14", "V026", "", 370000, 386000)},
		{"four boundaries", retrieval.KIS, items(`{"mediaItemName":"V026","start":"1","end":"1"}`, `{"mediaItemName":"V026","start":"2","end":"2"}`), answer("", "V026", "", 1, 2)},
		{"quoted float, no end", retrieval.KIS, items(`{"mediaItemName":"V026","start":"33366.666666666664"}`), answer("", "V026", "", 33366.666666666664)},
		{"start null", retrieval.KIS, items(`{"mediaItemName":"V026","start":null,"end":500}`), answer("", "V026", "", 0, 500)},
		{"start empty", retrieval.KIS, items(`{"mediaItemName":"V026","start":"","end":0}`), answer("", "V026", "", 0)},
		{"end null, exponent", retrieval.KIS, items(`{"mediaItemName":"V026","start":1e3,"end":null}`), answer("", "V026", "", 1000)},
		{"TR as moments", retrieval.TR, items(`{"mediaItemName":"V026","start":1000,"end":2000}`, `{"mediaItemName":"V026","start":"3020"}`), answer("", "V026", "", 38, 76)}, // 37.5 and 75.5 frames
		{"several answer sets", retrieval.KIS, `{"answerSets":[{"answers":[{"mediaItemName":"V026","start":1}]},{"taskName":"x","answers":[{"mediaItemName":"V026","start":2}]},{"answers":null},{}]}`, answer("", "V026", "", 1, 2)},
		{"unknown names at all levels", retrieval.KIS, `{"a":[{}],"answerSets":[{"taskId":"evaluation","b":1,"answers":[{"c":null,"text":null,"mediaItemName":"V026","mediaItemCollectionName":"","start":1}]}]}`, answer("", "V026", "", 1)},
		{"folder and extension", retrieval.KIS, items(`{"mediaItemName":"videos/K14/K14_V026.mp4","start":1}`), answer("K14", "V026", "", 1)},
		{"folder of Windows", retrieval.KIS, items(`{"mediaItemName":"D:\\data\\K14_V026.MKV","start":1}`), answer("K14", "V026", "", 1)},
		{"other case", retrieval.KIS, items(`{"mediaItemName":"k14_v026","start":1}`), answer("K14", "V026", "", 1)},
		{"digits only", retrieval.KIS, items(`{"mediaItemName":"00043","start":1}`), answer("", "00043", "", 1)},
		{"a name with hyphens", retrieval.KIS, items(`{"mediaItemName":"news-2024_part-2.mp4","start":1}`), answer("", "news-2024_part-2", "", 1)},
		{"unknown, with scene", retrieval.KIS, items(`{"mediaItemName":"L99_V999","start":1}`), answer("L99", "V999", "", 1)},
		{"decomposed", retrieval.KIS, items(`{"mediaItemName":"Ca\u0309nh_V1","start":1}`), answer("Cảnh", "V1", "", 1)},
		{"one video in two spellings", retrieval.KIS, items(`{"mediaItemName":"l99-v999","start":1}`, `{"mediaItemName":"L99_V999.mp4","start":2}`), answer("l99", "v999", "", 1, 2)},
		{"deep as allowed", retrieval.KIS, `{"x":` + strings.Repeat("[", 15) + strings.Repeat("]", 15) + `,"answerSets":[{"answers":[{"mediaItemName":"V026","start":1}]}]}`, answer("", "V026", "", 1)},
		{"unknown, odd", retrieval.KIS, items(`{"mediaItemName":"what is this","start":1}`), answer("", "what is this", "", 1)},

		{"QA", retrieval.QA, sent("QA-MOCCHAU-K17_V003-360000"), answer("K17", "V003", "MOCCHAU", 360000)},
		{"QA of 2024", retrieval.QA, sent("MOCCHAU-K17_V003-360000"), answer("K17", "V003", "MOCCHAU", 360000)},
		{"QA, video alone", retrieval.QA, sent("QA-10-V003-1"), answer("", "V003", "10", 1)},
		{"QA, hyphens and commas in the answer", retrieval.QA, sent("QA-Bến-Thành, 1-2-K17-V003-1,2.5 , 3"), answer("K17", "V003", "Bến-Thành, 1-2", 1, 2.5, 3)},
		{"QA, decomposed", retrieval.QA, sent("QA-Be\u0302\u0301n-V003-1"), answer("", "V003", "Bến", 1)},
		{"QA, lower case", retrieval.QA, sent("qa-x-k17_v003-1"), answer("K17", "V003", "x", 1)},
		{"QA, a known name with a hyphen", retrieval.QA, sent("QA-10-N001-V001-1"), answer("N001", "V001", "10", 1)},
		{"QA, the longest known name", retrieval.QA, sent("QA-a-news-2024_part-2-1"), answer("", "news-2024_part-2", "a", 1)},
		{"QA, unknown video", retrieval.QA, sent("QA-A-B-L99_V999-1"), answer("L99", "V999", "A-B", 1)},
		{"QA, extension", retrieval.QA, sent("QA-A-K17_V003.mp4-1"), answer("K17", "V003", "A", 1)},
		{"QA, joined", retrieval.QA, items(`{"text":"QA-A-V003-1"}`, `{"text":"QA-A-V003-2,3"}`), answer("", "V003", "A", 1, 2, 3)},
		{"QA, beside", retrieval.QA, items(`{"text":"MOCCHAU","mediaItemName":"K17_V003","start":1,"end":5}`), answer("K17", "V003", "MOCCHAU", 1, 5)},
		{"QA, the whole text beside its video and times", retrieval.QA, items(`{"text":"QA-MOC-CHAU-k17-v003-360000","mediaItemName":"K17_V003.mp4","start":1,"end":5}`), answer("K17", "V003", "MOC-CHAU", 360000)},
		{"QA of 2024 beside its video", retrieval.QA, items(`{"text":"A-L99_V999-1,2","mediaItemName":"L99_V999"}`), answer("L99", "V999", "A", 1, 2)},
		{"QA, hyphens and digits beside", retrieval.QA, items(`{"text":"SARS-COV-2","mediaItemName":"K17_V003","start":"","end":5}`), answer("K17", "V003", "SARS-COV-2", 0, 5)},
		{"QA, beside, joined", retrieval.QA, items(`{"text":"A","mediaItemName":"V003","start":1}`, `{"text":"qa-A","mediaItemName":"V003","start":2}`), answer("", "V003", "A", 1, 2)},
		{"QA, older body", retrieval.QA, `{"text":"QA-A-V003-1"}`, answer("", "V003", "A", 1)},

		{"TR", retrieval.TR, sent("TR-N001_V001-9925, 9975 ,10000"), answer("N001", "V001", "", 9925, 9975, 10000)},
		{"TR, hyphen", retrieval.TR, sent("tr-N001-V001-1"), answer("N001", "V001", "", 1)},
		{"TR, older body", retrieval.TR, `{"text":"TR-V017-4945,5010"}`, answer("", "V017", "", 4945, 5010)},
		{"TR, whole with a point", retrieval.TR, sent("TR-V017-10.0"), answer("", "V017", "", 10)},
	} {
		t.Run(test.name, func(t *testing.T) {
			body, err := retrieval.ParseBody([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			got, err := retrieval.Interpret(body, retrieval.Form{Type: test.kind, FPS: 25}, retrieval.NewMedia(known))
			if err != nil || got.Scene != test.want.Scene || got.Video != test.want.Video || got.Text != test.want.Text || !slices.Equal(got.Values, test.want.Values) {
				t.Errorf("got %+v and %v, want %+v", got, err, test.want)
			}
		})
	}
}

// Where a form takes a video alone, moments may be missing; those that are there
// are kept.
func TestInterpretItems(t *testing.T) {
	for body, want := range map[string]string{
		items(`{"mediaItemName":"K14_V026"}`):                                    `{"scene_id":"K14","video_id":"V026","values":[]}`,
		items(`{"mediaItemName":"K14_V026.mp4","start":null,"end":""}`):          `{"scene_id":"K14","video_id":"V026","values":[]}`,
		items(`{"mediaItemName":"V026"}`, `{"mediaItemName":"V026","start":10}`): `{"video_id":"V026","values":[10]}`,
	} {
		parsed, err := retrieval.ParseBody([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := retrieval.Interpret(parsed, retrieval.Form{Type: retrieval.KIS, ItemOnly: true}, retrieval.NewMedia(known))
		if text, _ := json.Marshal(got); err != nil || string(text) != want {
			t.Errorf("%s: got %s and %v, want %s", body, text, err, want)
		}
		if _, err := retrieval.Interpret(parsed, retrieval.Form{Type: retrieval.KIS}, retrieval.NewMedia(known)); err == nil {
			t.Errorf("%s: taken where a moment is asked for", body)
		}
	}
	parsed, _ := retrieval.ParseBody([]byte(items(`{"text":"a hat","mediaItemName":"V003"}`)))
	got, err := retrieval.Interpret(parsed, retrieval.Form{Type: retrieval.QA, ItemOnly: true}, retrieval.NewMedia(known))
	if err != nil || got.Text != "a hat" || got.Video != "V003" || len(got.Values) != 0 {
		t.Errorf("got %+v and %v", got, err)
	}
}

func TestMalformed(t *testing.T) {
	long := strings.Repeat(`{"mediaItemName":"V026","start":1},`, 1001)
	half := strings.Repeat("{},", 500) + "{}"
	for _, test := range []struct {
		name string
		kind retrieval.Type
		body string
		want string // the message begins with it
	}{
		{"nothing", retrieval.KIS, "", "body: found no JSON"},
		{"no JSON", retrieval.KIS, "TR-V017-1", "body: found no JSON"},
		{"a list", retrieval.KIS, "[]", "body: found no JSON object"},
		{"a number", retrieval.KIS, "1", "body: found no JSON object"},
		{"cut off", retrieval.KIS, `{"answerSets":[`, "body: found no JSON"},
		{"more behind", retrieval.KIS, `{} {}`, "body: found something behind"},
		{"the same name twice", retrieval.KIS, `{"text":"a","text":"b"}`, "body: found no JSON"},
		{"a lone surrogate", retrieval.QA, `{"text":"\ud800"}`, "body: found no JSON"},
		{"not UTF-8", retrieval.QA, "{\"text\":\"\xff\"}", "body: found no JSON"},
		{"NaN", retrieval.KIS, `{"answerSets":[{"answers":[{"start":NaN}]}]}`, "body: found no JSON"},
		{"token a list", retrieval.KIS, `{"teamSessionId":["a"]}`, "teamSessionId: found no string, expected the token as a string"},
		{"token a number", retrieval.KIS, `{"team_session_id":1}`, "team_session_id: found no string"},
		{"two tokens", retrieval.KIS, `{"teamSessionId":"a","team_session_id":"b"}`, "team_session_id: found another token"},
		{"answer sets an object", retrieval.KIS, `{"answerSets":{}}`, `answerSets: found "{}", expected an array`},
		{"answer set a text", retrieval.KIS, `{"answerSets":["x"]}`, `answerSets[0]: found "\"x\"", expected an object`},
		{"text a number", retrieval.QA, items(`{"text":1}`), `answerSets[0].answers[0].text: found "1", expected a string`},
		{"no answers", retrieval.KIS, `{"answerSets":[]}`, "answerSets: found no answer"},
		{"answers null", retrieval.KIS, `{"answerSets":null}`, "answerSets: found no answer"},
		{"too many", retrieval.KIS, items(strings.TrimSuffix(long, ",")), "answerSets[0].answers: found more than 1000"},
		{"too many in several sets", retrieval.KIS, `{"answerSets":[{"answers":[` + half + `]},{"answers":[` + half + `]}]}`, "answerSets[1].answers[499]: found more than 1000"},
		{"too many sets", retrieval.KIS, `{"answerSets":[{}` + strings.Repeat(",{}", 64) + "]}", "answerSets: found more than 64"},
		{"too many values", retrieval.KIS, items(strings.TrimSuffix(strings.Repeat(`{"mediaItemName":"V026","start":1,"end":2},`, 501), ",")), "body: found 1002 values"},
		{"nested too deep", retrieval.KIS, `{"x":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + "}", "body: found values that are nested more than 16 deep"},
		{"nested much too deep", retrieval.KIS, strings.Repeat(`{"a":`, 9000), "body: found values that are nested"},
		{"time a word", retrieval.KIS, items(`{"mediaItemName":"V026","start":"soon"}`), `answerSets[0].answers[0].start: found "soon"`},
		{"time NaN in quotes", retrieval.KIS, items(`{"start":"NaN"}`), `answerSets[0].answers[0].start: found "NaN"`},
		{"time infinite", retrieval.KIS, items(`{"start":"Infinity"}`), "answerSets[0].answers[0].start: found"},
		{"time hexadecimal", retrieval.KIS, items(`{"start":"0x10"}`), "answerSets[0].answers[0].start: found"},
		{"time too large", retrieval.KIS, items(`{"start":1e308}`), "answerSets[0].answers[0].start: found"},
		{"time beyond float64", retrieval.KIS, items(`{"start":1e999}`), "answerSets[0].answers[0].start: found"},
		{"time negative", retrieval.KIS, items(`{"start":-1}`), "answerSets[0].answers[0].start: found"},
		{"time a boolean", retrieval.KIS, items(`{"start":true}`), "answerSets[0].answers[0].start: found"},
		{"time a list", retrieval.KIS, items(`{"end":[1]}`), "answerSets[0].answers[0].end: found"},
		{"two videos", retrieval.KIS, items(`{"mediaItemName":"V026","start":1}`, `{"mediaItemName":"V003","start":1}`), "answerSets[0].answers[1].mediaItemName: found"},
		{"no video", retrieval.KIS, items(`{"start":1}`), "answerSets[0].answers[0].mediaItemName: found none"},
		{"no time", retrieval.KIS, items(`{"mediaItemName":"V026"}`), "answerSets[0].answers[0].start: found a video without a moment"},
		{"backwards", retrieval.KIS, items(`{"mediaItemName":"V026","start":2,"end":1}`), "answerSets[0].answers[0].start: found 2, which is after the end 1"},
		{"KIS as text", retrieval.KIS, sent("TR-V017-1"), "answerSets[0].answers[0].mediaItemName: found none"},

		{"QA without numbers", retrieval.QA, sent("QA-x-V003"), `answerSets[0].answers[0].text: found "x-V003", which does not end`},
		{"QA without an answer", retrieval.QA, sent("QA-V003-1"), "answerSets[0].answers[0].text: found"},
		{"QA with an empty answer", retrieval.QA, sent("QA- -V003-1"), "answerSets[0].answers[0].text: found"},
		{"QA that is TR", retrieval.QA, sent("TR-V003-1"), "answerSets[0].answers[0].text: found an answer that begins with TR-"},
		{"QA, two answers", retrieval.QA, items(`{"text":"QA-A-V003-1"}`, `{"text":"QA-B-V003-1"}`), "answerSets[0].answers[1].text: found another answer"},
		{"QA without text", retrieval.QA, items(`{"mediaItemName":"V003","start":1}`), "answerSets[0].answers[0].text: found none"},
		{"QA, a number too large", retrieval.QA, sent("QA-x-V003-99999999999999999999"), "answerSets[0].answers[0].text: found the number"},

		{"TR, two answers", retrieval.TR, items(`{"text":"TR-V-1"}`, `{"text":"TR-V-1"}`), "answerSets[0].answers[1]: found a second answer"},
		{"TR, a fraction", retrieval.TR, sent("TR-V017-1.5"), "answerSets[0].answers[0].text: found the frame"},
		{"TR without prefix", retrieval.TR, sent("V017-1"), "answerSets[0].answers[0].text: found"},
		{"TR without video", retrieval.TR, sent("TR--1"), "answerSets[0].answers[0].text: found no video"},
		{"TR without a time", retrieval.TR, items(`{"mediaItemName":"V026"}`), "answerSets[0].answers[0].start: found a video without a moment"},
		{"TR, nothing", retrieval.TR, items(`{"start":1}`), "answerSets[0].answers[0].text: found none"},
		{"TR, a text after a moment", retrieval.TR, items(`{"mediaItemName":"V026","start":1}`, `{"mediaItemName":"V026","start":1,"text":"TR-V026-1"}`), "answerSets[0].answers[1].text: found a text beside moments"},
		{"TR, moments of two videos", retrieval.TR, items(`{"mediaItemName":"V026","start":1}`, `{"mediaItemName":"V003","start":1}`), "answerSets[0].answers[1].mediaItemName: found"},
		{"TR, an empty number", retrieval.TR, sent("TR-V017-1,,2"), "answerSets[0].answers[0].text: found"},
		{"TR, too many numbers", retrieval.TR, sent("TR-V017-1" + strings.Repeat(",1", 1000)), "answerSets[0].answers[0].text: found 1001 numbers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body, err := retrieval.ParseBody([]byte(test.body))
			if err == nil {
				_, err = retrieval.Interpret(body, retrieval.Form{Type: test.kind, FPS: 25}, retrieval.NewMedia(known))
			}
			var malformed *retrieval.Malformed
			if !errors.As(err, &malformed) || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got %v, want %s...", err, test.want)
			}
			if len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("the message is %q", err)
			}
		})
	}
}

// Refusals are free. If they depended on the names that the contest knows,
// anybody could learn which videos it asks for by sending nonsense.
func TestRefusalsDoNotTellWhatIsKnown(t *testing.T) {
	for _, test := range []struct {
		kind retrieval.Type
		body string
	}{
		{retrieval.TR, sent("TR-K14_V026-1")},
		{retrieval.TR, sent("TR-unheard of-1")},
		{retrieval.QA, sent("QA- -K17-V003-1")}, // with the longest known name, no answer is left
		{retrieval.QA, sent("QA-K17-V003-1")},
		{retrieval.QA, sent("QA-news-2024_part-2-1")},
		{retrieval.QA, items(`{"text":"QA-A-K17_V003-1"}`, `{"text":"QA-A-k17-v003-1"}`)}, // one video, if it is known
		{retrieval.QA, items(`{"text":"QA-A-K17-V003-1"}`, `{"text":"A","mediaItemName":"K17-V003","start":1}`)},
		{retrieval.KIS, items(`{"mediaItemName":"K17_V003","start":1}`, `{"mediaItemName":"k17-v003","start":1}`)},
		{retrieval.KIS, items(`{"mediaItemName":"K17_V003","start":1}`, `{"mediaItemName":"V003","start":1}`)},
	} {
		body, err := retrieval.ParseBody([]byte(test.body))
		if err != nil {
			t.Fatal(err)
		}
		_, want := retrieval.Interpret(body, retrieval.Form{Type: test.kind, FPS: 25}, retrieval.NewMedia(nil))
		if _, got := retrieval.Interpret(body, retrieval.Form{Type: test.kind, FPS: 25}, retrieval.NewMedia(known)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v if the names are known, else %v", test.body, got, want)
		}
	}
}
