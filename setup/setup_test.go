package setup_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"scorebook/diag"
	"scorebook/internal/testkit"
	"scorebook/retrieval"
	"scorebook/setup"
	"scorebook/strict"
)

func parse(text string) (*setup.Setup, *diag.List, bool) {
	var diags diag.List
	s, ok := setup.Parse(strict.NewSource("contest.yaml", strings.NewReader(text), 0), &diags)
	return s, &diags, ok
}

func at(value string, line, column int) setup.Text {
	return setup.Text{Value: value, At: diag.Position{File: "contest.yaml", Line: line, Column: column}}
}

func TestParse(t *testing.T) {
	const text = `name: Chung kết AIC
ground_truth: gt/questions.csv
rules: rules.yaml
limits:
  kis: {time_limit: 240}
  qa: {buffer: 0}
  tr: {time_limit: 0.5, buffer: 12.25}
registration: {mode: code, code: owl, max_teams: 40}
teams:
  - Đội Một
  - name: Team Two
rate_limit: {per_second: 10.5, burst: 20}
reveal: {policy: at_stop}
time_zone: Asia/Ho_Chi_Minh
`
	want := &setup.Setup{
		Name: at("Chung kết AIC", 1, 7), GroundTruth: at("gt/questions.csv", 2, 15), RulesName: at("rules.yaml", 3, 8),
		Limits: map[retrieval.Type]setup.Limits{
			retrieval.KIS: {TimeLimit: 240 * time.Second},
			retrieval.QA:  {HasBuffer: true},
			retrieval.TR:  {TimeLimit: 500 * time.Millisecond, Buffer: 12250 * time.Millisecond, HasBuffer: true},
		},
		Registration: "code", Code: "owl", MaxTeams: 40, Teams: []setup.Team{{Name: at("Đội Một", 10, 5)}, {Name: at("Team Two", 11, 11)}},
		RatePerSec: 10.5, RateBurst: 20, Reveal: "at_stop", TimeZone: at("Asia/Ho_Chi_Minh", 14, 12),
	}
	if got, diags, ok := parse(text); !ok || !reflect.DeepEqual(got, want) || diags.Text() != "" {
		t.Errorf("got %+v, want %+v\n%s", got, want, diags.Text())
	}
	short := strings.NewReplacer("{mode: code, code: owl, max_teams: 40}", "closed", "{policy: at_stop}", "at_stop", "name: Team Two", "Team Two").Replace(text)
	want.Registration, want.Code, want.MaxTeams, want.Teams[1] = "closed", "", 0, setup.Team{Name: at("Team Two", 11, 5)}
	if got, diags, ok := parse(short); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("in short: got %+v, want %+v\n%s", got, want, diags.Text())
	}
}

func TestParseLittle(t *testing.T) {
	want := &setup.Setup{Name: at("x", 1, 7), Limits: map[retrieval.Type]setup.Limits{}}
	if got, diags, ok := parse("name: x\n"); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v\n%s", got, want, diags.Text())
	}
}

func TestParseRules(t *testing.T) {
	s, diags, ok := parse("name: x\nrules:\n  extends: aic-decay\n  fps: 30\n  p_max: 1\n")
	want, _ := retrieval.Preset("aic-decay")
	want.Name, want.FPS, want.PMax = "contest", 30, 1
	want.PBase = 50
	if ok || s.Rules != nil || !strings.HasPrefix(diags.Text(), "contest.yaml:5:10: error: p_max: found 1, expected at least p_base, which is 50 [rules/invalid]\n") {
		t.Errorf("got %+v\n%s", s.Rules, diags.Text())
	}
	s, diags, ok = parse("name: x\nrules:\n  extends: aic-decay\n  fps: 30\n  p_max: 60\n")
	want.PMax = 60
	if !ok || s.Rules == nil || *s.Rules != want || s.RulesName.Value != "" || diags.Text() != "contest.yaml:5:10: warning: p_max: plays no part in mode decay [rules/unused]\n" {
		t.Errorf("got %+v\n%s", s.Rules, diags.Text())
	}
}

func TestParseFaults(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"ground_truth: x.csv\n", "1:1: error: the contest: the name \"name\" is missing [contest/invalid]"},
		{"name: ''\n", "1:7: error: name: found an empty text, expected one [contest/invalid]"},
		{"name: \"a\\tb\"\n", "1:7: error: name: found \"a\\tb\", expected no control characters"},
		{"name: [x]\n", "1:7: error: name: found a list, expected a text"},
		{"name: x\ngroundtruth: y\n", "2:1: error: the contest: found the unknown name \"groundtruth\" [json/unknown-key]\n    hint: did you mean \"ground_truth\"?"},
		{"name: x\nname: y\n", "2:1: error: the name \"name\" occurs twice in one object [json/duplicate-key]\n    contest.yaml:1:1: first here"},
		{"name: x\nground_truth:\n", "2:14: error: ground_truth: found nothing, expected a text"},
		{"name: x\nrules: [a]\n", "2:8: error: rules: found a list, expected a text"},
		{"name: x\nrules:\n  mode: exakt\n", "3:9: error: mode: found \"exakt\""},
		{"name: x\nlimits:\n  vqa: {time_limit: 1}\n", "3:3: error: limits: found the unknown name \"vqa\""},
		{"name: x\nlimits:\n  kis: 300\n", "3:8: error: limits.kis: found 300, expected an object"},
		{"name: x\nlimits:\n  kis: {time_limit: 0}\n", "3:21: error: limits.kis.time_limit: found 0, expected more than 0 seconds"},
		{"name: x\nlimits:\n  qa: {time_limit: 86401}\n", "3:20: error: limits.qa.time_limit: found 86401, expected 0 to 86400"},
		{"name: x\nlimits:\n  tr: {buffer: -1}\n", "3:16: error: limits.tr.buffer: found -1, expected 0 to 3600"},
		{"name: x\nlimits:\n  tr: {buffer: 10s}\n", "3:16: error: limits.tr.buffer: found 10s, expected a number"},
		{"name: x\nregistration: invite\n", "2:15: error: registration: found \"invite\", expected one of open, code, closed, always"},
		{"name: x\nregistration: code\n", "2:15: error: registration: found mode code without a code"},
		{"name: x\nregistration: {mode: code}\n", "2:16: error: registration: found mode code without a code"},
		{"name: x\nregistration: {mode: open, code: owl}\n", "2:34: error: registration.code: found a code with mode open, expected it with mode code only"},
		{"name: x\nregistration: {code: owl}\n", "2:16: error: registration: the name \"mode\" is missing"},
		{"name: x\nregistration: {mode: opn, code: owl}\n", "2:22: error: registration.mode: found \"opn\""},
		{"name: x\nregistration: {mode: open, max_teams: 0}\n", "2:39: error: registration.max_teams: found 0, expected 1 to 1000000"},
		{"name: x\nregistration: {mode: open, max_teams: 1.5}\n", "2:39: error: registration.max_teams: found 1.5, expected a whole number"},
		{"name: x\nteams: One\n", "2:8: error: teams: found One, expected a list"},
		{"name: x\nteams:\n- \n", "3:3: error: a team's name: found nothing, expected a text"},
		{"name: x\nteams:\n- '  '\n", "3:3: error: a team's name: found an empty text"},
		{"name: x\nteams:\n- One\n- ONE\n", "4:3: error: the team \"ONE\" occurs twice [contest/team]\n    contest.yaml:3:3: first here"},
		{"name: x\nteams:\n- \"\\u0110\\u00f4\"\n- {name: \"\\u0111o\\u0302\"}\n", "4:10: error: the team \"đo\u0302\" occurs twice [contest/team]\n    contest.yaml:3:3: first here"},
		{"name: x\nteams:\n- {name: One, token: abc}\n", "3:15: error: a team: found the unknown name \"token\""},
		{"name: x\nteams:\n- {name: One, password: [open-sesame]}\n", "3:25: error: a team's password: found something else, expected a text"},
		{"name: x\nteams:\n- {nmae: One}\n", "3:4: error: a team: found the unknown name \"nmae\""},
		{"name: x\nrate_limit: 10\n", "2:13: error: rate_limit: found 10, expected an object"},
		{"name: x\nrate_limit: {per_second: 10}\n", "2:14: error: rate_limit: the name \"burst\" is missing"},
		{"name: x\nrate_limit: {per_second: 0, burst: 1}\n", "2:26: error: rate_limit.per_second: found 0, expected 0.01 to 1000000"},
		{"name: x\nrate_limit: {per_second: 1, burst: 0}\n", "2:36: error: rate_limit.burst: found 0, expected 1 to 1000000"},
		{"name: x\nreveal: always\n", "2:9: error: reveal: found \"always\", expected one of manual, at_stop"},
		{"name: x\nreveal: {}\n", "2:9: error: reveal: the name \"policy\" is missing"},
		{"name: x\nreveal: {policy: no}\n", "2:18: error: reveal.policy: found \"no\", expected one of manual, at_stop"},
		{"name: x\nlanguage: fr\n", "2:1: error: the contest: found the unknown name \"language\""},
		{"name: *x\n", "1:7: error: found an alias, expected plain names and values [yaml/syntax]"},
		{"", "1:1: error: found an empty document"},
	} {
		_, diags, ok := parse(test.text)
		if want := "contest.yaml:" + test.want; ok || diags.Errors() < 1 || !strings.HasPrefix(diags.Text(), want) {
			t.Errorf("%q: got\n%swant\n%s", test.text, diags.Text(), want)
		}
	}
	_, diags, _ := parse("nmae: x\nground_truth: ''\nlimits: {kis: {time_limit: 0}, x: 1}\nregistration: never\nteams: [a, A, '']\nrate_limit: 1\nlanguage: de\n")
	if diags.Errors() != 10 {
		t.Errorf("not all faults are told:\n%s", diags.Text())
	}
}

func TestParsePasswords(t *testing.T) {
	for _, text := range []string{
		"name: x\nteams:\n- One\n- {name: Two, password: open sesame}\n", `{"name": "x", "teams": ["One", {"name": "Two", "password": "open sesame"}]}`,
	} {
		s, diags, ok := parse(text)
		if !ok || len(s.Teams) != 2 || s.Teams[0].Password.Value != "" || s.Teams[1].Password.Value != "open sesame" || s.Teams[1].Password.At.Line == 0 {
			t.Errorf("%q: got %+v, %s", text, s, diags.Text())
		}
	}
	if _, diags, ok := parse(`{"name": "x", "teams": [{"name": "Two", "password": 12345678}]}`); ok || strings.Contains(diags.Text(), "1234") {
		t.Errorf("got %s", diags.Text())
	}
}

// No message shows the invite code.
func TestParseKeepsTheCode(t *testing.T) {
	_, diags, _ := parse("name: x\nregistration: {mode: open, code: open-sesame, max_teams: 0}\n")
	_, more, _ := parse("name: x\nregistration: {mode: open, code: open-sesame}\n")
	if text := diags.Text() + more.Text(); strings.Contains(text, "sesame") || text == "" {
		t.Errorf("got\n%s", text)
	}
}

// The examples of the manual are read as they stand there.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(manual), "```") {
		if text, yaml := strings.CutPrefix(part, "yaml\n"); yaml && i%2 == 1 {
			blocks = append(blocks, text)
		}
	}
	contests, rulesets := 0, 0
	for _, text := range blocks {
		var diags diag.List
		src := strict.NewSource("docs/rules.md", strings.NewReader(text), 0)
		if strings.Contains(text, "ground_truth:") {
			contests++
			setup.Parse(src, &diags)
		} else {
			rulesets++
			retrieval.ParseRuleset(src, &diags, "example")
		}
		if diags.Text() != "" {
			t.Errorf("%s\n%s", text, diags.Text())
		}
	}
	if contests < 2 || rulesets < 2 {
		t.Errorf("found %d contest files and %d rulesets", contests, rulesets)
	}
	for _, name := range retrieval.Presets() {
		rules, _ := retrieval.Preset(name)
		var b strings.Builder
		if err := retrieval.WriteRuleset(&b, &rules); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if key, _, _ := strings.Cut(strings.TrimLeft(line, "# "), ":"); !strings.Contains(string(manual), "`"+key+"`") && !strings.Contains(string(manual), "."+key+"`") {
				t.Errorf("docs/rules.md does not tell of %s", key)
			}
		}
	}
}

func FuzzSetup(f *testing.F) {
	for _, seed := range []string{
		"", "name: x\n", "name: x\nrules: {mode: decay}\nteams: [a, A, {name: b}]\n", `{"name":"x","limits":{"tr":{"buffer":0}}}`,
		"name: x\nregistration: {mode: code, code: y}\nrate_limit: {per_second: 1, burst: 2}\nreveal: at_stop\ntime_zone: UTC\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, diags, ok := parse(text)
		for _, d := range diags.Kept() {
			if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
				t.Fatalf("%q: %s", text, d.Text())
			}
		}
		if !ok {
			return
		}
		if s.Name.Value == "" || (s.Registration == "code") != (s.Code != "") || (s.RatePerSec > 0) != (s.RateBurst > 0) || s.Rules != nil && s.Rules.Validate() != nil {
			t.Fatalf("%q reads as %+v", text, s)
		}
		for _, team := range s.Teams {
			if team.Name.Value == "" || team.Name.At.Line == 0 {
				t.Fatalf("%q has the team %+v", text, team)
			}
		}
	})
}
