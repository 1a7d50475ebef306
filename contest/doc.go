// Package contest holds the words and the rules of a live retrieval contest.
//
// A contest is a [State]: the fold of its events. [Decide] turns a command into
// events or a [Reject], [State.Apply] takes an event in. Neither knows a clock,
// a socket or a file: the time of a command is an argument, and what is
// recorded suffices to arrive at the same state, and so at the same scores,
// again.
//
// Scores are not kept but computed: an attempt holds what a team sent and when,
// and [Result] is a function of the attempts of a team at a question and of the
// rules and the ground truth in force. So replacing the rules or the ground
// truth scores the whole contest again, and nothing of what was recorded is
// touched.
//
// What may be seen is two values: the [Table] for the public and the one for
// the jury.
package contest
