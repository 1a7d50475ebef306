// Package rivals simulates teams that play through the public API, so that a
// rehearsal feels like a contest. What they do is drawn from a seed: equal seeds
// play alike, whatever the machine is busy with.
package rivals

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"scorebook/retrieval"
)

// Move is a submission that a rival will make.
type Move struct {
	At   time.Duration // from the start of the question
	Body []byte        // JSON of POST /submit, without a token
}

// draws keeps the draws of one purpose apart from those of another.
func draws(seed uint64, rival int, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()^uint64(rival)*0x9e3779b97f4a7c15)) //nolint:gosec // it shall be repeatable
}

// Plan returns what a rival does in a round of a question, in order of time. It
// is a function of its arguments alone. Some give up, some guess before they
// know, some answer late; how near to the middle of an event they come is a
// matter of their skill. Every product is rounded by itself, so that no
// processor plays otherwise than another.
func Plan(seed uint64, rival int, question *retrieval.Question, round int, limit time.Duration) []Move {
	skill := draws(seed, rival, "skill").Float64()
	r := draws(seed, rival, fmt.Sprintf("question %s round %d", question.ID, round))
	if r.Float64() > 0.55+float64(0.4*skill) {
		return nil // finds nothing
	}
	// Nobody answers in the first seconds, most in the first half.
	at := 0.05 + float64(0.85*math.Pow(r.Float64(), 1+skill))
	var moves []Move
	for range int(r.ExpFloat64() * (1.2 - skill)) { // wrong ones before it
		early := at * (0.4 + float64(0.5*r.Float64()))
		moves = append(moves, Move{time.Duration(early * float64(limit)), answer(r, question, false, skill)})
	}
	moves = append(moves, Move{time.Duration(at * float64(limit)), answer(r, question, true, skill)})
	slices.SortStableFunc(moves, func(a, b Move) int { return cmp.Compare(a.At, b.At) })
	return moves
}

// item is one answer of a body.
type item struct {
	Text  string `json:"text,omitempty"`
	Media string `json:"mediaItemName,omitempty"`
	Start *int64 `json:"start,omitempty"`
	End   *int64 `json:"end,omitempty"`
}

// answer makes a submission: one that is meant to be right, or one that is not.
func answer(r *rand.Rand, question *retrieval.Question, right bool, skill float64) []byte {
	media := question.Video
	if question.Scene != "" {
		media = question.Scene + "_" + question.Video
	}
	values := make([]int64, 0, len(question.Events))
	for _, event := range question.Events {
		half := float64(event.End-event.Start) / 2
		off := float64(r.NormFloat64() * half * (0.6 - float64(0.5*skill))) // mostly within
		if question.Type == retrieval.TR && r.Float64() > 0.75+float64(0.25*skill) {
			off += float64(20 * half) // an event that was taken for another one
		}
		if !right {
			off += float64((3 + float64(10*r.Float64())) * (half + 5000))
		}
		values = append(values, int64(max(0, float64(event.Start)+half+off)))
	}
	var items []item
	switch question.Type {
	case retrieval.KIS:
		for _, value := range values {
			items = append(items, item{Media: media, Start: &value, End: &value})
		}
	case retrieval.QA:
		words := "KHONG BIET"
		if right && len(question.Answers) > 0 {
			words = question.Answers[0]
		}
		items = []item{{Text: "QA-" + words + "-" + media + "-" + join(values)}}
	default:
		items = []item{{Text: "TR-" + media + "-" + join(values)}}
	}
	body, err := json.Marshal(map[string]any{"answerSets": []any{map[string]any{"answers": items}}})
	if err != nil {
		panic(err) // texts and whole numbers
	}
	return body
}

func join(values []int64) string {
	var parts []string
	for _, value := range values {
		parts = append(parts, strconv.FormatInt(value, 10))
	}
	return strings.Join(parts, ",")
}

var names = []string{
	"Mắt Cú", "Sao Khuê", "Phố Cổ", "Chim Lạc", "Sông Hồng", "Bến Nghé", "Lúa Mới", "Đèn Lồng", "Second Frame", "Late Cut", "Slow Pan",
	"Quiet Query", "Night Index", "Ten Hertz", "Lost Reel", "Blue Hour", "Deep Focus", "Jump Cut", "北極星", "はやぶさ", "Луч", "Σίγμα",
}

// Name returns what a rival is called.
func Name(rival int) string {
	name := names[rival%len(names)]
	if lap := rival / len(names); lap > 0 {
		name += " " + strconv.Itoa(lap+1)
	}
	return name
}
