// Package retrieval scores one answer to one question of a live retrieval
// contest under one ruleset, and explains the score.
//
// A [Question] is what the organisers know, a [Ruleset] is how they judge, an
// [Answer] is what a team sent after [ParseBody] and [Interpret] have made one
// form of the many that are in use. [Score] is a function of these three and of
// the [Circumstances]; it knows no contest and no clock, so a score can be
// computed again years later from what was recorded.
//
// Formulas and their sources stand in docs/scoring.md.
package retrieval
