package intake

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// tokenNames are the members of a body that hold the team's token.
var tokenNames = []string{"teamSessionId", "team_session_id", "session"}

// WithoutToken returns a body as it is recorded: as sent, but for the token,
// which nobody who reads the journal is to have. The body was parsed before.
func WithoutToken(raw []byte) string {
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
