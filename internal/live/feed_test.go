package live_test

import (
	"strconv"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/live"
	"scorebook/internal/service"
	"scorebook/internal/service/servicetest"
	"scorebook/retrieval"
)

var epoch = time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)

func newContest(t *testing.T) *servicetest.Contest {
	t.Helper()
	rules, _ := retrieval.Preset(retrieval.DefaultPreset)
	return servicetest.Start(t, contest.Open{
		Contest: "c0ffee", Settings: contest.DefaultSettings(), Rules: rules,
		Questions: []retrieval.Question{{ID: "1", Type: retrieval.KIS, Scene: "K01", Video: "V001", Events: []retrieval.Event{{Start: 1000, End: 2000}}}},
	}, epoch)
}

func register(t *testing.T, c *servicetest.Contest, id contest.TeamID) {
	t.Helper()
	c.Must(t, contest.Register{ID: id, Name: "Team " + string(id), TokenHash: service.HashToken(string(id)), Organiser: true})
}

// answer submits an answer of a team, which is right if its moment is 1500.
func answer(t *testing.T, c *servicetest.Contest, id contest.TeamID, moment float64) {
	t.Helper()
	c.Must(t, contest.Submit{
		Team: id, Question: "1", Arrived: c.Now(), Body: "{}", Answer: retrieval.Answer{Scene: "K01", Video: "V001", Values: []float64{moment}},
	})
}

func TestAnEditionKnowsWhatChanged(t *testing.T) {
	c := newContest(t)
	feed := live.NewFeed(live.Public)
	register(t, c, "a")
	register(t, c, "b")
	c.Must(t, contest.Start{Question: "1"})
	first := feed.At(c.Snapshot())
	base := first.Snapshot.Seq
	if first.Base(0) != 0 || first.Base(base) != base || first.Base(base+1) != 0 || first.Changed(base) {
		t.Error("the first edition knows others than itself")
	}
	c.Clock.Advance(time.Second)
	answer(t, c, "b", 99999)
	second := feed.At(c.Snapshot())
	if second.Base(base) != base || !second.RowChanged("b", base) || second.RowChanged("a", base) || second.RankingChanged(base) || !second.Changed(base) {
		t.Error("a wrong attempt changes its team's row and nothing else")
	}
	answer(t, c, "b", 1500)
	third := feed.At(c.Snapshot())
	if !third.RankingChanged(base) || third.ContentChanged("a", base) || !third.RowChanged("a", base) || third.ColumnsChanged(base) {
		t.Error("a right answer moves the other team down, whose results stay")
	}
	if mid := second.Snapshot.Seq; third.Base(mid) != mid || third.Base(third.Snapshot.Seq) != third.Snapshot.Seq {
		t.Error("an earlier edition is not known")
	}
	if feed.At(second.Snapshot) != third {
		t.Error("a feed went back")
	}
	c.Must(t, contest.Extend{Question: "1", By: time.Minute})
	if fourth := feed.At(c.Snapshot()); !fourth.ColumnsChanged(third.Snapshot.Seq) || fourth.Columns() != fourth.Snapshot.Seq || fourth.RankingChanged(third.Snapshot.Seq) {
		t.Error("another time limit is a change of the questions")
	}
	// While the standings are frozen, what teams win changes nothing.
	c.Must(t, contest.Freeze{})
	frozen := feed.At(c.Snapshot())
	answer(t, c, "a", 1500)
	if next := feed.At(c.Snapshot()); next.Base(frozen.Snapshot.Seq) == 0 || next.Changed(frozen.Snapshot.Seq) {
		t.Error("a frozen table changed")
	}
	// Who is gone cannot be told by changes.
	c.Must(t, contest.Ban{Team: "a", Banned: true})
	if next := feed.At(c.Snapshot()); next.Base(frozen.Snapshot.Seq) != 0 {
		t.Error("a team is gone, and changes are said to suffice")
	}
}

// Who is far behind gets the whole table, and who is not gets changes.
func TestAnEditionForgets(t *testing.T) {
	c := newContest(t)
	feed := live.NewFeed(live.Jury)
	var seen []contest.Seq
	for i := range 100 {
		register(t, c, contest.TeamID(strconv.Itoa(i)))
		seen = append(seen, feed.At(c.Snapshot()).Snapshot.Seq)
	}
	last := feed.At(c.Snapshot())
	if last.Base(seen[0]) != 0 || last.Base(seen[len(seen)-30]) != seen[len(seen)-30] {
		t.Errorf("from %d: %d; from %d: %d", seen[0], last.Base(seen[0]), seen[len(seen)-30], last.Base(seen[len(seen)-30]))
	}
	// Between two editions the one before suffices.
	c.Must(t, contest.Start{Question: "1"})
	c.Must(t, contest.Stop{Question: "1"})
	if next := feed.At(c.Snapshot()); next.Base(next.Snapshot.Seq-1) != last.Snapshot.Seq {
		t.Errorf("found %d, expected %d", next.Base(next.Snapshot.Seq-1), last.Snapshot.Seq)
	}
}
