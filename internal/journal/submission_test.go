package journal

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/retrieval"
)

// plainly encodes an event as encoding/json does.
func plainly(t rapid.TB, e contest.SubmissionJudged) []byte {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// What is written fast is what encoding/json writes, and is read fast as what
// encoding/json reads.
func TestSubmissionsAreEncodedAlike(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", `{"answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":1}]}]}`, "Mộc Châu", "<&>", "a\u2028b", "\u2029", "\u2027", "\xff", "\x00\n\t", `\"\\`, "\x7f",
	}))
	numbers := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 0.1, 1e-6, 9.9e-7, 1e21, 1e20, 123456789.125, 1 << 53, math.MaxFloat64, math.SmallestNonzeroFloat64}))
	fast := 0
	rapid.Check(t, func(t *rapid.T) {
		wild := rapid.Bool().Draw(t, "wild")
		n := func(name string) float64 {
			if !wild {
				return rapid.SampledFrom([]float64{0, 1, 0.1, 93.4, 123456789.125}).Draw(t, name)
			}
			return numbers.Draw(t, name)
		}
		s := func(name string) string {
			if !wild {
				return rapid.SampledFrom([]string{"", `{"mediaItemName":"K14_V026"}`, "Mộc Châu", "<&>", `\\"`}).Draw(t, name)
			}
			return texts.Draw(t, name)
		}
		e := contest.SubmissionJudged{
			Team: contest.TeamID(s("team")), Question: retrieval.QuestionID(s("question")), Round: rapid.Int().Draw(t, "round"),
			Arrived: time.Unix(0, rapid.Int64().Draw(t, "arrived")).UTC(), Body: s("body"),
			Answer: retrieval.Answer{Scene: s("scene"), Video: s("video"), Values: []float64{n("value"), n("value")}, Text: s("text")},
			Key:    s("key"),
			Announced: retrieval.Result{
				Score: n("a"), Correctness: retrieval.Correctness(s("c")), CorrectnessFactor: n("b"), MatchQuality: n("d"), MatchedEvents: 1, TotalEvents: 2,
				TimeFactor: n("e"), Penalty: n("f"), WrongAttempts: 3, ElapsedSeconds: n("g"), IgnoredValues: -4,
			},
		}
		if rapid.Bool().Draw(t, "no values") {
			e.Answer.Values = nil
		}
		want := plainly(t, e)
		got, usual := appendSubmission(nil, &e)
		if usual {
			fast++
			if !bytes.Equal(got, want) {
				t.Fatalf("found\n%s\nexpected\n%s", got, want)
			}
		}
		encoded, err := encode(e)
		if err != nil || !bytes.Equal(encoded, want) {
			t.Fatalf("found %s, %v", encoded, err)
		}
		var plain contest.SubmissionJudged
		if err := unmarshal(want, &plain); err != nil {
			t.Fatal(err)
		}
		if read, ok := readSubmission(want); ok && !reflect.DeepEqual(read, plain) || usual && !ok {
			t.Fatalf("%s\nreads as %+v\nand not %+v", want, read, plain)
		}
	})
	if fast == 0 {
		t.Error("nothing was usual")
	}
}

// A text that is not quite what was written is left to encoding/json, which says
// what is wrong with it.
func TestUnusualSubmissions(t *testing.T) {
	e := contest.SubmissionJudged{Team: "t", Question: "1", Round: 1, Arrived: time.Unix(1, 5).UTC(), Body: `{"a": "b"}`, Answer: retrieval.Answer{Video: "V", Values: []float64{1.5}}}
	text := string(plainly(t, e))
	if read, ok := readSubmission([]byte(text)); !ok || !reflect.DeepEqual(read, e) {
		t.Fatalf("%s\nreads as %+v", text, read)
	}
	for i := range text { // cut off, or with something else in it
		for _, other := range []string{text[:i], text[:i] + text[i+1:], text[:i] + "\x00" + text[i:], text[:i] + "," + text[i:], text[:i] + "0" + text[i:]} {
			read, ok := readSubmission([]byte(other))
			var plain contest.SubmissionJudged
			if err := unmarshal([]byte(other), &plain); ok && (err != nil || !reflect.DeepEqual(read, plain)) {
				t.Errorf("%s\nreads as %+v, and encoding/json says %v, %+v", other, read, err, plain)
			}
		}
	}
	if _, ok := readSubmission([]byte(strings.Replace(text, "{", "{ ", 1))); ok {
		t.Error("a blank was taken")
	}
}

func BenchmarkSubmission(b *testing.B) {
	e := contest.SubmissionJudged{
		Team: "t61f3c0ffee00", Question: "1", Round: 1, Arrived: time.Unix(1768651200, 123456789).UTC(), Body: `{"answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":1000,"end":1000}]}]}`,
		Answer: retrieval.Answer{Scene: "K14", Video: "V026", Values: []float64{1000}}, Announced: retrieval.Result{Correctness: "incorrect", TotalEvents: 1, TimeFactor: 0.8683, WrongAttempts: 3, ElapsedSeconds: 39.512345678, Penalty: 30},
	}
	text := plainly(b, e)
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			if _, err := encode(e); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encode plainly", func(b *testing.B) {
		for b.Loop() {
			plainly(b, e)
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, ok := readSubmission(text); !ok {
				b.Fatal("unusual")
			}
		}
	})
	b.Run("decode plainly", func(b *testing.B) {
		for b.Loop() {
			var plain contest.SubmissionJudged
			if err := unmarshal(text, &plain); err != nil {
				b.Fatal(err)
			}
		}
	})
}
