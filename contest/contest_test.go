package contest_test

import (
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/retrieval"
)

func row(t *testing.T, table contest.Table, id contest.TeamID) contest.Row {
	t.Helper()
	for _, r := range table.Rows {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("no row of %s in %+v", id, table)
	return contest.Row{}
}

func TestAnEvening(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.team("b")
	b.refuse(b.answer("a", 378000), contest.NoActiveQuestion)
	b.must(contest.Start{Question: "1"})
	b.after(30 * time.Second)
	b.must(b.answer("a", 1000))           // wrong
	b.must(b.answer("a", 378000))         // the centre: (50 + 50*0.9 - 10) * 1
	b.must(b.answer("b", 378000, 378000)) // 50 + 50*0.9
	refused := b.rejection(b.answer("a", 378000), contest.AlreadyCompleted)
	if refused.Standing == nil || refused.Standing.Score != 85 {
		t.Errorf("the refusal tells %+v", refused.Standing)
	}
	table := b.state.Jury()
	if a := row(t, table, "a"); a.Rank != 2 || a.Total != 85 || a.Cells[0].Wrong != 1 || a.Cells[0].Attempts != 2 || a.Time != 30*time.Second {
		t.Errorf("a: %+v", a)
	}
	if b := row(t, table, "b"); b.Rank != 1 || b.Total != 95 || b.Cells[0].Correctness != retrieval.Full || !b.Cells[0].Completed {
		t.Errorf("b: %+v", b)
	}
	b.must(contest.Stop{})
	b.after(contest.Grace + time.Second)
	b.refuse(b.answer("b", 378000), contest.NoActiveQuestion)
	b.refuse(contest.Stop{}, contest.NoActiveQuestion)
	b.refuse(contest.Start{Question: "1"}, contest.AlreadyPlayed)
	b.must(contest.Start{Question: "1", Restart: true})
	if table := b.state.Jury(); row(t, table, "b").Total != 0 || table.Columns[0].Number != 2 {
		t.Errorf("after the restart: %+v", table)
	}
	for _, a := range b.state.Attempts() {
		if !a.Void {
			t.Errorf("the restart did not void %+v", a)
		}
	}
	if len(b.state.Attempts()) != 3 {
		t.Errorf("the journal lost attempts: %+v", b.state.Attempts())
	}
}

func TestArrivalDecides(t *testing.T) {
	limit, buffer := 60*time.Second, 10*time.Second
	for _, test := range []struct {
		name    string
		arrived time.Duration // after the start
		decided time.Duration // after the start
		want    contest.Code
		factor  float64
	}{
		{name: "at once", factor: 1},
		{name: "before the start", arrived: -time.Nanosecond, want: contest.NoActiveQuestion},
		{name: "in the middle", arrived: 30 * time.Second, decided: 30 * time.Second, factor: 0.5},
		{name: "queued for seconds", arrived: 30 * time.Second, decided: 45 * time.Second, factor: 0.5},
		{name: "queued over the end", arrived: limit + buffer, decided: limit + buffer + time.Minute, factor: 0},
		{name: "in the buffer", arrived: limit + buffer, decided: limit + buffer, factor: 0},
		{name: "after the buffer", arrived: limit + buffer + 1, decided: limit + buffer + 1, want: contest.TimeLimitExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBook(t)
			b.team("a")
			b.must(contest.Start{Question: "1", TimeLimit: &limit, Buffer: &buffer})
			submit := b.answer("a", 378000)
			submit.Arrived = b.now.Add(test.arrived)
			b.after(test.decided)
			if test.want != "" {
				b.refuse(submit, test.want)
				return
			}
			b.must(submit)
			if got := b.state.Attempts()[0].Announced.TimeFactor; got != test.factor {
				t.Errorf("the time factor is %v, want %v", got, test.factor)
			}
		})
	}
}

func TestArrivedBeforeTheEndOfTheRound(t *testing.T) {
	for _, test := range []struct {
		name   string
		late   time.Duration
		reveal bool
		end    contest.Command
		want   contest.Code
	}{
		{name: "stopped meanwhile", late: contest.Grace, end: contest.Stop{}},
		{name: "another one started meanwhile", late: time.Second, end: contest.Start{Question: "2"}},
		{name: "too long ago", late: contest.Grace + 1, end: contest.Stop{}, want: contest.NoActiveQuestion},
		{name: "revealed meanwhile", late: time.Second, reveal: true, end: contest.Stop{}, want: contest.NoActiveQuestion},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBook(t)
			b.team("a")
			b.must(contest.Start{Question: "1"})
			b.after(10 * time.Second)
			submit := b.answer("a", 378000)
			b.after(time.Millisecond).must(test.end)
			if test.reveal {
				b.must(contest.Reveal{Question: "1"})
			}
			b.after(test.late)
			if test.want != "" {
				b.refuse(submit, test.want)
				return
			}
			b.must(submit)
			if got := row(t, b.state.Jury(), "a").Cells[0].Time; got != 10*time.Second {
				t.Errorf("the time is %v", got)
			}
		})
	}
}

func TestStartingAnotherQuestionEndsTheFirst(t *testing.T) {
	b := newBook(t)
	b.must(contest.Start{Question: "1"})
	b.after(time.Second).must(contest.Start{Question: "2"})
	b.must(contest.Stop{})
	if active := b.state.ActiveQuestion(); active != "" {
		t.Errorf("question %s runs again", active)
	}
	for _, id := range []retrieval.QuestionID{"1", "2"} {
		if got := b.state.Round(id).Status(b.now); got != contest.StatusEnded {
			t.Errorf("question %s is %s", id, got)
		}
	}
}

func TestExtensionLeavesScoresAlone(t *testing.T) {
	limit := 100 * time.Second
	b := newBook(t)
	for _, id := range []contest.TeamID{"a", "b", "c"} {
		b.team(id)
	}
	b.must(contest.Start{Question: "1", TimeLimit: &limit})
	b.after(50 * time.Second).must(b.answer("a", 378000))
	b.must(contest.Extend{By: 100 * time.Second})
	if got := row(t, b.state.Jury(), "a").Total; got != 75 {
		t.Errorf("the score became %v", got)
	}
	b.after(10 * time.Second).must(b.answer("b", 378000))
	b.after(120 * time.Second).must(b.answer("c", 378000))
	if later, last := row(t, b.state.Jury(), "b").Total, row(t, b.state.Jury(), "c").Total; later != 70 || last != 50 {
		t.Errorf("later answers earn %v and %v", later, last)
	}
	b.refuse(contest.Extend{By: -100 * time.Second}, contest.InvalidValue)
	b.refuse(contest.Extend{}, contest.InvalidValue)
	b.refuse(contest.Extend{By: 25 * time.Hour}, contest.InvalidValue)
	b.refuse(contest.Extend{Question: "2", By: time.Second}, contest.NoActiveQuestion)
}

func TestReveal(t *testing.T) {
	b := newBook(t)
	b.refuse(contest.Reveal{Question: "1"}, contest.NotStarted)
	b.refuse(contest.Reveal{Question: "x"}, contest.UnknownQuestion)
	b.must(contest.Start{Question: "1"})
	b.refuse(contest.Reveal{Question: "1"}, contest.QuestionRunning)
	b.after(310 * time.Second)
	b.refuse(contest.Reveal{Question: "1"}, contest.QuestionRunning) // an answer may still be on its way
	b.after(contest.Grace).must(contest.Reveal{Question: "1"})
	if r := b.state.Round("1"); r.Status(b.now) != contest.StatusRevealed || r.Active {
		t.Errorf("%+v", r)
	}
	if again := b.must(contest.Reveal{Question: "1"}); len(again) != 0 {
		t.Errorf("revealed again: %v", again)
	}

	at := newBook(t, func(o *contest.Open) { o.Settings.Reveal = contest.RevealAtStop })
	at.must(contest.Start{Question: "1"})
	at.must(contest.Start{Question: "2"})
	if !at.state.Round("1").Revealed || at.state.Round("2").Revealed {
		t.Error("the policy was not followed")
	}
}

func TestIdempotencyKey(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.must(contest.Start{Question: "1"})
	submit := b.answer("a", 1)
	submit.Key = "k"
	b.must(submit)
	submit.Arrived = submit.Arrived.Add(time.Second)
	if again := b.must(submit); len(again) != 0 {
		t.Errorf("judged twice: %v", again)
	}
	if first, ok := b.state.Repeated("a", "k"); !ok || first.Seq != b.state.Seq() {
		t.Errorf("the first one is %+v, %t", first, ok)
	}
	other := b.answer("a", 2)
	other.Key = "k"
	b.refuse(other, contest.KeyReused)
	if got := row(t, b.state.Jury(), "a").Cells[0].Wrong; got != 1 {
		t.Errorf("%d wrong attempts", got)
	}
	b.must(contest.Start{Question: "1", Restart: true})
	if again := b.must(b.answerWithKey("a", "k", 1)); len(again) != 1 {
		t.Error("a key of a voided attempt is still taken")
	}
}

func (b *book) answerWithKey(id contest.TeamID, key string, values ...float64) contest.Submit {
	submit := b.answer(id, values...)
	submit.Key = key
	return submit
}

func TestOverride(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.must(contest.Start{Question: "1"})
	b.after(30 * time.Second)
	wrong := b.must(b.answer("a", 1))[0].Seq
	right := b.must(b.answer("a", 378000))[0].Seq
	total := func() float64 { return row(t, b.state.Jury(), "a").Total }
	override := func(seq contest.Seq, verdict contest.Verdict) {
		t.Helper()
		b.must(contest.Override{Submission: seq, Verdict: verdict, Reason: "seen on the tape"})
	}
	if total() != 85 {
		t.Fatalf("total %v", total())
	}
	for _, step := range []struct {
		seq     contest.Seq
		verdict contest.Verdict
		want    float64
	}{
		{wrong, contest.VerdictVoid, 95},      // no longer a wrong attempt
		{wrong, contest.VerdictFull, 95},      // it ends the question; the second one is superseded
		{right, contest.VerdictIncorrect, 95}, // and so changes nothing
		{wrong, contest.VerdictComputed, 0},
		{right, contest.VerdictComputed, 85},
	} {
		override(step.seq, step.verdict)
		if total() != step.want {
			t.Errorf("after %v of %d: total %v, want %v", step.verdict, step.seq, total(), step.want)
		}
	}
	b.refuse(contest.Override{Submission: 1, Verdict: contest.VerdictFull, Reason: "r"}, contest.UnknownSubmission)
	b.refuse(contest.Override{Submission: right, Verdict: "right", Reason: "r"}, contest.InvalidValue)
	b.refuse(contest.Override{Submission: right, Verdict: contest.VerdictFull}, contest.InvalidValue)
	b.must(contest.Reset{})
	b.refuse(contest.Override{Submission: right, Verdict: contest.VerdictFull, Reason: "r"}, contest.UnknownSubmission)
}

func TestReplacedGroundTruthAndRules(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.must(contest.Start{Question: "1"})
	b.must(b.answer("a", 1000))
	moved := append([]retrieval.Question{}, questions...)
	moved[0].Events = []retrieval.Event{{Start: 0, End: 2000}}
	b.must(contest.ReplaceGroundTruth{Questions: moved, Reason: "wrong video cut"})
	if got := row(t, b.state.Jury(), "a"); got.Total != 100 || got.Cells[0].Wrong != 0 || !got.Cells[0].Completed {
		t.Errorf("after the correction: %+v", got)
	}
	if a := b.state.Attempts()[0]; a.Announced.Score != 0 {
		t.Errorf("what was announced became %+v", a.Announced)
	}
	b.refuse(contest.ReplaceGroundTruth{Questions: moved[1:]}, contest.QuestionMissing)
	other := append([]retrieval.Question{}, moved...)
	other[0].Type = retrieval.TR
	b.refuse(contest.ReplaceGroundTruth{Questions: other}, contest.InvalidValue)
	b.must(contest.ReplaceRules{Rules: rules("aic2025-exact"), Reason: "announced so"})
	if got := row(t, b.state.Jury(), "a"); got.Total != 0 || got.Cells[0].Wrong != 1 {
		t.Errorf("under other rules: %+v", got)
	}
}

func TestVoidedQuestionCountsForNobody(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.must(contest.Start{Question: "1"})
	b.must(b.answer("a", 378000))
	b.must(contest.Void{Question: "1", Voided: true, Reason: "the clip was broken"})
	if got := row(t, b.state.Jury(), "a"); got.Total != 0 || got.Time != 0 || got.Cells[0].Score != 100 {
		t.Errorf("%+v", got)
	}
	if len(b.state.Series(nil)) != 0 {
		t.Error("the series still counts it")
	}
	b.must(contest.Void{Question: "1"})
	if got := row(t, b.state.Jury(), "a").Total; got != 100 {
		t.Errorf("back in: %v", got)
	}
}

func TestStartRefusesLimits(t *testing.T) {
	b := newBook(t)
	for _, d := range []time.Duration{0, -1, contest.MaxTimeLimit + 1} {
		b.refuse(contest.Start{Question: "1", TimeLimit: &d}, contest.InvalidValue)
	}
	for _, d := range []time.Duration{-1, contest.MaxBuffer + 1} {
		b.refuse(contest.Start{Question: "1", Buffer: &d}, contest.InvalidValue)
	}
	b.refuse(contest.Start{Question: "nil"}, contest.UnknownQuestion)
}

func TestApplyRefuses(t *testing.T) {
	at := func(seq contest.Seq, event contest.Event) contest.Recorded {
		return contest.Recorded{Seq: seq, At: epoch, Event: event}
	}
	opened := contest.Opened{Contest: "c", Rules: rules("aic2025"), Questions: questions}
	for name, events := range map[string][]contest.Recorded{
		"a gap":                 {at(1, opened), at(3, contest.ContestReset{})},
		"a repetition":          {at(1, opened), at(1, contest.ContestReset{})},
		"no opening":            {at(1, contest.ContestReset{})},
		"two openings":          {at(1, opened), at(2, opened)},
		"time running back":     {at(1, opened), {Seq: 2, At: epoch.Add(-1), Event: contest.ContestReset{}}},
		"an unknown team":       {at(1, opened), at(2, contest.TeamBanned{Team: "x"})},
		"an unknown question":   {at(1, opened), at(2, contest.QuestionStarted{Question: "x", Round: 1})},
		"a question not begun":  {at(1, opened), at(2, contest.QuestionStopped{Question: "1"})},
		"an attempt by nobody":  {at(1, opened), at(2, contest.QuestionStarted{Question: "1", Round: 1}), at(3, contest.SubmissionJudged{Team: "x", Question: "1", Round: 1})},
		"an attempt at nothing": {at(1, opened), at(2, contest.TeamRegistered{Team: "a", Name: "A"}), at(3, contest.SubmissionJudged{Team: "a", Question: "1", Round: 1})},
		"a verdict on nothing":  {at(1, opened), at(2, contest.VerdictOverridden{Submission: 1})},
	} {
		t.Run(name, func(t *testing.T) {
			var state contest.State
			var err error
			for i, r := range events {
				if err != nil {
					t.Fatalf("event %d: %v", i, err)
				}
				err = state.Apply(r)
			}
			if err == nil {
				t.Error("it was applied")
			}
		})
	}
}

func TestOpen(t *testing.T) {
	var state contest.State
	for name, command := range map[string]contest.Command{
		"nothing is open":  contest.Stop{},
		"invalid rules":    contest.Open{Contest: "c", Settings: contest.DefaultSettings(), Questions: questions},
		"no team is there": contest.Register{ID: "a", Name: "A"},
	} {
		if events, refused := state.Decide(command, epoch); refused == nil || refused.Code != contest.InvalidValue {
			t.Errorf("%s: got %v and %v", name, events, refused)
		}
	}
	b := newBook(t)
	b.refuse(contest.Open{Contest: "d", Rules: rules("aic2025"), Questions: questions}, contest.InvalidValue)
	b.refuse(contest.ReplaceRules{Reason: "a typing error"}, contest.InvalidValue)
}
