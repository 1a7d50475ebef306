package service

import (
	"sync"
	"sync/atomic"
	"time"

	"scorebook/contest"
)

// Snapshot is the standings after an event, for any number of readers. It never
// changes.
type Snapshot struct {
	Seq    contest.Seq
	At     time.Time // of the event
	Public contest.Table
	Jury   contest.Table
	Active contest.Round // of the active question; Number 0: none

	rendered sync.Map // key to func() any, which renders once
}

// Rendered returns what render gives for a key, which is made once for each
// snapshot and shared by all who ask. The keys must be few: what was made is
// kept as long as the snapshot.
func (s *Snapshot) Rendered(key string, render func() any) any {
	made, ok := s.rendered.Load(key)
	if !ok {
		made, _ = s.rendered.LoadOrStore(key, sync.OnceValue(render))
	}
	return made.(func() any)()
}

// snapshots holds the newest snapshot.
type snapshots struct {
	making sync.Mutex
	newest atomic.Pointer[Snapshot]
}

// Snapshot returns the standings after the last durable event. They are made
// once for each change that somebody asks for, not for each reader.
func (s *Service) Snapshot() *Snapshot {
	if newest := s.snapshots.newest.Load(); newest != nil && newest.Seq >= s.Durable() {
		return newest
	}
	s.snapshots.making.Lock()
	defer s.snapshots.making.Unlock()
	newest := s.snapshots.newest.Load()
	if newest != nil && newest.Seq >= s.Durable() {
		return newest // somebody else made it meanwhile
	}
	made := &Snapshot{}
	s.Read(func(state *contest.State) {
		made.Seq, made.At = state.Seq(), state.At()
		made.Jury, made.Public = state.Tables()
		if active := state.ActiveQuestion(); active != "" {
			made.Active = state.Round(active)
		}
	})
	s.snapshots.newest.Store(made)
	return made
}
