package retrieval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Digest returns the SHA-256, in hexadecimal, of the JSON of all parameters in
// the order of the fields of [Ruleset]. The name is one of them: results show
// it, so rules under another name are other rules.
func (r *Ruleset) Digest() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a ruleset holds strings and finite numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// WriteRuleset writes a ruleset with all its parameters as YAML from which
// ParseRuleset reads an equal one. A parameter that the mode does not use and
// that has its default stands in a comment, since it would be warned of.
func WriteRuleset(w io.Writer, r *Ruleset) error {
	plain, _ := Preset(DefaultPreset)
	var b strings.Builder
	fmt.Fprintf(&b, "name: '%s'\n", strings.ReplaceAll(r.Name, "'", "''"))
	live := map[string]bool{}
	for _, p := range parameters {
		group, _, _ := strings.Cut(p.name, ".")
		live[p.name] = p.used(r.Mode) || p.text(r) != p.text(&plain)
		live[group] = live[group] || live[p.name]
	}
	var group string
	for _, p := range parameters {
		before, name, nested := strings.Cut(p.name, ".")
		switch {
		case !nested:
			fmt.Fprintf(&b, "%s%s: %s\n", comment(live[p.name]), p.name, p.text(r))
			continue
		case group != before:
			group = before
			fmt.Fprintf(&b, "%s%s:\n", comment(live[group]), group)
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", comment(live[p.name]), name, p.text(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// comment returns what stands before a line.
func comment(live bool) string {
	if live {
		return ""
	}
	return "# "
}
