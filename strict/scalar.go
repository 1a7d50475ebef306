package strict

import (
	"slices"
	"strconv"
	"strings"

	"scorebook/diag"
)

// String reads the node as a text. In YAML a value without quotes is the text
// as it is written, so 2026-01-17, no and 0x10 are texts; only what says that
// there is nothing, such as null, is none. In JSON a text has quotes.
func (n *Node) String(what string) (text string, ok bool) {
	if n.kind != nodeScalar || n.tree.isJSON && !n.quoted {
		n.other(what, "a text")
		return "", false
	}
	return n.text, true
}

// Secret reads the node as a text that no message repeats.
func (n *Node) Secret(what string) (text string, ok bool) {
	if n.kind != nodeScalar || n.tree.isJSON && !n.quoted {
		n.Report(n.tree.shape, "%s: found something else, expected a text", what)
		return "", false
	}
	return n.text, true
}

// Word reads the node as one of a few words.
func (n *Node) Word(what string, words ...string) (word string, ok bool) {
	word, ok = n.String(what)
	if !ok || slices.Contains(words, word) {
		return word, ok
	}
	d := diag.At(n.Position(), n.tree.shape, "%s: found %s, expected one of %s", what, quote(word), strings.Join(words, ", "))
	if near, found := Nearest(word, words); found {
		d = d.WithHint("did you mean %q?", near)
	}
	n.tree.diags.Add(d)
	return "", false
}

// Number reads the node as a number from least to most, written as in JSON.
func (n *Node) Number(what string, least, most float64) (value float64, ok bool) {
	number, ok := ParseNumber(n.text)
	if n.kind != nodeScalar || n.quoted || !ok {
		n.other(what, "a number such as 25 or 0.5")
		return 0, false
	}
	value = number.Float64()
	if value < least || value > most {
		plain := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
		n.Report(n.tree.shape, "%s: found %s, expected %s to %s", what, excerpt([]byte(n.text)), plain(least), plain(most))
		return 0, false
	}
	return value, true
}

// Int reads the node as a whole number from least to most, both of which a
// float64 must hold exactly.
func (n *Node) Int(what string, least, most int) (value int, ok bool) {
	number, ok := n.Number(what, float64(least), float64(most))
	if ok && number != float64(int(number)) {
		n.Report(n.tree.shape, "%s: found %s, expected a whole number", what, excerpt([]byte(n.text)))
		return 0, false
	}
	return int(number), ok
}

// Bool reads the node as true or false; yes, on and True are neither.
func (n *Node) Bool(what string) (value, ok bool) {
	if n.kind != nodeScalar || n.quoted || n.text != "true" && n.text != "false" {
		n.other(what, "true or false")
		return false, false
	}
	return n.text == "true", true
}
