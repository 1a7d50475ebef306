package contest

import "fmt"

// Code is the stable name of a reason for which the rules refuse a command.
type Code string

// The reasons. Each is told to whoever sent the command, word for word.
const (
	NoActiveQuestion   Code = "no_active_question"   // nothing may be submitted now
	TimeLimitExceeded  Code = "time_limit_exceeded"  // the submission arrived after limit and buffer
	AlreadyCompleted   Code = "already_completed"    // the team has answered the question
	UnknownTeam        Code = "unknown_team"         // no team has this token or id
	Banned             Code = "banned"               // the team was banned
	RegistrationClosed Code = "registration_closed"  // nobody may register, or not now
	WrongCode          Code = "wrong_code"           // the invite code is another
	TooManyTeams       Code = "too_many_teams"       // the contest is full
	NameTaken          Code = "name_taken"           // a team has the name, or one that looks the same
	InvalidName        Code = "invalid_name"         // no name for a team
	RateLimited        Code = "rate_limited"         // too many requests of one team
	KeyReused          Code = "idempotency_key_used" // the same key with another body
	UnknownQuestion    Code = "unknown_question"
	AlreadyPlayed      Code = "already_played"   // the question was started before
	QuestionRunning    Code = "question_running" // the question must be closed for this
	NotStarted         Code = "not_started"      // the question must have been started for this
	NotFrozen          Code = "not_frozen"       // the standings must be frozen for this
	UnknownSubmission  Code = "unknown_submission"
	InvalidValue       Code = "invalid_value"    // a value outside its range
	QuestionMissing    Code = "question_missing" // a question that was played is not in the new ground truth
)

// Codes returns every reason there is.
func Codes() []Code {
	return []Code{
		NoActiveQuestion, TimeLimitExceeded, AlreadyCompleted, UnknownTeam, Banned, RegistrationClosed, WrongCode, TooManyTeams,
		NameTaken, InvalidName, RateLimited, KeyReused, UnknownQuestion, AlreadyPlayed, QuestionRunning, NotStarted, NotFrozen,
		UnknownSubmission, InvalidValue, QuestionMissing,
	}
}

// Reject is the rules' refusal of a command. Nothing was recorded.
type Reject struct {
	Code   Code
	Detail string // what was found, what was expected, what to do
	// Standing is the result that stands, for AlreadyCompleted.
	Standing *Result
	// Elapsed in seconds and the limits, for TimeLimitExceeded.
	Round *Round
}

// Error implements error.
func (r *Reject) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Detail) }

func reject(code Code, format string, args ...any) *Reject {
	return &Reject{Code: code, Detail: fmt.Sprintf(format, args...)}
}
