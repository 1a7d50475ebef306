package exam_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/exam"
)

func same(t *rapid.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		a, _ := json.MarshalIndent(got, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		t.Fatalf("got %s\nwant %s", a, b)
	}
}

func isExactly(f *float64, q *big.Rat) bool {
	want, _ := q.Float64()
	return f != nil && *f == want
}

// The Index is 30P + 30S + 30C + 10O over exact means of means.
func TestIndexIsTheWeightedSumOfMeansOfMeans(t *testing.T) {
	weights := map[string]int64{"theorem": 30, "solver": 30, "construction": 30, "open": 10}
	rapid.Check(t, func(t *rapid.T) {
		c := contests.Draw(t, "contest")
		result := c.index(t)
		for model, planned := range c.planned {
			m := result.Models[model]
			index, whole := new(big.Rat), true
			for _, track := range trackNames {
				sum, complete := new(big.Rat), true
				got := m.Tracks.Of(exam.Track(track))
				for i, item := range c.items[track] {
					n, total := 0, new(big.Rat)
					for _, a := range c.rows {
						if a.model == model && a.track == track && a.item == item && a.adopted() && a.status == "valid" {
							n++
							total.Add(total, rat(t, a.score))
						}
					}
					if n < planned {
						complete = false
						if got.Tasks[i].Mean != nil {
							t.Fatalf("%s has a mean of %s/%s with %d of %d results", model, track, item, n, planned)
						}
						continue
					}
					total.Quo(total, big.NewRat(int64(n), 1))
					if got.Tasks[i].Item != item || !isExactly(got.Tasks[i].Mean, total) {
						t.Fatalf("%s at %s: %+v, want the mean %v", model, item, got.Tasks[i], total)
					}
					sum.Add(sum, total)
				}
				if !complete {
					if got.Mean != nil || got.Points != nil {
						t.Fatalf("%s has a mean of %s, which is incomplete", model, track)
					}
					whole = false
					continue
				}
				mean := sum.Quo(sum, big.NewRat(int64(len(c.items[track])), 1))
				points := new(big.Rat).Mul(mean, big.NewRat(weights[track], 1))
				if got.Weight != weights[track] || !isExactly(got.Mean, mean) || !isExactly(got.Points, points) {
					t.Fatalf("%s: %+v of the track %s, want the mean %v", model, got, track, mean)
				}
				index.Add(index, points)
			}
			if whole && !isExactly(m.Index, index) || !whole && m.Index != nil {
				t.Fatalf("%s: index %v, want %v (complete: %t)", model, m.Index, index, whole)
			}
		}
	})
}

// A model is incomplete exactly if fewer results are observed than planned, and
// each missing one has an issue.
func TestEveryMissingResultHasAnIssueAndMakesTheModelIncomplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contests.Draw(t, "contest")
		for model, m := range c.index(t).Models {
			planned, observed, provisional, tasks := 0, 0, 0, 0
			for _, track := range trackNames {
				tasks += len(c.items[track])
				planned += m.Tracks.Of(exam.Track(track)).Planned
				observed += m.Tracks.Of(exam.Track(track)).Observed
			}
			valid := 0
			for _, a := range c.rows {
				if a.model == model && a.adopted() {
					if a.adoption == "selected_provisional" {
						provisional++
					}
					if a.status == "valid" {
						valid++
					}
				}
			}
			if planned != tasks*c.planned[model] || observed != valid || m.ProvisionalAttempts != provisional {
				t.Fatalf("%s: planned %d, observed %d, provisional %d; want %d, %d, %d", model,
					planned, observed, m.ProvisionalAttempts, tasks*c.planned[model], valid, provisional)
			}
			if m.Coverage != (exam.Coverage{Planned: planned, Observed: observed}) || len(m.Issues) != planned-observed {
				t.Fatalf("%s: coverage %+v with %d issues, the tracks have %d of %d", model, m.Coverage, len(m.Issues), observed, planned)
			}
			want := exam.Complete
			switch {
			case observed < planned:
				want = exam.Incomplete
			case provisional > 0:
				want = exam.Provisional
			}
			if m.Status != want || (m.Index == nil) != (want == exam.Incomplete) {
				t.Fatalf("%s is %s with index %v, want %s", model, m.Status, m.Index, want)
			}
			for _, issue := range m.Issues {
				i := slices.IndexFunc(c.rows, func(a attempt) bool {
					return a.model == model && exam.Track(a.track) == issue.Track && a.item == issue.Item && a.name == issue.Attempt
				})
				if i < 0 && (issue.Code != exam.NoAttempt || issue.Attempt != "") || i >= 0 && issue.Code != c.rows[i].status {
					t.Fatalf("%s: issue %+v does not fit the rows", model, issue)
				}
			}
		}
	})
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contests.Draw(t, "contest")
		shuffled := c
		shuffled.rows = rapid.Permutation(c.rows).Draw(t, "rows")
		same(t, shuffled.index(t), c.index(t))
		_, _, a, _ := c.check(t)
		_, _, b, _ := shuffled.check(t)
		if a.Digest() != b.Digest() {
			t.Fatal("the digests differ")
		}
	})
}

func TestExcludedRowsChangeNothingButTheDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contests.Draw(t, "contest")
		more := c
		more.rows = slices.Clone(c.rows)
		for model := range c.planned {
			at := attempt{model: model, track: rapid.SampledFrom(trackNames).Draw(t, "track")}
			at.item = c.items[at.track][0]
			more.rows = append(more.rows, excluded(t, at, "y"))
		}
		same(t, more.index(t), c.index(t))
		_, _, a, _ := c.check(t)
		_, _, b, _ := more.check(t)
		if a.Digest() == b.Digest() {
			t.Fatal("the digest does not tell")
		}
	})
}

func TestAModelDoesNotDependOnTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := contests.Draw(t, "contest")
		result := c.index(t)
		if len(result.Models) != len(c.planned) {
			t.Fatalf("%d models, want %d", len(result.Models), len(c.planned))
		}
		for model, planned := range c.planned {
			alone := c
			alone.planned = map[string]int{model: planned}
			alone.rows = slices.DeleteFunc(slices.Clone(c.rows), func(a attempt) bool { return a.model != model })
			same(t, alone.index(t).Models[model], result.Models[model])
		}
	})
}

func TestIndexResultsAgreeWithThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := contests.Draw(t, "contest").index(t)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), ":-0,") || strings.Contains(string(text), ":-0}") {
			t.Fatalf("%s", text)
		}
		same(t, parse(t, string(text), exam.ParseIndexResult), want)
	})
}

func TestSolverResultsAgreeWithThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sheets(decimals).Draw(t, "sheet").score(t)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		same(t, parse(t, string(text), exam.ParseSolverResult), want)
	})
}
