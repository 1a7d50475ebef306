package retrieval_test

import (
	"strings"
	"testing"

	"scorebook/retrieval"
)

func TestBodyToken(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`{}`, ""},
		{`{"teamSessionId":null,"team_session_id":"","session":"a"}`, "a"},
		{`{"session":"a","team_session_id":"a"}`, "a"},
		{`{"team_session_id":"a"}`, "a"},
		{`{"teamSessionId":"\u0061"}`, "a"},
		{`{"TeamSessionId":"a","token":["b"]}`, ""},
	} {
		if body, err := retrieval.ParseBody([]byte(test.body)); err != nil || body.Token != test.want {
			t.Errorf("%s: got %+v and %v, want the token %q", test.body, body, err, test.want)
		}
	}
}

func TestBodyNeverRepeatsAToken(t *testing.T) {
	for _, body := range []string{
		`{"teamSessionId":["secret"]}`, `{"session":{"a":"secret"}}`, `{"team_session_id":"secret","session":"secret2"}`,
		`{"teamSessionId":"secret","teamSessionId":"secret"}`, `{"teamSessionId":"secret`, `{"teamSessionId":"secret" "text":1}`,
	} {
		if _, err := retrieval.ParseBody([]byte(body)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", body, err)
		}
	}
}

func BenchmarkSubmission(b *testing.B) {
	media := retrieval.NewMedia(known)
	for _, bench := range []struct {
		name string
		kind retrieval.Type
		body string
	}{
		{"KIS", retrieval.KIS, `{"teamSessionId":"t","answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":378000,"end":378000}]}]}`},
		{"QA", retrieval.QA, sent("QA-Bến Thành-K17_V003-360000")},
		{"TR", retrieval.TR, sent("TR-N001_V001-9925,9975,10000,10050,10125,10175")},
		{"1000 answers", retrieval.KIS, items(strings.Repeat(`{"mediaItemName":"K14_V026","start":1},`, 999) + `{"mediaItemName":"K14_V026","start":1}`)},
		{"64 KiB of nothing", retrieval.KIS, `{"x":[0` + strings.Repeat(",0", 32<<10) + `],"answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":1}]}]}`},
		{"64 KiB of text", retrieval.QA, sent("QA-" + strings.Repeat("a-", 32<<10) + "K17_V003-1")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			raw := []byte(bench.body)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				body, err := retrieval.ParseBody(raw)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := retrieval.Interpret(body, retrieval.Form{Type: bench.kind, FPS: 25}, media); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
