package contest

import (
	"time"

	"scorebook/retrieval"
)

// Result is what a team's attempts at a question come to.
type Result struct {
	Score       float64               // the one that stands; 0 before any
	Correctness retrieval.Correctness // of the attempt that stands; empty before any scoring one
	Time        time.Duration         // of the attempt that stands, from the start of the round
	Scoring     Seq                   // the attempt that stands; 0: none
	Attempts    int                   // that count: not void, not superseded
	Wrong       int                   // of these, with no positive correctness factor
	Completed   bool                  // no further attempt counts
}

// take adds the next attempt to what the attempts before it come to, and sets
// what the attempt is worth. It is the only place where an attempt is judged:
// whoever takes the attempts of a team at a question one after the other, when
// they happen or years later, arrives at the same result.
func (r *Result) take(a *Attempt, rules *retrieval.Ruleset, question *retrieval.Question, limit time.Duration) {
	a.Superseded = r.Completed
	a.Current = judge(a, r.Wrong, rules, question, limit)
	if r.Completed || a.Verdict == VerdictVoid {
		return
	}
	r.Attempts++
	if a.Current.CorrectnessFactor <= 0 {
		r.Wrong++
		return
	}
	r.Completed = rules.Completion == retrieval.FirstCorrect
	if r.Scoring == 0 || a.Current.Score > r.Score {
		r.Score, r.Correctness, r.Time, r.Scoring = a.Current.Score, a.Current.Correctness, a.Elapsed, a.Seq
	}
}

// judge scores one attempt with k wrong ones before it.
func judge(a *Attempt, k int, rules *retrieval.Ruleset, question *retrieval.Question, limit time.Duration) retrieval.Result {
	circumstances := retrieval.Circumstances{Elapsed: a.Elapsed, TimeLimit: limit, Wrong: k}
	switch a.Verdict {
	case VerdictFull:
		return retrieval.Award(rules, question, retrieval.Full, circumstances)
	case VerdictPartial:
		return retrieval.Award(rules, question, retrieval.Partial, circumstances)
	case VerdictIncorrect, VerdictVoid:
		return retrieval.Award(rules, question, retrieval.Incorrect, circumstances)
	}
	return retrieval.Score(rules, question, &a.Answer, circumstances)
}

// rescore takes all attempts of a cell again.
func (s *State) rescore(c *cell, id retrieval.QuestionID) {
	question, round := &s.questions[s.byID[id]], s.rounds[id]
	c.result = Result{}
	for _, a := range c.attempts {
		c.result.take(a, &s.rules, question, round.limit)
	}
}

// rescoreAll takes all attempts of all teams again.
func (s *State) rescoreAll() {
	for _, t := range s.teams {
		for id, c := range t.cells {
			s.rescore(c, id)
		}
	}
}

// Explain returns the arithmetic of an attempt as it is judged now. It holds
// ground truth.
func (s *State) Explain(seq Seq) (retrieval.Explanation, bool) {
	a := s.attempt(seq)
	if a == nil {
		return retrieval.Explanation{}, false
	}
	i, ok := s.byID[a.Question]
	if !ok {
		return retrieval.Explanation{}, false
	}
	k := a.Current.WrongAttempts
	limit := time.Duration(0)
	if r := s.rounds[a.Question]; r != nil {
		limit = r.limit
	}
	return retrieval.Explain(&s.rules, &s.questions[i], &a.Answer,
		retrieval.Circumstances{Elapsed: a.Elapsed, TimeLimit: limit, Wrong: k}), true
}
