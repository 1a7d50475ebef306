package contest_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
	"scorebook/retrieval"
)

var presets = []string{"aic2025", "aic2025-exact", "aic-decay"}

// anyValue is a value near an event of a question, or far from all.
func anyValue(t *rapid.T, question retrieval.Question) float64 {
	event := rapid.SampledFrom(question.Events).Draw(t, "event")
	switch rapid.IntRange(0, 3).Draw(t, "where") {
	case 0:
		return float64(event.Start+event.End) / 2
	case 1:
		return float64(event.Start) + rapid.Float64Range(-20, 20).Draw(t, "near")
	case 2:
		return float64(event.End)
	}
	return float64(rapid.IntRange(0, 1<<53).Draw(t, "anywhere"))
}

func anyAnswer(t *rapid.T, b *book) contest.Submit {
	question, ok := b.state.Question(b.state.ActiveQuestion())
	if !ok {
		question = questions[0]
	}
	var values []float64
	for range rapid.IntRange(0, 2*len(question.Events)+1).Draw(t, "values") {
		values = append(values, anyValue(t, question))
	}
	submit := b.answer(anyTeam(t), values...)
	if rapid.IntRange(0, 9).Draw(t, "other video") == 0 {
		submit.Answer.Video = "elsewhere"
	}
	if rapid.IntRange(0, 3).Draw(t, "with a key") == 0 {
		submit.Key = rapid.SampledFrom([]string{"k1", "k2"}).Draw(t, "key")
	}
	submit.Arrived = b.now.Add(-time.Duration(rapid.IntRange(0, 3000).Draw(t, "queued")) * time.Millisecond)
	return submit
}

func anyTeam(t *rapid.T) contest.TeamID {
	return rapid.SampledFrom([]contest.TeamID{"a", "b", "c"}).Draw(t, "team")
}

func anyQuestion(t *rapid.T) retrieval.QuestionID {
	return rapid.SampledFrom(questions).Draw(t, "question").ID
}

// anyCommand is a command that may or may not be refused; most are submissions.
func anyCommand(t *rapid.T, b *book) contest.Command {
	switch rapid.IntRange(0, 33).Draw(t, "command") {
	case 0, 1, 2:
		return contest.Start{Question: anyQuestion(t), Restart: rapid.Bool().Draw(t, "restart")}
	case 3:
		return contest.Stop{}
	case 4:
		return contest.Extend{By: time.Duration(rapid.IntRange(-30, 300).Draw(t, "by")) * time.Second}
	case 5:
		return contest.Void{Question: anyQuestion(t), Voided: rapid.Bool().Draw(t, "voided")}
	case 6:
		return contest.Reveal{Question: anyQuestion(t)}
	case 7:
		return contest.Ban{Team: anyTeam(t), Banned: rapid.Bool().Draw(t, "banned")}
	case 8:
		return contest.ReplaceRules{Rules: rules(rapid.SampledFrom(presets).Draw(t, "rules"))}
	case 9:
		moved := slices.Clone(questions)
		for i := range moved {
			moved[i].Events = slices.Clone(moved[i].Events)
			moved[i].Events[0].End += int64(rapid.IntRange(0, 30).Draw(t, "moved"))
		}
		return contest.ReplaceGroundTruth{Questions: moved}
	case 10, 11:
		if attempts := b.state.Attempts(); len(attempts) > 0 {
			return contest.Override{
				Submission: rapid.SampledFrom(attempts).Draw(t, "attempt").Seq, Reason: "r",
				Verdict: rapid.SampledFrom([]contest.Verdict{
					contest.VerdictFull, contest.VerdictPartial, contest.VerdictIncorrect, contest.VerdictVoid, contest.VerdictComputed,
				}).Draw(t, "verdict"),
			}
		}
	case 12:
		if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
			return contest.Reset{}
		}
	case 14, 15:
		return rapid.SampledFrom([]contest.Command{contest.Freeze{}, contest.Unveil{}, contest.Unveil{}, contest.Thaw{}}).Draw(t, "freeze")
	case 13:
		return contest.Rename{Team: anyTeam(t), Name: rapid.SampledFrom([]string{"X", "Y", "Team a"}).Draw(t, "name")}
	}
	return anyAnswer(t, b)
}

// anyBook is a contest in which anything may have happened.
func anyBook(t *rapid.T, check func(*book, []contest.Recorded, *contest.Reject)) *book {
	preset := rapid.SampledFrom(presets).Draw(t, "preset")
	b := newBook(t, func(o *contest.Open) { o.Rules = rules(preset) })
	for _, id := range []contest.TeamID{"a", "b", "c"} {
		b.team(id)
	}
	for range rapid.IntRange(0, 40).Draw(t, "commands") {
		b.after(time.Duration(rapid.IntRange(0, 20000).Draw(t, "passed")) * time.Millisecond)
		events, refused := b.do(anyCommand(t, b))
		if check != nil {
			check(b, events, refused)
		}
	}
	return b
}

func TestReplayGivesTheSameStandings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		if got, want := render(replay(t, b.events)), b.table(); got != want {
			t.Fatalf("replayed:\n%s\nwas:\n%s", got, want)
		}
	})
}

// Scoring everything again under the rules in force changes nothing: what was
// computed attempt by attempt is what is computed from all of them.
func TestScoringAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		before := b.table()
		b.must(contest.ReplaceRules{Rules: b.state.Rules()})
		if after := b.table(); strings.ReplaceAll(after, fmt.Sprintf(`"Seq": %d`, b.state.Seq()), fmt.Sprintf(`"Seq": %d`, b.state.Seq()-1)) != before {
			t.Fatalf("scored again:\n%s\nwas:\n%s", after, before)
		}
	})
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		anyBook(t, func(b *book, _ []contest.Recorded, _ *contest.Reject) {
			rules := b.state.Rules()
			for _, r := range b.state.Jury().Rows {
				sum := 0.0
				for i, c := range r.Cells {
					if !(c.Score >= 0 && c.Score <= rules.PMax) || c.Wrong > c.Attempts || c.Time < 0 {
						t.Fatalf("%s at question %d: %+v", r.Name, i, c)
					}
					if !b.state.Jury().Columns[i].Voided {
						sum += c.Score
					}
				}
				if r.Total != sum {
					t.Fatalf("%s: total %v, its questions come to %v", r.Name, r.Total, sum)
				}
			}
		})
	})
}

func TestPublicIsAPartOfJury(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		b.must(contest.Thaw{})
		jury, public := b.state.Jury(), b.state.Public()
		if !reflect.DeepEqual(jury.Columns, public.Columns) {
			t.Fatal("the columns differ")
		}
		next := 0
		for _, r := range public.Rows {
			for next < len(jury.Rows) && !reflect.DeepEqual(jury.Rows[next], r) {
				next++
			}
			if next == len(jury.Rows) || r.Banned {
				t.Fatalf("the jury has no row %+v in this order", r)
			}
		}
	})
}

func TestSeriesEndsInTheStandings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		b.must(contest.Thaw{})
		last := map[contest.TeamID]contest.Change{}
		changes := b.state.Series(nil)
		for i, c := range changes {
			if i > 0 && c.Seq <= changes[i-1].Seq {
				t.Fatalf("%+v after %+v", c, changes[i-1])
			}
			last[c.Team] = c
		}
		for _, r := range b.state.Public().Rows {
			if got := last[r.ID].Total; got != r.Total {
				t.Fatalf("%s: the series ends at %v, the table says %v", r.ID, got, r.Total)
			}
		}
		if len(changes) > 0 {
			c := changes[len(changes)-1]
			if got := row2(b.state.Jury(), c.Team).Rank; got != c.Rank {
				t.Fatalf("the series ends with rank %d of %s, the table says %d", c.Rank, c.Team, got)
			}
		}
	})
}

func row2(table contest.Table, id contest.TeamID) contest.Row {
	i := slices.IndexFunc(table.Rows, func(r contest.Row) bool { return r.ID == id })
	return table.Rows[i]
}

// What teams send at the same time is independent: whoever's turn comes first,
// nobody's scores change.
func TestOrderOfConcurrentTeams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := func() *book {
			b := newBook(t)
			for _, id := range []contest.TeamID{"a", "b", "c"} {
				b.team(id)
			}
			b.must(contest.Start{Question: "3"})
			return b.after(10 * time.Second)
		}
		b := start()
		own := map[contest.TeamID][]contest.Submit{}
		var order []contest.TeamID
		for range rapid.IntRange(1, 12).Draw(t, "submissions") {
			submit := anyAnswer(t, b)
			own[submit.Team] = append(own[submit.Team], submit)
			order = append(order, submit.Team)
		}
		play := func(order []contest.TeamID) contest.Table {
			b, next := start(), map[contest.TeamID]int{}
			for _, id := range order {
				_, _ = b.do(own[id][next[id]])
				next[id]++
			}
			return b.state.Jury()
		}
		one := play(order)
		other := play(rapid.Permutation(order).Draw(t, "order"))
		for _, r := range one.Rows {
			o := row2(other, r.ID)
			if r.Total != o.Total || r.Time != o.Time || r.Rank != o.Rank || r.Cells[2].Wrong != o.Cells[2].Wrong {
				t.Fatalf("%+v became %+v in another order", r, o)
			}
		}
	})
}

func TestLaterOrMoreOftenWrongNeverScoresMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		preset := rapid.SampledFrom(presets).Draw(t, "preset")
		var values []float64
		for range rapid.IntRange(1, 6).Draw(t, "values") {
			values = append(values, anyValue(t, questions[2]))
		}
		play := func(wrong int, elapsed time.Duration) float64 {
			b := newBook(t, func(o *contest.Open) { o.Rules = rules(preset) })
			b.team("a")
			b.must(contest.Start{Question: "3"})
			for range wrong {
				b.must(b.answer("a", 1))
			}
			b.after(elapsed).must(b.answer("a", values...))
			return row2(b.state.Jury(), "a").Total
		}
		wrong := rapid.IntRange(0, 8).Draw(t, "wrong")
		elapsed := time.Duration(rapid.Int64Range(0, int64(310*time.Second)).Draw(t, "elapsed"))
		score := play(wrong, elapsed)
		if more := play(wrong+1, elapsed); more > score {
			t.Fatalf("%d wrong attempts earn %v, one more earns %v", wrong, score, more)
		}
		later := time.Duration(rapid.Int64Range(int64(elapsed), int64(310*time.Second)).Draw(t, "later"))
		if more := play(wrong, later); more > score {
			t.Fatalf("after %v it earns %v, after %v %v", elapsed, score, later, more)
		}
	})
}
