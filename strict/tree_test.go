package strict_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/diag"
	"scorebook/strict"
)

// plan is what the documents of these tests describe.
type plan struct {
	name   string
	mode   string
	factor float64
	count  int
	flag   bool
	tags   []string
}

func readPlan(text string) (p plan, diags *diag.List, ok bool) {
	diags = &diag.List{}
	root, ok := strict.ReadTree(strict.NewSource("in.yaml", strings.NewReader(text), 0), diags, codeShape)
	if !ok {
		return plan{}, diags, false
	}
	root.Object("the plan",
		strict.Member{Name: "name", Required: true, Read: func(n *strict.Node) { p.name, _ = n.String("name") }},
		strict.Member{Name: "mode", Read: func(n *strict.Node) { p.mode, _ = n.Word("mode", "open", "closed") }},
		strict.Member{Name: "factor", Read: func(n *strict.Node) { p.factor, _ = n.Number("factor", 0, 1e9) }},
		strict.Member{Name: "count", Read: func(n *strict.Node) { p.count, _ = n.Int("count", 0, 1000) }},
		strict.Member{Name: "flag", Read: func(n *strict.Node) { p.flag, _ = n.Bool("flag") }},
		strict.Member{Name: "tags", Read: func(n *strict.Node) {
			n.List("tags", func(n *strict.Node) {
				tag, _ := n.String("a tag")
				p.tags = append(p.tags, tag)
			})
		}},
	)
	ok = diags.OK()
	return p, diags, ok
}

func samePlan(a, b plan) bool {
	tags := slices.Equal(a.tags, b.tags)
	a.tags, b.tags = nil, nil
	return tags && fmt.Sprint(a) == fmt.Sprint(b)
}

func TestTreeForms(t *testing.T) {
	want := plan{"Chung kết", "open", 0.5, 3, true, []string{"a b", "no"}}
	for name, text := range map[string]string{
		"YAML":           "name: Chung kết\nmode: open\nfactor: 0.5\ncount: 3\nflag: true\ntags:\n  - a b\n  - no\n",
		"another order":  "tags: [a b, no]\nflag: true\ncount: 3\nfactor: 0.5\nmode: open\nname: Chung kết",
		"YAML of braces": "# a plan\n{name: Chung kết, mode: open, factor: 0.5, count: 3, flag: true, tags: [a b, no]}\n",
		"quotes":         "\"name\": 'Chung kết'\n'mode': \"open\"\nfactor: 0.5\ncount: 3\nflag: true\ntags: ['a b', \"n\\u006f\"]\n",
		"comments":       "# one\nname: Chung kết # two\nmode: open\nfactor: 0.5\n\n# three\ncount: 3\nflag: true\ntags:\n# four\n- a b\n- no # five\n",
		"BOM and CRLF":   "\ufeffname: Chung kết\r\nmode: open\r\nfactor: 0.5\r\ncount: 3\r\nflag: true\r\ntags:\r\n- a b\r\n- no\r\n",
		"marks":          "---\nname: Chung kết\nmode: open\nfactor: 5e-1\ncount: 3.0\nflag: true\ntags: [a b, no]\n...\n",
		"JSON":           `{"name":"Chung kết","mode":"open","factor":0.5,"count":3,"flag":true,"tags":["a b","no"]}`,
		"JSON, indented": "\n{\n\t\"name\": \"Chung k\\u1ebft\",\n\t\"mode\": \"open\", \"factor\": 0.5, \"count\": 3, \"flag\": true, \"tags\": [\"a b\", \"no\"]\n}\n",
	} {
		if got, diags, ok := readPlan(text); !ok || !samePlan(got, want) {
			t.Errorf("%s: got %+v\n%s", name, got, diags.Text())
		}
	}
}

// What other readers take for numbers, truths and dates is the text that stands
// there.
func TestTreePlainTexts(t *testing.T) {
	for _, text := range []string{
		"no", "on", "Yes", "y", "012", "0x10", "1e3", "0.10", "1_000", "2026-01-17", "2026-01-17T08:00:00Z", ".inf", ".nan", "+1", "12:30",
		"true", "True", "a:b", "a b", "a#b", "<<", "-1", "1.", "=", "Đội 1", "'quoted'",
	} {
		written := text
		if text[0] == '\'' {
			text = "quoted"
		}
		if got, diags, ok := readPlan("name: " + written + "\n"); !ok || got.name != text {
			t.Errorf("%s reads as %q\n%s", written, got.name, diags.Text())
		}
	}
}

func TestTreeFaults(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown name", "name: x\nfacter: 1\n", `in.yaml:2:1: error: the plan: found the unknown name "facter" [json/unknown-key]` + "\n    hint: did you mean \"factor\"?\n"},
		{"unknown name, nothing near", "name: x\nzzzzzz: 1\n", "in.yaml:2:1: error: the plan: found the unknown name \"zzzzzz\" [json/unknown-key]\n    hint: known names: name, mode"},
		{"another case", "Name: x\nname: x\n", `in.yaml:1:1: error: the plan: found the name "Name", expected "name" [json/key-case]`},
		{"twice", "name: x\ntags: [a]\nname: y\n", "in.yaml:3:1: error: the name \"name\" occurs twice in one object [json/duplicate-key]\n    in.yaml:1:1: first here\n"},
		{"twice, in JSON", `{"name":"x","name":"y"}`, "in.yaml:1:13: error: the name \"name\" occurs twice in one object [json/duplicate-key]\n    in.yaml:1:2: first here\n"},
		{"missing", "mode: open\n", `in.yaml:1:1: error: the plan: the name "name" is missing [test/shape]`},
		{"a list", "- name: x\n", "in.yaml:1:1: error: the plan: found a list, expected an object, that is names with values"},
		{"no blank behind a colon", "name:x\n", "in.yaml:1:1: error: the plan: found name:x, expected an object, that is names with values"},
		{"nothing", "name:\nmode: open\n", "in.yaml:1:6: error: name: found nothing, expected a text"},
		{"null", "name: null\n", "in.yaml:1:7: error: name: found nothing, expected a text"},
		{"a list for a text", "name: [x]\n", "in.yaml:1:7: error: name: found a list, expected a text"},
		{"an object for a text", "name:\n  x: y\n", "in.yaml:2:3: error: name: found an object, expected a text"},
		{"a number for a text, in JSON", `{"name": 7}`, "in.yaml:1:10: error: name: found 7, expected a text"},
		{"a text for a list", "name: x\ntags: a\n", "in.yaml:2:7: error: tags: found a, expected a list"},
		{"another word", "name: x\nmode: opn\n", "in.yaml:2:7: error: mode: found \"opn\", expected one of open, closed [test/shape]\n    hint: did you mean \"open\"?\n"},
		{"a quoted number", "name: x\nfactor: '1'\n", `in.yaml:2:9: error: factor: found the text "1", expected a number such as 25 or 0.5`},
		{"a number with a unit", "name: x\nfactor: 5s\n", "in.yaml:2:9: error: factor: found 5s, expected a number"},
		{"hexadecimal", "name: x\nfactor: 0x10\n", "in.yaml:2:9: error: factor: found 0x10, expected a number"},
		{"octal", "name: x\nfactor: 012\n", "in.yaml:2:9: error: factor: found 012, expected a number"},
		{"underscore", "name: x\nfactor: 1_000\n", "in.yaml:2:9: error: factor: found 1_000, expected a number"},
		{"decimal comma", "name: x\nfactor: 0,5\n", "in.yaml:2:9: error: factor: found 0,5, expected a number"},
		{"infinity", "name: x\nfactor: .inf\n", "in.yaml:2:9: error: factor: found .inf, expected a number"},
		{"not a number", "name: x\nfactor: .NaN\n", "in.yaml:2:9: error: factor: found .NaN, expected a number"},
		{"overflow", "name: x\nfactor: 1e999\n", "in.yaml:2:9: error: factor: found 1e999, expected a number"},
		{"too small", "name: x\nfactor: -1\n", "in.yaml:2:9: error: factor: found -1, expected 0 to 1000000000"},
		{"too large", "name: x\ncount: 1001\n", "in.yaml:2:8: error: count: found 1001, expected 0 to 1000"},
		{"a fraction", "name: x\ncount: 1.5\n", "in.yaml:2:8: error: count: found 1.5, expected a whole number"},
		{"yes", "name: x\nflag: yes\n", "in.yaml:2:7: error: flag: found yes, expected true or false"},
		{"True", "name: x\nflag: True\n", "in.yaml:2:7: error: flag: found True, expected true or false"},
		{"YAML of braces at the start", "{mode: x}", "in.yaml:1:2: error: invalid character 'm' at start of value [json/syntax]"},
		{"columns are bytes", "# x\n{name: \"ệ\", mode: x}", "in.yaml:2:21: error: mode: found \"x\""},
		{"anchor", "name: &a x\n", "in.yaml:1:7: error: found an anchor, expected plain names and values [yaml/syntax]"},
		{"alias", "name: x\nmode: *a\n", "in.yaml:2:7: error: found an alias, expected plain names and values"},
		{"tag", "name: !!str x\n", "in.yaml:1:7: error: found a tag, expected plain names and values"},
		{"merge", "<<: {mode: open}\nname: x\n", "in.yaml:1:1: error: found a mergekey for a name, expected a plain text"},
		{"question mark", "? name\n: x\n", "in.yaml:1:1: error: found a name behind a question mark"},
		{"directive", "%YAML 1.2\n---\nname: x\n", "in.yaml:1:1: error: found a directive"},
		{"second document", "name: x\n---\nname: y\n", "in.yaml:2:1: error: found a second document, expected one"},
		{"more behind the end", "name: x\n...\nname: y\n", "in.yaml:2:1: error: found more after the end of the document"},
		{"text of two lines", "name: x\n  y\n", "in.yaml:1:7: error: found a text over several lines without quotes"},
		{"tab", "name: x\ntags:\n\t- a\n", "in.yaml:3:1: error: found no YAML that can be read"},
		{"wrong indentation", "name: x\n  mode: open\n", "in.yaml:1:7: error: found no YAML that can be read"},
		{"open bracket", "name: x\ntags: [a\n", "in.yaml:2:7: error: found no YAML that can be read"},
		{"empty", "", "in.yaml:1:1: error: found an empty document, expected names with values"},
		{"only a comment", "# nothing\n", "in.yaml:1:1: error: found an empty document, expected names with values"},
		{"not UTF-8", "name: x\nmode: \xff\n", "in.yaml:2:7: error: found a byte that is not UTF-8, expected text"},
		{"control character", "name: x\x1b[2J\n", "in.yaml:1:8: error: found a control character, expected text"},
		{"carriage return", "name: x\rmode: open\n", "in.yaml:1:8: error: found a carriage return without a line feed"},
		{"deep brackets", "name: " + strings.Repeat("[", 1000), "in.yaml:1:39: error: found a value in more than 32 others, expected fewer"},
		{"deep dashes", strings.Repeat("- ", 100000), "in.yaml:1:65: error: found a value in more than 32 others, expected fewer"},
		{"deep lines", deepLines(40), "in.yaml:34:35: error: found a value in more than 32 others, expected fewer"},
		{"deep, in JSON", strings.Repeat("[", 40) + strings.Repeat("]", 40), "in.yaml:1:34: error: found a value in more than 32 others, expected fewer"},
		{"wide", strings.Repeat("name: x\n", 1001), "in.yaml:1001:5: error: found an object with more than 1000 names, expected fewer"},
		{"large", strings.Repeat("#\n", 1<<19) + "\n", "in.yaml: error: found more than 1048576 bytes, expected a file that a person wrote [input/too-large]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags, ok := readPlan(test.text)
			if ok || !strings.HasPrefix(diags.Text(), test.want) {
				t.Errorf("got\n%s\nwant\n%s", diags.Text(), test.want)
			}
			checkPositions(t, test.text, diags)
		})
	}
}

func deepLines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestTreeReadsOn(t *testing.T) {
	_, diags, ok := readPlan("mode: opne\nfactor: x\ncount: 1.5\nflag: no\ntags: [[], {}, a]\nnmae: x\n")
	if ok || diags.Errors() != 8 { // with the name that is missing
		t.Errorf("%d faults:\n%s", diags.Errors(), diags.Text())
	}
}

func TestTreeSourceFailure(t *testing.T) {
	var diags diag.List
	src := strict.NewSource("in.yaml", strings.NewReader("name: x\n"), 4)
	if _, ok := strict.ReadTree(src, &diags, codeShape); ok || !strings.Contains(diags.Text(), "input/too-large") {
		t.Errorf("the bound of the source: %t\n%s", ok, diags.Text())
	}
}

// writePlan writes a plan as YAML.
func writePlan(p plan) string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	text := fmt.Sprintf("name: %s\nfactor: %v\ncount: %d\nflag: %t\n", quote(p.name), p.factor, p.count, p.flag)
	if p.mode != "" {
		text += "mode: " + p.mode + "\n"
	}
	for i, tag := range p.tags {
		if i == 0 {
			text += "tags:\n"
		}
		text += "- " + quote(tag) + "\n"
	}
	return text
}

func TestTreeReadsWhatIsWritten(t *testing.T) {
	line := rapid.StringMatching(`[ -~À-ỹ東京]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		want := plan{
			name: line.Draw(t, "name"), mode: rapid.SampledFrom([]string{"", "open", "closed"}).Draw(t, "mode"),
			factor: rapid.Float64Range(0, 1e9).Draw(t, "factor"), count: rapid.IntRange(0, 1000).Draw(t, "count"), flag: rapid.Bool().Draw(t, "flag"),
			tags: rapid.SliceOfN(line, 0, 5).Draw(t, "tags"),
		}
		got, diags, ok := readPlan(writePlan(want))
		if !ok || !samePlan(got, want) {
			t.Fatalf("%q reads as %+v, not %+v\n%s", writePlan(want), got, want, diags.Text())
		}
	})
}

func FuzzTree(f *testing.F) {
	for _, seed := range []string{
		"", "name: x\n", "name: x\nmode: open\nfactor: 0.5\ncount: 3\nflag: true\ntags: [a, 'b', \"c\"]\n", `{"name":"x","tags":["a"]}`,
		"name: |\n  x\n  y\n", "name: >-\n  x\n", "---\nname: x\n...\n", "name: 'it''s'\ntags:\n- a\n-\n  b\n", "a:\n  - b: {c: [d]}\n", "? x\n: y\n",
		"&a *b !c", "\ufeffname: é\r\n", "name: \"\\x41\\u00e9\\U0001F642\"", "[[[[", "- - - -", "<<: *a", "%YAML 1.2\n---\n", "name: x # y\n#z\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, diags, ok := readPlan(text)
		checkPositions(t, text, diags)
		if !ok {
			return
		}
		written := planJSON(t, p)
		again, diags, ok := readPlan(written)
		if !ok || !samePlan(again, p) {
			t.Fatalf("%s reads as %+v, not %+v\n%s", written, again, p, diags.Text())
		}
	})
}

// planJSON writes a plan as JSON, which can hold every text.
func planJSON(t *testing.T, p plan) string {
	t.Helper()
	members := map[string]any{"name": p.name, "factor": p.factor, "count": p.count, "flag": p.flag, "tags": p.tags}
	if p.mode != "" {
		members["mode"] = p.mode
	}
	if p.tags == nil {
		delete(members, "tags")
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
