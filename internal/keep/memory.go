package keep

import (
	"context"
	"iter"
	"maps"
	"sync"

	"scorebook/contest"
)

// Memory is a store that is gone with the process: for demonstrations and tests.
type Memory struct {
	mu        sync.Mutex
	passwords map[contest.TeamID]string
	logs      []Interaction // only ever appended to
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{passwords: map[contest.TeamID]string{}} }

// Passwords implements [Store].
func (m *Memory) Passwords(ctx context.Context) (map[contest.TeamID]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.passwords), ctx.Err()
}

// SetPassword implements [Store].
func (m *Memory) SetPassword(ctx context.Context, team contest.TeamID, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.passwords[team] = hash
	return ctx.Err()
}

// AddInteractions implements [Store].
func (m *Memory) AddInteractions(ctx context.Context, logs []Interaction) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logs = append(m.logs, logs...)
	return ctx.Err()
}

// Interactions implements [Store].
func (m *Memory) Interactions(ctx context.Context) iter.Seq2[Interaction, error] {
	return func(yield func(Interaction, error) bool) {
		m.mu.Lock()
		logs := m.logs
		m.mu.Unlock()
		for _, log := range logs {
			if err := ctx.Err(); !yield(log, err) || err != nil {
				return
			}
		}
	}
}

// Sizes implements [Store].
func (m *Memory) Sizes(ctx context.Context) (map[contest.TeamID]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sizes := map[contest.TeamID]int64{}
	for _, log := range m.logs {
		sizes[log.Team] += int64(len(log.Body))
	}
	return sizes, ctx.Err()
}
