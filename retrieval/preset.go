package retrieval

// DefaultPreset is the ruleset of a contest that names none.
const DefaultPreset = "aic2025"

// Preset returns the ruleset of a name; see docs/rules.md for what they are.
func Preset(name string) (Ruleset, bool) {
	rules := Ruleset{
		Name: name, Mode: ModeTolerance, PMax: 100, PBase: 50, PPenalty: 10, TimeLimit: 300, Buffer: 10,
		Tolerance: Tolerance{KIS: 2500, QA: 2500, TR: 12}, QualityOver: OverMatched,
		PartialThreshold: 0.5, PartialFactor: 0.5, FPS: 25, MaxScore: 100, DecayRate: 1,
		DistanceFrom: FromMidpoint, Aggregation: AggregateMean, AnswerMatch: MatchExact,
		Feedback: FeedbackCounts, Completion: FirstCorrect,
	}
	switch name {
	case "aic2025":
	case "aic2025-visual":
		rules.TimeLimits.KIS = 240
	case "aic2025-exact":
		rules.Mode = ModeExact
	case "aic-decay":
		rules.Mode, rules.Completion = ModeDecay, Best
	default:
		return Ruleset{}, false
	}
	return rules, true
}

// Presets are the names that Preset knows.
func Presets() []string { return []string{"aic2025", "aic2025-visual", "aic2025-exact", "aic-decay"} }
