package retrieval

// Result is a score with the figures that led to it, as it is recorded.
type Result struct {
	Score             float64     `json:"score"` // never rounded; in [0, p_max], in decay mode [0, max_score] for each event
	Correctness       Correctness `json:"correctness"`
	CorrectnessFactor float64     `json:"correctness_factor"` // in [0,1]; above 0 the attempt is not a wrong one
	MatchQuality      float64     `json:"match_quality"`      // in [0,1]
	MatchedEvents     int         `json:"matched_events"`     // exact: boundaries
	TotalEvents       int         `json:"total_events"`       // likewise
	TimeFactor        float64     `json:"time_factor"`        // in [0,1]; 0 in decay mode, where time plays no part
	Penalty           float64     `json:"penalty"`            // k times p_penalty; 0 in decay mode
	WrongAttempts     int         `json:"wrong_attempts"`     // k
	ElapsedSeconds    float64     `json:"elapsed_time"`
	IgnoredValues     int         `json:"ignored_values"` // sent beyond those that count
}

// Score judges an answer. The score is what the attempt itself earns: whether
// it counts, after others, is not decided here.
func Score(rules *Ruleset, question *Question, answer *Answer, c Circumstances) Result {
	return judge(rules, question, answer, c, nil)
}

// Award returns what an attempt earns that the jury, and not the rules, calls
// full, partial or incorrect. Full has quality 1 and partial the ruleset's
// partial factor.
func Award(rules *Ruleset, question *Question, verdict Correctness, c Circumstances) Result {
	total := len(question.Events)
	if rules.Mode == ModeExact {
		total *= 2
	}
	r := Result{Correctness: verdict, TotalEvents: total, WrongAttempts: c.Wrong, ElapsedSeconds: c.Elapsed.Seconds()}
	switch verdict {
	case Full:
		r.CorrectnessFactor, r.MatchQuality, r.MatchedEvents = 1, 1, total
	case Partial:
		r.CorrectnessFactor, r.MatchQuality = rules.PartialFactor, 1
	}
	if rules.Mode != ModeDecay {
		r.formula(rules, c)
		return r
	}
	r.Score = rules.MaxScore * r.CorrectnessFactor
	if rules.Aggregation == AggregateSum {
		r.Score *= float64(total)
	}
	return r
}

// judge is Score; it also tells the explanation, if there is one, what it does.
func judge(rules *Ruleset, question *Question, answer *Answer, c Circumstances, e *Explanation) Result {
	r := Result{Correctness: Incorrect, WrongAttempts: c.Wrong, ElapsedSeconds: c.Elapsed.Seconds()}
	values, most := answer.Values, valuesThatCount(rules, question)
	if len(values) > most {
		r.IgnoredValues = len(values) - most
		values = values[:most]
	}
	mismatch := mismatch(rules, question, answer)
	if e != nil {
		e.Mismatch = mismatch
	}
	if mismatch != "" {
		values = nil // nothing of another video, or with another answer, is met
	}
	if question.WholeVideo() || rules.ItemOnly && question.Type == KIS && len(answer.Values) == 0 {
		return item(rules, question, answer, mismatch == "", c, e)
	}
	switch rules.Mode {
	case ModeTolerance:
		r.tolerance(rules, question, values, e)
		r.formula(rules, c)
	case ModeExact:
		r.exact(rules, question, values, e)
		r.formula(rules, c)
	case ModeDecay:
		r.decay(rules, question, values, e)
	}
	return r
}

// item judges an answer of which the video alone, with the text of QA, counts: it
// meets every event, or none.
func item(rules *Ruleset, question *Question, answer *Answer, right bool, c Circumstances, e *Explanation) Result {
	verdict, quality := Incorrect, 0.0
	if right {
		verdict, quality = Full, 1
	}
	for _, event := range question.Events {
		e.event(event, 0, quality, -1)
	}
	if e != nil {
		e.ItemOnly = true
	}
	r := Award(rules, question, verdict, c)
	r.IgnoredValues = len(answer.Values)
	return r
}

// valuesThatCount returns how many values of an answer are looked at.
func valuesThatCount(rules *Ruleset, question *Question) int {
	if rules.Mode == ModeDecay && rules.DistanceFrom == FromMidpoint {
		return len(question.Events)
	}
	return 2 * len(question.Events)
}

// mismatch says why an answer cannot be right whatever its values are, or "".
func mismatch(rules *Ruleset, question *Question, answer *Answer) string {
	switch {
	case !sameMedia(answer.Video, question.Video):
		return "video"
	case answer.Scene != "" && question.Scene != "" && !sameMedia(answer.Scene, question.Scene):
		return "scene"
	case question.Type == QA && !accepts(rules.AnswerMatch, question.Answers, answer.Text):
		return "answer"
	}
	return ""
}

// formula applies time and penalties: the score of the modes tolerance and
// exact.
func (r *Result) formula(rules *Ruleset, c Circumstances) {
	r.TimeFactor = TimeFactor(c)
	r.Penalty = float64(float64(c.Wrong) * rules.PPenalty)
	// Rounding may lift the sum above p_max: 36.99067625285388 of 105.60188721042785 does.
	earned := min(rules.PMax, rules.PBase+float64((rules.PMax-rules.PBase)*r.TimeFactor))
	r.Score = max(0, earned-r.Penalty) * r.CorrectnessFactor
}

// TimeFactor is fT = clamp(1 - t/T, 0, 1), and 0 if T is not above 0.
func TimeFactor(c Circumstances) float64 {
	if c.TimeLimit <= 0 {
		return 0
	}
	return min(1, max(0, 1-c.Elapsed.Seconds()/c.TimeLimit.Seconds()))
}
