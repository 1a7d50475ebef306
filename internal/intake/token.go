package intake

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// tokenNames are the members of a body that hold the team's token.
var tokenNames = []string{"teamSessionId", "team_session_id", "session"}

// mayHoldToken reports whether a member of a body may hold a token: all their names
// have "session" in them, unless it is written with escapes.
func mayHoldToken(raw []byte) bool {
	const name = "session"
	if bytes.IndexByte(raw, '\\') >= 0 {
		return true
	}
	for i := 0; i+len(name) <= len(raw); i++ {
		if raw[i]|0x20 == name[0] && strings.EqualFold(string(raw[i:i+len(name)]), name) {
			return true
		}
	}
	return false
}

// WithoutToken returns a body as it is recorded: as sent, but for the token,
// which nobody who reads the journal is to have. The body was parsed before.
func WithoutToken(raw []byte) string {
	if !mayHoldToken(raw) {
		return string(raw)
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.ReadToken(); err != nil {
		return ""
	}
	var kept bytes.Buffer
	from := int64(0)
	for decoder.PeekKind() == '"' {
		member, err := decoder.ReadToken()
		if err != nil {
			return ""
		}
		held := false
		for _, name := range tokenNames {
			held = held || strings.EqualFold(member.String(), name)
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return ""
		}
		if end := decoder.InputOffset(); held {
			kept.Write(raw[from : end-int64(len(value))])
			kept.WriteString(`"-"`)
			from = end
		}
	}
	kept.Write(raw[from:])
	return kept.String()
}
