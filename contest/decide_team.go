package contest

import (
	"slices"
	"time"
)

func (s *State) decideTeam(command Command, now time.Time) ([]Event, *Reject) {
	switch c := command.(type) {
	case Register:
		return s.decideRegister(c, now)
	case SetRegistration:
		modes := []RegistrationMode{OpenRegistration, CodeRegistration, ClosedRegistration, AlwaysRegistration}
		if !slices.Contains(modes, c.Mode) {
			return nil, reject(InvalidValue, "registration: found %q, expected open, code, closed or always", c.Mode)
		}
		if c.Mode == CodeRegistration && c.CodeHash == "" {
			return nil, reject(InvalidValue, "registration by code: found no code, expected one")
		}
		return []Event{RegistrationSet(c)}, nil
	case Rename:
		t, refused := s.team(c.Team)
		if refused != nil {
			return nil, refused
		}
		clean, refused := s.freeName(c.Name, t)
		if refused != nil {
			return nil, refused
		}
		return []Event{TeamRenamed{c.Team, clean}}, nil
	case Ban:
		t, refused := s.team(c.Team)
		if refused != nil || t.Banned == c.Banned {
			return nil, refused
		}
		return []Event{TeamBanned(c)}, nil
	case RotateToken:
		if _, refused := s.team(c.Team); refused != nil {
			return nil, refused
		}
		return []Event{TokenRotated(c)}, nil
	}
	return nil, nil
}

func (s *State) team(id TeamID) (*team, *Reject) {
	if t := s.byTeam[id]; t != nil {
		return t, nil
	}
	return nil, reject(UnknownTeam, "there is no team %q", id)
}

// freeName checks a name that a team, or a new one, wants to have.
func (s *State) freeName(name string, owner *team) (clean string, refused *Reject) {
	clean, fault := CleanName(name)
	if fault != "" {
		return "", reject(InvalidName, "team_name: %s; expected 1 to %d visible characters", fault, MaxNameLength)
	}
	if other := s.names[NameKey(clean)]; other != nil && other != owner {
		return "", reject(NameTaken, "team_name: another team has this name or one that looks the same: choose another")
	}
	return clean, nil
}

func (s *State) decideRegister(c Register, now time.Time) ([]Event, *Reject) {
	if !c.Organiser {
		if refused := s.mayRegister(c.CodeHash, now); refused != nil {
			return nil, refused
		}
	}
	clean, refused := s.freeName(c.Name, nil)
	if refused != nil {
		return nil, refused
	}
	return []Event{TeamRegistered{Team: c.ID, Name: clean, TokenHash: c.TokenHash, Simulated: c.Simulated && c.Organiser}}, nil
}

func (s *State) mayRegister(codeHash string, now time.Time) *Reject {
	switch s.settings.Registration {
	case OpenRegistration:
		// With open registration a team could try answers under a second name.
		if s.active != nil && !now.After(s.active.deadline()) {
			return reject(RegistrationClosed, "no team may register while a question is running: try again when it is over")
		}
	case CodeRegistration:
		if codeHash != s.settings.CodeHash {
			return reject(WrongCode, "the invite code is missing or wrong: ask the organiser")
		}
	case AlwaysRegistration:
	default:
		return reject(RegistrationClosed, "registration is closed: ask the organiser")
	}
	if len(s.teams) >= s.settings.MaxTeams {
		return reject(TooManyTeams, "found %d teams, and no more may register: ask the organiser", len(s.teams))
	}
	return nil
}
