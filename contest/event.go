package contest

import (
	"time"

	"scorebook/retrieval"
)

// Seq numbers the events of a contest: 1, 2, 3, without gaps. 0 is before the first.
type Seq uint64

// TeamID names a team within a contest for good, whatever it is called.
type TeamID string

// Event is something that happened. The types in this file are all there are;
// each is written into the journal as the JSON of its fields, so a field may be
// added but never change its meaning.
type Event interface {
	// Kind is the event's name in the journal.
	Kind() string
}

// Recorded is an event with its place in the contest.
type Recorded struct {
	Seq   Seq
	At    time.Time // when the command arrived, in UTC; never before the event before it
	Event Event
}

// Opened begins every contest.
type Opened struct {
	Contest   string               `json:"contest"` // random id, for good
	Settings  Settings             `json:"settings"`
	Rules     retrieval.Ruleset    `json:"rules"`
	Questions []retrieval.Question `json:"questions"`
}

// Configured replaces the settings. They never change a score.
type Configured struct {
	Settings Settings `json:"settings"`
}

// RulesReplaced scores the whole contest again under other rules.
type RulesReplaced struct {
	Rules  retrieval.Ruleset `json:"rules"`
	Reason string            `json:"reason"`
}

// GroundTruthReplaced scores the whole contest again against other questions.
// No question that was played may be missing in it.
type GroundTruthReplaced struct {
	Questions []retrieval.Question `json:"questions"`
	Reason    string               `json:"reason"`
}

// TeamRegistered adds a team.
type TeamRegistered struct {
	Team      TeamID `json:"team"`
	Name      string `json:"name"`       // in NFC, as shown
	TokenHash string `json:"token_hash"` // SHA-256 of the token, in hexadecimal
	Simulated bool   `json:"simulated,omitempty"`
}

// TeamRenamed gives a team another name.
type TeamRenamed struct {
	Team TeamID `json:"team"`
	Name string `json:"name"`
}

// TeamBanned keeps a team out, or lets it in again. A banned team is shown to
// the jury only.
type TeamBanned struct {
	Team   TeamID `json:"team"`
	Banned bool   `json:"banned"`
	Reason string `json:"reason,omitempty"`
}

// TokenRotated replaces the token of a team; the old one is worth nothing.
type TokenRotated struct {
	Team      TeamID `json:"team"`
	TokenHash string `json:"token_hash"`
}

// RegistrationSet says who may register from now on.
type RegistrationSet struct {
	Mode     RegistrationMode `json:"mode"`
	CodeHash string           `json:"code_hash,omitempty"` // SHA-256 of the invite code, in hexadecimal
}

// QuestionStarted opens a round of a question. If another question runs, its
// round ends at the same moment. A round above 1 voids the attempts of the
// rounds before it.
type QuestionStarted struct {
	Question  retrieval.QuestionID `json:"question"`
	Round     int                  `json:"round"` // from 1
	TimeLimit time.Duration        `json:"time_limit_ns"`
	Buffer    time.Duration        `json:"buffer_ns"`
}

// QuestionExtended moves the end of the running question. The time factor goes
// on from the limit that the question was started with, so no announced score
// changes and no later answer earns more than an earlier one.
type QuestionExtended struct {
	Question retrieval.QuestionID `json:"question"`
	By       time.Duration        `json:"by_ns"` // may be negative
}

// QuestionStopped ends the running question.
type QuestionStopped struct {
	Question retrieval.QuestionID `json:"question"`
}

// QuestionVoided takes a question out of the standings, or back in.
type QuestionVoided struct {
	Question retrieval.QuestionID `json:"question"`
	Voided   bool                 `json:"voided"`
	Reason   string               `json:"reason,omitempty"`
}

// QuestionRevealed lets everybody see the ground truth of a closed question and
// every team the explanations of its own scores.
type QuestionRevealed struct {
	Question retrieval.QuestionID `json:"question"`
}

// SubmissionJudged is an attempt: what was sent, what was understood, when it
// arrived, and what the team was told.
type SubmissionJudged struct {
	Team      TeamID               `json:"team"`
	Question  retrieval.QuestionID `json:"question"`
	Round     int                  `json:"round"`
	Arrived   time.Time            `json:"arrived"` // at the server, before the body was read
	Body      string               `json:"body"`    // as sent
	Answer    retrieval.Answer     `json:"answer"`
	Key       string               `json:"key,omitempty"` // SHA-256 of the Idempotency-Key, in hexadecimal
	Announced retrieval.Result     `json:"announced"`
}

// VerdictOverridden puts the jury's verdict on an attempt in place of the
// computed one.
type VerdictOverridden struct {
	Submission Seq     `json:"submission"`
	Verdict    Verdict `json:"verdict"`
	Reason     string  `json:"reason"`
}

// StandingsFrozen makes the standings stand still for the public. Questions
// go on, and every team still learns what its own answers earn.
type StandingsFrozen struct{}

// TeamsUnveiled shows teams of frozen standings as they are now.
type TeamsUnveiled struct {
	Teams []TeamID `json:"teams"`
}

// StandingsThawed shows everybody the standings as they are.
type StandingsThawed struct{}

// ContestReset voids every attempt, closes every question and thaws the
// standings; with Teams, it removes the teams as well.
type ContestReset struct { //nolint:revive // Reset is the command
	Teams bool `json:"teams,omitempty"`
}

// Kind implements [Event].
func (Opened) Kind() string { return "opened" }

// Kind implements [Event].
func (Configured) Kind() string { return "configured" }

// Kind implements [Event].
func (RulesReplaced) Kind() string { return "rules_replaced" }

// Kind implements [Event].
func (GroundTruthReplaced) Kind() string { return "ground_truth_replaced" }

// Kind implements [Event].
func (TeamRegistered) Kind() string { return "team_registered" }

// Kind implements [Event].
func (TeamRenamed) Kind() string { return "team_renamed" }

// Kind implements [Event].
func (TeamBanned) Kind() string { return "team_banned" }

// Kind implements [Event].
func (TokenRotated) Kind() string { return "token_rotated" }

// Kind implements [Event].
func (RegistrationSet) Kind() string { return "registration_set" }

// Kind implements [Event].
func (QuestionStarted) Kind() string { return "question_started" }

// Kind implements [Event].
func (QuestionExtended) Kind() string { return "question_extended" }

// Kind implements [Event].
func (QuestionStopped) Kind() string { return "question_stopped" }

// Kind implements [Event].
func (QuestionVoided) Kind() string { return "question_voided" }

// Kind implements [Event].
func (QuestionRevealed) Kind() string { return "question_revealed" }

// Kind implements [Event].
func (SubmissionJudged) Kind() string { return "submission_judged" }

// Kind implements [Event].
func (VerdictOverridden) Kind() string { return "verdict_overridden" }

// Kind implements [Event].
func (StandingsFrozen) Kind() string { return "standings_frozen" }

// Kind implements [Event].
func (TeamsUnveiled) Kind() string { return "teams_unveiled" }

// Kind implements [Event].
func (StandingsThawed) Kind() string { return "standings_thawed" }

// Kind implements [Event].
func (ContestReset) Kind() string { return "contest_reset" }

// Kinds are an empty event of every kind, in the order of this file.
func Kinds() []Event {
	return []Event{
		Opened{},
		Configured{},
		RulesReplaced{},
		GroundTruthReplaced{},
		TeamRegistered{},
		TeamRenamed{},
		TeamBanned{},
		TokenRotated{},
		RegistrationSet{},
		QuestionStarted{},
		QuestionExtended{},
		QuestionStopped{},
		QuestionVoided{},
		QuestionRevealed{},
		SubmissionJudged{},
		VerdictOverridden{},
		ContestReset{},
		StandingsFrozen{},
		TeamsUnveiled{},
		StandingsThawed{},
	}
}

// Verdict is what the jury puts in place of a computed correctness.
type Verdict string

// The verdicts of a jury. VerdictComputed withdraws an override.
const (
	VerdictFull      Verdict = "full"      // every event, quality 1
	VerdictPartial   Verdict = "partial"   // the ruleset's partial factor, quality 1
	VerdictIncorrect Verdict = "incorrect" // a wrong attempt
	VerdictVoid      Verdict = "void"      // no attempt at all
	VerdictComputed  Verdict = "computed"  // what the rules say
)
