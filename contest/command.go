package contest

import (
	"time"

	"scorebook/retrieval"
)

// Command is what somebody wants to happen. Who may want it is not known here.
type Command interface{ command() }

// Open begins a contest.
type Open struct {
	Contest   string
	Settings  Settings
	Rules     retrieval.Ruleset
	Questions []retrieval.Question
}

// Configure replaces the settings.
type Configure struct{ Settings Settings }

// ReplaceRules scores everything again under other rules.
type ReplaceRules struct {
	Rules  retrieval.Ruleset
	Reason string
}

// ReplaceGroundTruth scores everything again against other questions.
type ReplaceGroundTruth struct {
	Questions []retrieval.Question
	Reason    string
}

// Register adds a team. ID and TokenHash are made by the caller.
type Register struct {
	ID        TeamID
	Name      string
	TokenHash string
	CodeHash  string // SHA-256 of the invite code that was given
	Organiser bool   // the organiser adds the team: no rule of registration applies
	Simulated bool   // by the organiser only
}

// Rename gives a team another name.
type Rename struct {
	Team TeamID
	Name string
}

// Ban keeps a team out, or lets it in again.
type Ban struct {
	Team   TeamID
	Banned bool
	Reason string
}

// RotateToken replaces a team's token.
type RotateToken struct {
	Team      TeamID
	TokenHash string
}

// SetRegistration says who may register.
type SetRegistration struct {
	Mode     RegistrationMode
	CodeHash string
}

// Start opens a question.
type Start struct {
	Question  retrieval.QuestionID
	TimeLimit *time.Duration // nil: the settings' for the type, else the ruleset's
	Buffer    *time.Duration // likewise
	Restart   bool           // a question that was played may be started again; its attempts are voided
}

// Extend moves the end of the running question.
type Extend struct {
	Question retrieval.QuestionID // empty: the active one
	By       time.Duration        // may be negative
}

// Stop ends the running question.
type Stop struct{ Question retrieval.QuestionID } // empty: the active one

// Void takes a question out of the standings, or back in.
type Void struct {
	Question retrieval.QuestionID
	Voided   bool
	Reason   string
}

// Reveal shows the ground truth of a closed question.
type Reveal struct{ Question retrieval.QuestionID }

// Submit is a team's answer to the active question.
type Submit struct {
	Team     TeamID
	Question retrieval.QuestionID // the one that was active when the body was read
	Arrived  time.Time
	Body     string
	Answer   retrieval.Answer
	Key      string // SHA-256 of the Idempotency-Key; empty: none
}

// Override puts the jury's verdict in place of the computed one.
type Override struct {
	Submission Seq
	Verdict    Verdict
	Reason     string
}

// Freeze makes the standings stand still for the public.
type Freeze struct{}

// Unveil shows the next team of frozen standings as it is now, from the last
// place up.
type Unveil struct{}

// Thaw shows everybody the standings as they are.
type Thaw struct{}

// Reset voids everything that was played; with Teams it removes the teams too.
type Reset struct{ Teams bool }

func (Open) command()               {}
func (Configure) command()          {}
func (ReplaceRules) command()       {}
func (ReplaceGroundTruth) command() {}
func (Register) command()           {}
func (Rename) command()             {}
func (Ban) command()                {}
func (RotateToken) command()        {}
func (SetRegistration) command()    {}
func (Start) command()              {}
func (Extend) command()             {}
func (Stop) command()               {}
func (Void) command()               {}
func (Reveal) command()             {}
func (Submit) command()             {}
func (Override) command()           {}
func (Freeze) command()             {}
func (Unveil) command()             {}
func (Thaw) command()               {}
func (Reset) command()              {}
