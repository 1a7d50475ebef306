package contest

import "time"

// decideSubmit judges a submission by its time of arrival, not by the time at
// which its turn comes.
func (s *State) decideSubmit(c Submit, now time.Time) ([]Event, *Reject) {
	t := s.byTeam[c.Team]
	switch {
	case t == nil:
		return nil, reject(UnknownTeam, "no team has this token: register, or ask the organiser for a new one")
	case t.Banned:
		return nil, reject(Banned, "the team was banned: speak to the organiser")
	}
	if c.Key != "" {
		if first := t.keys[c.Key]; first != nil && !first.Void {
			if first.Body != c.Body {
				return nil, reject(KeyReused, "this Idempotency-Key came with another body before: use a new key for a new submission")
			}
			return nil, nil
		}
	}
	q, refused := s.roundFor(c, now)
	if refused != nil {
		return nil, refused
	}
	if book := t.cells[c.Question]; book != nil && book.result.Completed {
		standing := book.result
		refused := reject(AlreadyCompleted, "the team has completed this question: its score of %.2f stands", standing.Score)
		refused.Standing = &standing
		return nil, refused
	}
	judged := SubmissionJudged{
		Team: c.Team, Question: c.Question, Round: q.number,
		Arrived: c.Arrived.UTC(), Body: c.Body, Answer: c.Answer, Key: c.Key,
	}
	a := newAttempt(judged, 0, q)
	wrong := 0
	if book := t.cells[c.Question]; book != nil {
		wrong = book.result.Wrong
	}
	judged.Announced = judge(a, wrong, &s.rules, &s.questions[s.byID[c.Question]], q.limit)
	return []Event{judged}, nil
}

// roundFor returns the round that a submission is for.
func (s *State) roundFor(c Submit, now time.Time) (*round, *Reject) {
	none := reject(NoActiveQuestion, "no question is running: wait until the organiser starts one")
	q := s.rounds[c.Question]
	switch {
	case q == nil || q.cleared || c.Arrived.Before(q.started):
		return nil, none
	case q.ended.IsZero():
	case q.revealed || c.Arrived.After(q.ended) || now.Sub(q.ended) > Grace:
		return nil, none
	}
	if c.Arrived.After(q.deadline()) {
		round := s.Round(c.Question)
		refused := reject(TimeLimitExceeded, "the submission arrived %.2f s after the start, expected at most %.2f s (time limit and buffer)",
			c.Arrived.Sub(q.started).Seconds(), q.deadline().Sub(q.started).Seconds())
		refused.Round = &round
		return nil, refused
	}
	return q, nil
}

// Repeated returns the attempt that a submission with this key was judged as.
func (s *State) Repeated(id TeamID, key string) (Attempt, bool) {
	if t := s.byTeam[id]; t != nil && key != "" {
		if a := t.keys[key]; a != nil && !a.Void {
			return *a, true
		}
	}
	return Attempt{}, false
}
