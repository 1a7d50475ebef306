package contest

import (
	"fmt"
	"slices"

	"scorebook/retrieval"
)

// Apply takes the next event in. An event that Decide did not produce in this
// state is an error, and the state is then worth nothing any more.
func (s *State) Apply(r Recorded) error {
	if r.Seq != s.seq+1 {
		return fmt.Errorf("event %d: found after event %d, expected number %d", r.Seq, s.seq, s.seq+1)
	}
	if r.At.Before(s.at) {
		return fmt.Errorf("event %d: its time %v is before that of the event before it, %v", r.Seq, r.At, s.at)
	}
	if _, opens := r.Event.(Opened); opens != (s.seq == 0) {
		return fmt.Errorf("event %d: found %s, expected %q as the first event and only there", r.Seq, r.Event.Kind(), Opened{}.Kind())
	}
	s.seq, s.at = r.Seq, r.At
	if _, submitted := r.Event.(SubmissionJudged); !submitted {
		s.deeds = append(s.deeds, r)
	}
	if err := s.apply(r); err != nil {
		return fmt.Errorf("event %d (%s): %w", r.Seq, r.Event.Kind(), err)
	}
	return nil
}

func (s *State) apply(r Recorded) error {
	switch e := r.Event.(type) {
	case Opened:
		s.open(e)
	case Configured:
		s.settings = e.Settings
	case RegistrationSet:
		s.settings.Registration, s.settings.CodeHash = e.Mode, e.CodeHash
	case RulesReplaced:
		s.rules = e.Rules
		s.rescoreAll()
	case GroundTruthReplaced:
		return s.replaceQuestions(e.Questions)
	case TeamRegistered:
		return s.register(e, r)
	case TeamRenamed, TeamBanned, TokenRotated:
		return s.changeTeam(e)
	case QuestionStarted:
		return s.start(e, r)
	case QuestionExtended, QuestionStopped, QuestionVoided, QuestionRevealed:
		return s.changeQuestion(e, r)
	case SubmissionJudged:
		return s.submit(e, r)
	case VerdictOverridden:
		return s.override(e)
	case ContestReset:
		s.reset(e.Teams)
	case StandingsFrozen:
		s.freeze(r)
	case TeamsUnveiled:
		s.unveil(e.Teams)
	case StandingsThawed:
		s.frozen = nil
	default:
		return fmt.Errorf("unknown event %T", e)
	}
	return nil
}

func (s *State) open(e Opened) {
	s.id, s.settings, s.rules = e.Contest, e.Settings, e.Rules
	s.setQuestions(e.Questions)
	s.rounds = map[retrieval.QuestionID]*round{}
	s.clearTeams()
}

func (s *State) setQuestions(questions []retrieval.Question) {
	s.questions = slices.Clone(questions)
	s.byID = make(map[retrieval.QuestionID]int, len(questions))
	for i, q := range s.questions {
		s.byID[q.ID] = i
	}
}

func (s *State) replaceQuestions(questions []retrieval.Question) error {
	s.setQuestions(questions)
	for id := range s.rounds {
		if _, ok := s.byID[id]; !ok {
			return fmt.Errorf("question %q was played and is missing", id)
		}
	}
	s.rescoreAll()
	return nil
}

func (s *State) clearTeams() {
	s.teams, s.byTeam, s.names, s.tokens = nil, map[TeamID]*team{}, map[string]*team{}, map[string]*team{}
}

func (s *State) register(e TeamRegistered, r Recorded) error {
	if s.byTeam[e.Team] != nil {
		return fmt.Errorf("team %q is registered already", e.Team)
	}
	t := &team{
		Team:      Team{ID: e.Team, Name: e.Name, Registered: r.At, Simulated: e.Simulated},
		tokenHash: e.TokenHash, cells: map[retrieval.QuestionID]*cell{}, keys: map[string]*Attempt{},
	}
	s.teams = append(s.teams, t)
	s.byTeam[e.Team] = t
	s.names[NameKey(e.Name)] = t
	s.tokens[e.TokenHash] = t
	return nil
}

func (s *State) changeTeam(event Event) error {
	var id TeamID
	switch e := event.(type) {
	case TeamRenamed:
		id = e.Team
	case TeamBanned:
		id = e.Team
	case TokenRotated:
		id = e.Team
	}
	t := s.byTeam[id]
	if t == nil {
		return fmt.Errorf("unknown team %q", id)
	}
	switch e := event.(type) {
	case TeamRenamed:
		delete(s.names, NameKey(t.Name))
		t.Name = e.Name
		s.names[NameKey(t.Name)] = t
	case TeamBanned:
		t.Banned = e.Banned
	case TokenRotated:
		delete(s.tokens, t.tokenHash)
		t.tokenHash = e.TokenHash
		s.tokens[t.tokenHash] = t
	}
	return nil
}

func (s *State) start(e QuestionStarted, r Recorded) error {
	if _, ok := s.byID[e.Question]; !ok {
		return fmt.Errorf("unknown question %q", e.Question)
	}
	if s.active != nil {
		s.active.ended = r.At
	}
	if s.rounds[e.Question] != nil {
		s.voidAttempts(e.Question)
	}
	s.active = &round{question: e.Question, number: e.Round, started: r.At, limit: e.TimeLimit, buffer: e.Buffer}
	s.rounds[e.Question] = s.active
	return nil
}

// voidAttempts takes the attempts at a question out of the book.
func (s *State) voidAttempts(id retrieval.QuestionID) {
	s.frozen.forget(id)
	for _, t := range s.teams {
		if c := t.cells[id]; c != nil {
			for _, a := range c.attempts {
				a.Void = true
			}
			delete(t.cells, id)
		}
	}
}

func (s *State) changeQuestion(event Event, r Recorded) error {
	var id retrieval.QuestionID
	switch e := event.(type) {
	case QuestionExtended:
		id = e.Question
	case QuestionStopped:
		id = e.Question
	case QuestionVoided:
		id = e.Question
	case QuestionRevealed:
		id = e.Question
	}
	q := s.rounds[id]
	if q == nil {
		return fmt.Errorf("question %q was never started", id)
	}
	switch e := event.(type) {
	case QuestionExtended:
		q.extended += e.By
	case QuestionStopped:
		q.ended = r.At
		if s.active == q {
			s.active = nil
		}
	case QuestionVoided:
		q.voided = e.Voided
	case QuestionRevealed:
		q.revealed = true
	}
	return nil
}

func (s *State) submit(e SubmissionJudged, r Recorded) error {
	t, q := s.byTeam[e.Team], s.rounds[e.Question]
	if t == nil {
		return fmt.Errorf("unknown team %q", e.Team)
	}
	if q == nil || q.number != e.Round {
		return fmt.Errorf("question %q has no round %d", e.Question, e.Round)
	}
	a := newAttempt(e, r.Seq, q)
	a.Announced = e.Announced
	c := t.cells[e.Question]
	if c == nil {
		c = &cell{}
		t.cells[e.Question] = c
	}
	c.attempts = append(c.attempts, a)
	c.result.take(a, &s.rules, &s.questions[s.byID[e.Question]], q.limit)
	s.attempts = append(s.attempts, a)
	if e.Key != "" {
		t.keys[e.Key] = a
	}
	return nil
}

func newAttempt(e SubmissionJudged, seq Seq, q *round) *Attempt {
	return &Attempt{
		Seq: seq, Team: e.Team, Question: e.Question, Round: e.Round,
		Arrived: e.Arrived, Elapsed: max(0, e.Arrived.Sub(q.started)), Body: e.Body, Answer: e.Answer,
	}
}

func (s *State) override(e VerdictOverridden) error {
	a := s.attempt(e.Submission)
	if a == nil {
		return fmt.Errorf("there is no attempt %d", e.Submission)
	}
	a.Verdict, a.Reason = e.Verdict, e.Reason
	if e.Verdict == VerdictComputed {
		a.Verdict, a.Reason = "", ""
	}
	if t := s.byTeam[a.Team]; t != nil && !a.Void {
		s.rescore(t.cells[a.Question], a.Question)
	}
	return nil
}

func (s *State) reset(teams bool) {
	for id, q := range s.rounds {
		if q.ended.IsZero() {
			q.ended = s.at
		}
		q.cleared = true
		s.voidAttempts(id)
	}
	s.active, s.frozen = nil, nil
	if teams {
		s.clearTeams()
	}
}
