package contest

import (
	"slices"
	"time"

	"scorebook/retrieval"
)

// State is a contest after its first events. The zero State is before all of
// them. It is not safe for use by several goroutines at once.
type State struct {
	seq Seq
	at  time.Time // of the last event

	id        string
	settings  Settings
	rules     retrieval.Ruleset
	questions []retrieval.Question
	byID      map[retrieval.QuestionID]int // index in questions

	teams  []*team // by registration
	byTeam map[TeamID]*team
	names  map[string]*team // by NameKey
	tokens map[string]*team // by token hash

	rounds   map[retrieval.QuestionID]*round // of questions that were ever started
	active   *round
	attempts []*Attempt // all, in order; resets and restarts only mark them
	deeds    []Recorded // every event but submissions, in order
	frozen   *freeze    // nil: the public sees the standings as they are
}

// team is a team with its open book.
type team struct {
	Team
	tokenHash string
	cells     map[retrieval.QuestionID]*cell
	keys      map[string]*Attempt // by idempotency key
}

// result is what the team's attempts at a question come to.
func (t *team) result(id retrieval.QuestionID) Result {
	if c := t.cells[id]; c != nil {
		return c.result
	}
	return Result{}
}

// Team is who competes.
type Team struct {
	ID         TeamID
	Name       string
	Registered time.Time
	Simulated  bool
	Banned     bool
}

// cell is a team's book of one question: the attempts that count now.
type cell struct {
	attempts []*Attempt
	result   Result
}

// Attempt is a submission that was judged.
type Attempt struct {
	Seq      Seq
	Team     TeamID
	Question retrieval.QuestionID
	Round    int
	Arrived  time.Time
	Elapsed  time.Duration // from the start of the round
	Body     string        // as sent
	Answer   retrieval.Answer

	Announced retrieval.Result // what the team was told
	Current   retrieval.Result // by the rules, the ground truth and the verdict in force now
	Verdict   Verdict          // of the jury; empty if it gave none
	Reason    string           // of the verdict

	// Superseded attempts came after the one that, as is known now, ended the
	// question for the team. They change nothing.
	Superseded bool
	// Void attempts belong to a round that was restarted, or were reset.
	Void bool
}

// round is a question that was started: the last time it was.
type round struct {
	question retrieval.QuestionID
	number   int // from 1
	started  time.Time
	limit    time.Duration // T of the formula
	extended time.Duration
	buffer   time.Duration
	ended    time.Time // zero: it runs
	revealed bool
	voided   bool
	cleared  bool // by a reset: as if it was never played
}

// Seq returns the number of the last event.
func (s *State) Seq() Seq { return s.seq }

// At returns the time of the last event.
func (s *State) At() time.Time { return s.at }

// Contest returns the contest's id, or "" before it was opened.
func (s *State) Contest() string { return s.id }

// Settings returns the settings in force.
func (s *State) Settings() Settings { return s.settings }

// Rules returns the ruleset in force.
func (s *State) Rules() retrieval.Ruleset { return s.rules }

// Questions returns the questions with their ground truth. The caller must not
// change them.
func (s *State) Questions() []retrieval.Question { return s.questions }

// Question returns a question with its ground truth.
func (s *State) Question(id retrieval.QuestionID) (retrieval.Question, bool) {
	i, ok := s.byID[id]
	if !ok {
		return retrieval.Question{}, false
	}
	return s.questions[i], true
}

// Team returns a team.
func (s *State) Team(id TeamID) (Team, bool) {
	t, ok := s.byTeam[id]
	if !ok {
		return Team{}, false
	}
	return t.Team, true
}

// TokenHash returns the SHA-256 of a team's token, or "" if there is no such
// team.
func (s *State) TokenHash(id TeamID) string {
	if t := s.byTeam[id]; t != nil {
		return t.tokenHash
	}
	return ""
}

// TeamByName returns the team that has a name, or one that looks the same.
func (s *State) TeamByName(name string) (Team, bool) {
	key := NameKey(name)
	for _, t := range s.teams {
		if NameKey(t.Name) == key {
			return t.Team, true
		}
	}
	return Team{}, false
}

// TeamByToken returns the team whose token has the given SHA-256.
func (s *State) TeamByToken(hash string) (Team, bool) {
	t, ok := s.tokens[hash]
	if !ok {
		return Team{}, false
	}
	return t.Team, true
}

// Teams returns the teams in the order of their registration.
func (s *State) Teams() []Team {
	teams := make([]Team, len(s.teams))
	for i, t := range s.teams {
		teams[i] = t.Team
	}
	return teams
}

// Deeds returns what was done besides submitting, in order. The caller must not
// change them.
func (s *State) Deeds() []Recorded { return s.deeds }

// Attempts returns every attempt, void ones too, in order. The caller must not
// change them.
func (s *State) Attempts() []*Attempt { return s.attempts }

// Attempt returns the attempt with the number of its event.
func (s *State) Attempt(seq Seq) (Attempt, bool) {
	if a := s.attempt(seq); a != nil {
		return *a, true
	}
	return Attempt{}, false
}

func (s *State) attempt(seq Seq) *Attempt {
	i, found := slices.BinarySearchFunc(s.attempts, seq, func(a *Attempt, seq Seq) int {
		switch {
		case a.Seq < seq:
			return -1
		case a.Seq > seq:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return s.attempts[i]
}

// Own returns the attempts of a team at a question that count now, and what
// they come to.
func (s *State) Own(id TeamID, question retrieval.QuestionID) ([]*Attempt, Result) {
	if t := s.byTeam[id]; t != nil {
		if c := t.cells[question]; c != nil {
			return c.attempts, c.result
		}
	}
	return nil, Result{}
}

// ActiveQuestion returns the question that was started last and neither
// stopped nor reset, or "". Its time may be over.
func (s *State) ActiveQuestion() retrieval.QuestionID {
	if s.active == nil {
		return ""
	}
	return s.active.question
}
