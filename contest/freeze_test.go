package contest_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"scorebook/contest"
)

// seen is everything that the public sees of scores.
func seen(s *contest.State) string {
	public := s.Public()
	public.Seq, public.Columns = 0, nil
	out, err := json.Marshal([]any{public, s.PublicSeries(), s.News(100)})
	if err != nil {
		panic(err)
	}
	return string(out)
}

// solve submits a right answer of a team to question 1.
func (b *book) solve(team contest.TeamID) { b.must(b.answer(team, 378000)) }

func TestFreezeHidesWhatHappensAndThawShowsIt(t *testing.T) {
	b := newBook(t)
	for _, id := range []contest.TeamID{"a", "b", "c"} {
		b.team(id)
	}
	b.must(contest.Start{Question: "1"})
	b.after(10 * time.Second)
	b.solve("a")
	b.must(contest.Freeze{})
	if done := b.must(contest.Freeze{}); len(done) > 0 {
		t.Errorf("frozen twice: %v", done)
	}
	before := seen(&b.state)
	b.after(10 * time.Second)
	b.solve("b")
	b.must(b.answer("c", 1))
	if after := seen(&b.state); after != before {
		t.Errorf("the public sees\n%s\nand saw before\n%s", after, before)
	}
	jury := b.state.Jury()
	if row := row2(jury, "b"); row.Total == 0 || jury.Frozen.IsZero() {
		t.Errorf("the jury sees %+v", row)
	}
	if row := row2(b.state.Public(), "b"); row.Total != 0 {
		t.Errorf("the public sees %+v", row)
	}
	b.must(contest.Thaw{})
	if row := row2(b.state.Public(), "b"); row.Total == 0 || !b.state.Frozen().IsZero() || len(b.state.PublicSeries()) != 2 || len(b.state.News(9)) != 3 {
		t.Errorf("after the thaw the public sees %+v", row)
	}
	if _, refused := b.do(contest.Unveil{}); refused == nil || refused.Code != contest.NotFrozen {
		t.Errorf("unveil of standings that are not frozen: %v", refused)
	}
}

// The ceremony goes from the last place up, stops at each team whose results
// changed, and looks at a team that has moved up no second time.
func TestUnveilGoesFromLastToFirst(t *testing.T) {
	b := newBook(t)
	for _, id := range []contest.TeamID{"a", "b", "c", "d"} {
		b.team(id)
	}
	b.must(contest.Start{Question: "1"})
	for _, id := range []contest.TeamID{"a", "b"} {
		b.after(10 * time.Second)
		b.solve(id)
	}
	b.must(contest.Start{Question: "2"})
	b.must(contest.Freeze{})
	b.after(time.Second)
	for _, id := range []contest.TeamID{"c", "b"} {
		answer := b.answer(id, 360000)
		answer.Answer.Text, answer.Answer.Video, answer.Answer.Scene = "MOCCHAU", "V003", "K17"
		b.must(answer)
		b.after(time.Second)
	}
	order := func() (ids []contest.TeamID) {
		for _, r := range b.state.Public().Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	var steps [][]contest.TeamID
	for range 3 {
		done := b.must(contest.Unveil{})
		steps = append(steps, done[0].Event.(contest.TeamsUnveiled).Teams, order())
		last := map[contest.TeamID]float64{}
		for _, change := range b.state.PublicSeries() {
			last[change.Team] = change.Total
		}
		for _, r := range b.state.Public().Rows {
			if last[r.ID] != r.Total {
				t.Errorf("after %v the series ends at %v for %s, its total is %v", steps, last[r.ID], r.ID, r.Total)
			}
		}
		if len(done) > 1 {
			if _, ok := done[1].Event.(contest.StandingsThawed); !ok || len(done) > 2 {
				t.Fatalf("found %v", done)
			}
		}
	}
	want := [][]contest.TeamID{
		{"d", "c"},
		{"c", "a", "b", "d"}, // d did not change, c moves to the top
		{"b"},
		{"b", "c", "a", "d"},
		{"a"},
		{"b", "c", "a", "d"},
	}
	if !reflect.DeepEqual(steps, want) || !b.state.Frozen().IsZero() {
		t.Errorf("found %v\nexpected %v", steps, want)
	}
}

// The step that shows the last team ends the ceremony.
func TestTheLastUnveilingThaws(t *testing.T) {
	b := newBook(t)
	for _, id := range []contest.TeamID{"a", "b", "c"} {
		b.team(id)
	}
	b.must(contest.Start{Question: "1"})
	b.must(contest.Freeze{})
	for _, id := range []contest.TeamID{"a", "c"} {
		b.after(10 * time.Second)
		b.solve(id)
	}
	if len(b.state.News(9)) != 0 || len(b.state.JuryNews(9)) != 2 {
		t.Errorf("the public reads of %d attempts, the jury of %d", len(b.state.News(9)), len(b.state.JuryNews(9)))
	}
	if done := b.must(contest.Unveil{}); len(done) != 1 || b.state.Frozen().IsZero() {
		t.Errorf("the first step: %v", done)
	}
	if done := b.must(contest.Unveil{}); len(done) != 2 || !b.state.Frozen().IsZero() {
		t.Errorf("the last step: %v", done)
	}
}

func TestFrozenStandingsFollowBansRestartsAndResets(t *testing.T) {
	b := newBook(t)
	for _, id := range []contest.TeamID{"a", "b"} {
		b.team(id)
	}
	b.must(contest.Start{Question: "1"})
	b.after(time.Second)
	b.solve("a")
	b.solve("b")
	b.must(contest.Freeze{})
	b.must(contest.Ban{Team: "a", Banned: true})
	if public := b.state.Public(); len(public.Rows) != 1 || len(b.state.PublicSeries()) != 1 {
		t.Errorf("a banned team is seen: %+v", public.Rows)
	}
	b.must(contest.Start{Question: "1", Restart: true})
	if row := row2(b.state.Public(), "b"); row.Total != 0 || len(b.state.PublicSeries()) != 0 {
		t.Errorf("the attempts of a restarted question are seen: %+v", row)
	}
	b.must(contest.Reset{})
	if !b.state.Frozen().IsZero() {
		t.Error("a reset left the standings frozen")
	}
}

// seenApart is what stands beside the public's table: how it came about, and the
// attempts of the ticker.
func seenApart(s *contest.State) []any {
	var news []contest.Seq
	for _, a := range s.News(100) {
		news = append(news, a.Seq)
	}
	return []any{s.PublicSeries(), news}
}

func TestFrozenIsFrozen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		b.must(contest.Thaw{}) // teams may have been unveiled
		b.must(contest.Freeze{})
		before, frozen := seen(&b.state), seenApart(&b.state)
		for range rapid.IntRange(0, 10).Draw(t, "commands") {
			b.after(time.Second)
			switch c := anyCommand(t, b).(type) {
			case contest.Submit, contest.Override, contest.ReplaceRules, contest.ReplaceGroundTruth, contest.Stop, contest.Extend:
				_, _ = b.do(c) // it may be refused
			}
		}
		after := b.state
		if got, want := after.Public().Rows, seenRows(before); !slices.EqualFunc(got, want, sameResults) {
			t.Fatalf("the public sees\n%v\nand saw\n%v", got, want)
		}
		if got, want := seenApart(&after), frozen; !reflect.DeepEqual(got, want) {
			t.Fatalf("the public reads\n%v\nand read\n%v", got, want)
		}
		for i := 0; !b.state.Frozen().IsZero(); i++ {
			if i > 4 {
				t.Fatal("the ceremony does not end")
			}
			b.must(contest.Unveil{})
		}
		jury := b.state.Jury()
		for _, row := range b.state.Public().Rows {
			if !reflect.DeepEqual(row, row2(jury, row.ID)) {
				t.Fatalf("after the ceremony the public sees %+v, the jury %+v", row, row2(jury, row.ID))
			}
		}
	})
}

func seenRows(seen string) []contest.Row {
	var parts []json.RawMessage
	var table contest.Table
	if json.Unmarshal([]byte(seen), &parts) != nil || json.Unmarshal(parts[0], &table) != nil {
		panic("not what seen wrote")
	}
	return table.Rows
}

func sameResults(a, b contest.Row) bool {
	return a.ID == b.ID && a.Rank == b.Rank && a.Total == b.Total && a.Time == b.Time && slices.Equal(a.Cells, b.Cells)
}

// What would be under other rules is what is when they are put in.
func TestUnderIsWhatReplacingTheRulesGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBook(t, nil)
		other := rules(rapid.SampledFrom(presets).Draw(t, "other"))
		other.PPenalty = rapid.SampledFrom([]float64{0, 5, 10}).Draw(t, "penalty")
		before := b.table()
		would := b.state.Under(&other)
		if b.table() != before {
			t.Fatal("asking changed the contest")
		}
		b.must(contest.ReplaceRules{Rules: other})
		is := b.state.Jury()
		if is.Seq = would.Seq; !reflect.DeepEqual(would, is) {
			t.Fatalf("would be\n%+v\nis\n%+v", would, is)
		}
	})
}
