package contest

import (
	"time"

	"scorebook/retrieval"
)

// RegistrationMode says who may register.
type RegistrationMode string

// The modes of registration.
const (
	OpenRegistration   RegistrationMode = "open"   // anybody, while no question is running
	CodeRegistration   RegistrationMode = "code"   // anybody with the invite code, at any time
	ClosedRegistration RegistrationMode = "closed" // nobody; only the organiser adds teams
	AlwaysRegistration RegistrationMode = "always" // anybody, at any time: for rehearsals
)

// RevealPolicy says when ground truth may be shown.
type RevealPolicy string

// The policies.
const (
	RevealManual RevealPolicy = "manual"  // when the organiser reveals a closed question
	RevealAtStop RevealPolicy = "at_stop" // as soon as a question is closed
)

// Limits are the times of a question. 0 means that nothing is said.
type Limits struct {
	TimeLimit time.Duration `json:"time_limit_ns"`
	Buffer    time.Duration `json:"buffer_ns"`
	HasBuffer bool          `json:"has_buffer,omitempty"` // a buffer of 0 is meant
}

// Settings are what an event is beyond its questions and rules. Nothing in
// them changes a score.
type Settings struct {
	Name         string                    `json:"name"`
	Registration RegistrationMode          `json:"registration"`
	CodeHash     string                    `json:"code_hash,omitempty"` // SHA-256 of the invite code, in hexadecimal
	MaxTeams     int                       `json:"max_teams"`           // registrations beyond are refused; the organiser may add more
	Limits       map[retrieval.Type]Limits `json:"limits,omitempty"`    // by type, before the ruleset's
	RatePerSec   float64                   `json:"rate_per_second"`     // submissions of a team
	RateBurst    int                       `json:"rate_burst"`
	Reveal       RevealPolicy              `json:"reveal"`
	TimeZone     string                    `json:"time_zone,omitempty"` // IANA name, for pages
}

// DefaultSettings are those of a contest that says nothing else.
func DefaultSettings() Settings {
	return Settings{
		Name: "Scorebook contest", Registration: OpenRegistration, MaxTeams: 5000,
		RatePerSec: 50, RateBurst: 500, Reveal: RevealManual,
	}
}
