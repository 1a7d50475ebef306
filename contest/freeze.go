package contest

import (
	"cmp"
	"slices"
	"time"

	"scorebook/retrieval"
)

// freeze is what everybody sees while the standings stand still for the public:
// the results as they were. Questions, names and bans go on.
type freeze struct {
	since    time.Time
	seq      Seq // of the event that froze them
	cells    map[TeamID]map[retrieval.QuestionID]Result
	steps    []step
	void     map[Seq]bool    // attempts that the jury had said no to
	unveiled map[TeamID]bool // teams that are shown as they are now
}

func (s *State) decideFreeze() []Event {
	if s.frozen != nil {
		return nil
	}
	return []Event{StandingsFrozen{}}
}

// decideUnveil shows, from the last place up, the teams whose results did not
// change while the standings stood still, and the first one whose did: the next
// line of the ceremony. When nothing is left to show, the standings thaw.
func (s *State) decideUnveil() ([]Event, *Reject) {
	if s.frozen == nil {
		return nil, reject(NotFrozen, "the standings are not frozen: there is nothing to unveil")
	}
	var shown TeamsUnveiled
	left := slices.DeleteFunc(s.Public().Rows, func(r Row) bool { return s.frozen.unveiled[r.ID] })
	for _, row := range slices.Backward(left) {
		shown.Teams = append(shown.Teams, row.ID)
		if s.hides(row.ID) {
			break
		}
	}
	switch {
	case len(left) == 0:
		return []Event{StandingsThawed{}}, nil
	case len(shown.Teams) == len(left):
		return []Event{shown, StandingsThawed{}}, nil
	}
	return []Event{shown}, nil
}

// hides reports whether a team's results are other than the public sees.
func (s *State) hides(id TeamID) bool {
	for _, q := range s.questions {
		if _, now := s.Own(id, q.ID); now != s.publicResult(s.byTeam[id], q.ID) {
			return true
		}
	}
	return false
}

func (s *State) decideThaw() []Event {
	if s.frozen == nil {
		return nil
	}
	return []Event{StandingsThawed{}}
}

func (s *State) freeze(r Recorded) {
	f := &freeze{
		since: r.At, seq: r.Seq, steps: s.steps(nil), void: map[Seq]bool{}, unveiled: map[TeamID]bool{},
		cells: make(map[TeamID]map[retrieval.QuestionID]Result, len(s.teams)),
	}
	for _, t := range s.teams {
		cells := make(map[retrieval.QuestionID]Result, len(t.cells))
		for id, c := range t.cells {
			cells[id] = c.result
		}
		f.cells[t.ID] = cells
	}
	for _, a := range s.attempts {
		if a.Verdict == VerdictVoid {
			f.void[a.Seq] = true
		}
	}
	s.frozen = f
}

func (s *State) unveil(teams []TeamID) {
	if s.frozen == nil {
		return
	}
	for _, id := range teams {
		s.frozen.unveiled[id] = true
	}
}

// forget takes a question that is played anew out of what was frozen.
func (f *freeze) forget(id retrieval.QuestionID) {
	if f == nil {
		return
	}
	for _, cells := range f.cells {
		delete(cells, id)
	}
	f.steps = slices.DeleteFunc(f.steps, func(c step) bool { return c.Question == id })
}

// Frozen returns since when the public's standings stand still; zero: they do
// not.
func (s *State) Frozen() time.Time {
	if s.frozen == nil {
		return time.Time{}
	}
	return s.frozen.since
}

// publicResult is what everybody may see of a team's attempts at a question.
func (s *State) publicResult(t *team, id retrieval.QuestionID) Result {
	if f := s.frozen; f != nil && !f.unveiled[t.ID] {
		return f.cells[t.ID][id]
	}
	return t.result(id)
}

// Public returns the standings as everybody may see them: without banned teams,
// and as they were when they were frozen, if they are.
func (s *State) Public() Table {
	_, public := s.Tables()
	return public
}

// Tables returns the standings for the jury and for the public.
func (s *State) Tables() (jury, public Table) {
	jury = s.Jury()
	if s.frozen == nil {
		public = jury
		public.Rows = slices.DeleteFunc(slices.Clone(jury.Rows), func(r Row) bool { return r.Banned })
		return jury, public
	}
	return jury, s.table(func(t Team) bool { return !t.Banned }, s.publicResult)
}

// PublicSeries returns how the public's standings came about.
func (s *State) PublicSeries() []Change {
	if s.frozen == nil {
		return s.Series(nil)
	}
	steps := slices.DeleteFunc(slices.Clone(s.frozen.steps), func(c step) bool {
		t := s.byTeam[c.Team]
		return t == nil || t.Banned || s.rounds[c.Question].voided || s.frozen.unveiled[c.Team]
	})
	steps = append(steps, s.steps(func(t Team) bool { return s.frozen.unveiled[t.ID] })...)
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.Seq, b.Seq) })
	return ranked(steps)
}

// News returns the last attempts that everybody may know of, newest first, at
// most n. What they came to is what their teams were told.
func (s *State) News(n int) []Attempt { return s.news(n, s.frozen) }

// JuryNews returns the last attempts of teams that are not banned, newest first,
// at most n.
func (s *State) JuryNews(n int) []Attempt { return s.news(n, nil) }

func (s *State) news(n int, f *freeze) []Attempt {
	var news []Attempt
	for _, a := range slices.Backward(s.attempts) {
		if len(news) == n {
			break
		}
		t, void := s.byTeam[a.Team], a.Verdict == VerdictVoid
		if f != nil && !f.unveiled[a.Team] {
			if a.Seq > f.seq {
				continue
			}
			void = f.void[a.Seq]
		}
		if t == nil || t.Banned || a.Void || void {
			continue
		}
		news = append(news, *a)
	}
	return news
}

// Under returns the jury's standings as they would be under other rules.
// Nothing is changed.
func (s *State) Under(rules *retrieval.Ruleset) Table {
	results := map[*cell]Result{}
	for _, t := range s.teams {
		for id, c := range t.cells {
			results[c] = c.under(rules, &s.questions[s.byID[id]], s.rounds[id].limit)
		}
	}
	return s.table(nil, func(t *team, id retrieval.QuestionID) Result {
		if c := t.cells[id]; c != nil {
			return results[c]
		}
		return Result{}
	})
}

// under returns what the attempts of a cell would come to.
func (c *cell) under(rules *retrieval.Ruleset, question *retrieval.Question, limit time.Duration) (result Result) {
	for _, a := range c.attempts {
		result.take(new(*a), rules, question, limit)
	}
	return result
}

// Veiled returns how many teams of frozen standings are not shown as they are
// now.
func (s *State) Veiled() (n int) {
	if s.frozen == nil {
		return 0
	}
	for _, t := range s.teams {
		if !t.Banned && !s.frozen.unveiled[t.ID] {
			n++
		}
	}
	return n
}
