package contest

import (
	"slices"
	"time"

	"scorebook/retrieval"
)

// Bounds on the times of a question.
const (
	MaxTimeLimit = 24 * time.Hour
	MaxBuffer    = time.Hour
)

// Grace is for how long after the end of a round a submission that arrived
// before it is still taken: it was read, queued or written slowly, and none of
// that is the team's fault. No ground truth is shown before.
const Grace = 10 * time.Second

// Decide says what a command makes happen at a time, in order, or why the rules
// refuse it. It changes nothing. A command that makes nothing happen, such as
// the repetition of a submission, gives no events.
func (s *State) Decide(command Command, now time.Time) ([]Event, *Reject) {
	if now.Before(s.at) {
		now = s.at
	}
	if _, opens := command.(Open); opens != (s.seq == 0) {
		return nil, reject(InvalidValue, "found the command %T after %d events, expected a contest to be opened first and once", command, s.seq)
	}
	switch c := command.(type) {
	case Open:
		if err := c.Rules.Validate(); err != nil {
			return nil, reject(InvalidValue, "rules: %s", err)
		}
		return []Event{Opened(c)}, nil
	case Configure:
		return []Event{Configured(c)}, nil
	case ReplaceRules:
		if err := c.Rules.Validate(); err != nil {
			return nil, reject(InvalidValue, "rules: %s", err)
		}
		return []Event{RulesReplaced(c)}, nil
	case ReplaceGroundTruth:
		return s.decideGroundTruth(c)
	case Register, Rename, Ban, RotateToken, SetRegistration:
		return s.decideTeam(command, now)
	case Start:
		return s.decideStart(c)
	case Extend:
		return s.decideExtend(c, now)
	case Stop:
		return s.decideStop(c)
	case Void:
		return s.decideVoid(c)
	case Reveal:
		return s.decideReveal(c, now)
	case Submit:
		return s.decideSubmit(c, now)
	case Override:
		return s.decideOverride(c)
	case Freeze:
		return s.decideFreeze(), nil
	case Unveil:
		return s.decideUnveil()
	case Thaw:
		return s.decideThaw(), nil
	case Reset:
		return []Event{ContestReset(c)}, nil
	}
	return nil, reject(InvalidValue, "found the command %T, which is unknown", command)
}

func (s *State) decideGroundTruth(c ReplaceGroundTruth) ([]Event, *Reject) {
	for id := range s.rounds {
		i := slices.IndexFunc(c.Questions, func(q retrieval.Question) bool { return q.ID == id })
		if i < 0 {
			return nil, reject(QuestionMissing, "question %q was played and is missing in the new ground truth: keep it, and void it if it shall not count", id)
		}
		if old, _ := s.Question(id); old.Type != c.Questions[i].Type {
			return nil, reject(InvalidValue, "question %q was played as %s and is %s in the new ground truth: its answers cannot be read again", id, old.Type, c.Questions[i].Type)
		}
	}
	return []Event{GroundTruthReplaced(c)}, nil
}

func (s *State) decideStart(c Start) ([]Event, *Reject) {
	question, ok := s.Question(c.Question)
	if !ok {
		return nil, s.unknownQuestion(c.Question)
	}
	number := 1
	if r := s.rounds[c.Question]; r != nil {
		number = r.number + 1
		switch {
		case r.cleared:
		case !c.Restart:
			return nil, reject(AlreadyPlayed, "question %q was started before: add \"restart\": true to play it again, which voids its attempts", c.Question)
		}
	}
	limit, buffer := s.Limits(&question)
	if c.TimeLimit != nil {
		limit = *c.TimeLimit
	}
	if c.Buffer != nil {
		buffer = *c.Buffer
	}
	if limit <= 0 || limit > MaxTimeLimit {
		return nil, reject(InvalidValue, "time_limit: found %v, expected more than 0 and at most %v", limit, MaxTimeLimit)
	}
	if buffer < 0 || buffer > MaxBuffer {
		return nil, reject(InvalidValue, "buffer_time: found %v, expected 0 to %v", buffer, MaxBuffer)
	}
	started := QuestionStarted{Question: c.Question, Round: number, TimeLimit: limit, Buffer: buffer}
	if s.active == nil {
		return []Event{started}, nil
	}
	return append(s.close(s.active), started), nil
}

// Limits returns time limit and buffer of a question when nothing is said at its
// start: its own, else those of the settings for its type, else those of the rules.
func (s *State) Limits(q *retrieval.Question) (limit, buffer time.Duration) {
	limit, buffer = seconds(s.rules.LimitOf(q)), seconds(s.rules.Buffer)
	own := s.settings.Limits[q.Type]
	if own.TimeLimit > 0 && q.TimeLimit == 0 {
		limit = own.TimeLimit
	}
	if own.Buffer > 0 || own.HasBuffer {
		buffer = own.Buffer
	}
	return limit, buffer
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// close ends a round, and reveals its question if that is the policy.
func (s *State) close(r *round) []Event {
	events := []Event{QuestionStopped{r.question}}
	if s.settings.Reveal == RevealAtStop {
		events = append(events, QuestionRevealed{r.question})
	}
	return events
}

func (s *State) unknownQuestion(id retrieval.QuestionID) *Reject {
	return reject(UnknownQuestion, "there is no question %q in the ground truth", id)
}

// running returns the active round, which a command may name.
func (s *State) running(named retrieval.QuestionID) (*round, *Reject) {
	if named != "" {
		if _, ok := s.byID[named]; !ok {
			return nil, s.unknownQuestion(named)
		}
	}
	switch {
	case s.active == nil:
		return nil, reject(NoActiveQuestion, "no question is active: start one first")
	case named != "" && named != s.active.question:
		return nil, reject(NoActiveQuestion, "question %q is not active: question %q is", named, s.active.question)
	}
	return s.active, nil
}

func (s *State) decideExtend(c Extend, now time.Time) ([]Event, *Reject) {
	r, refused := s.running(c.Question)
	if refused != nil {
		return nil, refused
	}
	limit := r.limit + r.extended + c.By
	switch {
	case c.By == 0:
		return nil, reject(InvalidValue, "found an extension by nothing, expected a number of seconds")
	case limit > MaxTimeLimit:
		return nil, reject(InvalidValue, "found an extension to %v, expected at most %v in all", limit, MaxTimeLimit)
	case limit < now.Sub(r.started):
		return nil, reject(InvalidValue, "found an extension by %v, which would end question %q in the past: stop it instead", c.By, r.question)
	}
	return []Event{QuestionExtended{r.question, c.By}}, nil
}

func (s *State) decideStop(c Stop) ([]Event, *Reject) {
	r, refused := s.running(c.Question)
	if refused != nil {
		return nil, refused
	}
	return s.close(r), nil
}

// played returns the last round of a question that was started.
func (s *State) played(id retrieval.QuestionID) (*round, *Reject) {
	if _, ok := s.byID[id]; !ok {
		return nil, s.unknownQuestion(id)
	}
	r := s.rounds[id]
	if r == nil || r.cleared {
		return nil, reject(NotStarted, "question %q was not started yet", id)
	}
	return r, nil
}

func (s *State) decideVoid(c Void) ([]Event, *Reject) {
	r, refused := s.played(c.Question)
	if refused != nil || r.voided == c.Voided {
		return nil, refused
	}
	return []Event{QuestionVoided(c)}, nil
}

func (s *State) decideReveal(c Reveal, now time.Time) ([]Event, *Reject) {
	r, refused := s.played(c.Question)
	switch {
	case refused != nil || r.revealed:
		return nil, refused
	case !r.ended.IsZero():
		return []Event{QuestionRevealed(c)}, nil
	case now.Before(r.deadline().Add(Grace)):
		return nil, reject(QuestionRunning, "question %q is running: stop it before its answer is shown", c.Question)
	}
	return []Event{QuestionStopped(c), QuestionRevealed(c)}, nil
}

func (s *State) decideOverride(c Override) ([]Event, *Reject) {
	a := s.attempt(c.Submission)
	switch {
	case a == nil:
		return nil, reject(UnknownSubmission, "there is no submission with the number %d", c.Submission)
	case a.Void:
		return nil, reject(UnknownSubmission, "submission %d was voided when its question was restarted or reset", c.Submission)
	case !slices.Contains([]Verdict{VerdictFull, VerdictPartial, VerdictIncorrect, VerdictVoid, VerdictComputed}, c.Verdict):
		return nil, reject(InvalidValue, "verdict: found %q, expected full, partial, incorrect, void or computed", c.Verdict)
	case c.Reason == "":
		return nil, reject(InvalidValue, "reason: found none, expected why the verdict is changed; it is kept in the journal")
	}
	return []Event{VerdictOverridden(c)}, nil
}
