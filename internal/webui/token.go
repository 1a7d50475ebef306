package webui

import (
	"crypto/rand"
	"encoding/hex"

	"scorebook/contest"
)

// newToken makes a team's token: 128 random bits. Only its hash is kept.
func newToken() string { return random(16) }

func newTeamID() contest.TeamID { return contest.TeamID("t" + random(6)) }

func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
