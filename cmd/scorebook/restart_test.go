package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// evening is a folder with a contest in it.
type evening struct {
	dir, db, config, tokens string
}

func newEvening(t *testing.T) evening {
	dir := t.TempDir()
	e := evening{dir, filepath.Join(dir, "contest.db"), filepath.Join(dir, "contest.yaml"), filepath.Join(dir, "tokens.txt")}
	writeFile(t, filepath.Join(dir, "questions.csv"), "id,type,scene_id,video_id,points,answer\n1,KIS,K14,V026,370000-386000,\n2,QA,,V003,340000-380000,\n3,TR,K02,V005,1-2-3-4,\n")
	e.write(t, "One", "Đội Hai")
	return e
}

// write makes the contest file.
func (e evening) write(t *testing.T, teams ...string) {
	t.Helper()
	writeFile(t, e.config, "name: Evening\nground_truth: questions.csv\nlimits: {kis: {time_limit: 240}}\nregistration: {mode: code, code: owl}\ntime_zone: Asia/Ho_Chi_Minh\nteams: ["+strings.Join(teams, ", ")+"]\n")
}

func (e evening) args(more ...string) []string {
	return append([]string{"serve", "--config", e.config, "--db", e.db, "--listen", "127.0.0.1:0"}, more...)
}

// head returns the number of the journal's last event.
func (e evening) head(t *testing.T) (seq int) {
	t.Helper()
	code, stdout, stderr := start(t, "verify", "--db", e.db)
	_, after, _ := strings.Cut(stdout, "head ")
	if _, err := fmt.Sscan(after, &seq); code != 0 || err != nil {
		t.Fatalf("verify: exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	return seq
}

// tokenOf returns the token of a team from a table of tokens.
func tokenOf(t *testing.T, table, team string) string {
	t.Helper()
	for line := range strings.Lines(table) {
		if token, name, _ := strings.Cut(strings.TrimSpace(line), "  "); name == team {
			return token
		}
	}
	t.Fatalf("there is no token of %s:\n%s", team, table)
	return ""
}

// A contest goes on after a restart as it was: nothing is configured twice, and
// what the organiser did since is not undone.
func TestRestart(t *testing.T) {
	e := newEvening(t)
	server := begin(t, e.args("--tokens", e.tokens)...)
	table, err := os.ReadFile(e.tokens)
	if err != nil {
		t.Fatal(err)
	}
	one := tokenOf(t, string(table), "One")
	if info, err := os.Stat(e.tokens); err != nil || info.Mode().Perm() != 0o600 || strings.Contains(server.stdout.String(), one) {
		t.Errorf("the tokens are open to others: %v, %v\n%s", info.Mode(), err, server.stdout)
	}
	must(t, http.MethodGet, server.base+"/teams/me", one, nil)
	must(t, http.MethodPost, server.base+"/admin/registration", testAdminToken, map[string]any{"mode": "closed"})
	if code := server.stop(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, server.stderr)
	}

	before := e.head(t)
	server = begin(t, e.args("--tokens", e.tokens)...)
	registration := func() string {
		return fmt.Sprint(must(t, http.MethodGet, server.base+"/config", "", nil)["registration"])
	}
	if got := registration(); !strings.Contains(got, "closed") {
		t.Errorf("registration is %s after the restart", got)
	}
	server.stop(t)
	if after := e.head(t); after != before {
		t.Errorf("a restart made %d events", after-before)
	}

	e.write(t, "One", "Đội Hai", "Three")
	text, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, e.config, strings.Replace(string(text), "mode: code, code: owl", "mode: always", 1))
	server = begin(t, e.args("--tokens", e.tokens)...)
	table, err = os.ReadFile(e.tokens)
	if err != nil {
		t.Fatal(err)
	}
	must(t, http.MethodGet, server.base+"/teams/me", tokenOf(t, string(table), "Three"), nil)
	if again := tokenOf(t, string(table), "One"); again != one {
		t.Errorf("the token of One was %s and is %s", one, again)
	}
	if got := registration(); !strings.Contains(got, "always") {
		t.Errorf("registration is %s, the contest file says always", got)
	}
	server.stop(t)
	if after := e.head(t); after != before+2 {
		t.Errorf("a new team and other settings made %d events", after-before)
	}
}

// What can be done with a database that a server has open, and what cannot.
func TestWhileServing(t *testing.T) {
	e := newEvening(t)
	server := begin(t, e.args()...)
	must(t, http.MethodGet, server.base+"/teams/me", tokenOf(t, server.stdout.String(), "Đội Hai"), nil)
	zip, backup := filepath.Join(e.dir, "out.zip"), filepath.Join(e.dir, "backup.db")
	for _, test := range []struct {
		code  int
		tells string
		args  []string
	}{
		{0, "the journal is whole", []string{"verify", "--db", e.db}},
		{0, "wrote", []string{"export", "--db", e.db, "--output", zip}},
		{0, "wrote", []string{"backup", "--db", e.db, "--output", backup}},
		{0, "the journal is whole", []string{"verify", "--db", backup}},
		{0, "0 of 2 teams change", []string{"rescore", "--db", e.db, "--rules", "aic2025-exact"}},
		{4, "uses this database", []string{"rescore", "--db", e.db, "--rules", "aic2025-exact", "--apply", "--reason", "test"}},
		{4, "uses this database", []string{"token", "rotate", "--db", e.db}},
		{4, "uses this database", e.args()},
		{2, "is one of the inputs", []string{"export", "--db", e.db, "--output", e.db}},
		{2, "is one of the inputs", []string{"export", "--db", e.db, "--output", e.db + "-wal"}},
	} {
		code, stdout, stderr := start(t, test.args...)
		if code != test.code || !strings.Contains(stdout+stderr, test.tells) {
			t.Errorf("%q: exit code %d, expected %d and %q\n%s%s", test.args, code, test.code, test.tells, stdout, stderr)
		}
	}
	must(t, http.MethodGet, server.base+"/config", "", nil)
	server.stop(t)
	for _, args := range [][]string{e.args("--tokens", e.config), e.args("--tokens", e.db)} {
		e.write(t, "One", "Đội Hai", "Three")
		if code, _, stderr := start(t, args...); code != 2 || !strings.Contains(stderr, "is one of the inputs") {
			t.Errorf("%q: exit code %d\n%s", args, code, stderr)
		}
	}
}

// An admin token that nobody gave is made once, shown once, and kept.
func TestAdminToken(t *testing.T) {
	e := newEvening(t)
	server := beginAs(t, "", e.args()...)
	text, err := os.ReadFile(adminFile(e.db))
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(text))
	if info, err := os.Stat(adminFile(e.db)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the admin token is open to others: %v, %v", info.Mode(), err)
	}
	if !strings.Contains(server.stdout.String(), token) || strings.Contains(server.stderr.String(), token) {
		t.Errorf("expected the token on stdout and not in the log:\n%s%s", server.stdout, server.stderr)
	}
	must(t, http.MethodGet, server.base+"/admin/sessions", token, nil)
	server.stop(t)
	server = beginAs(t, "", e.args()...)
	if strings.Contains(server.stdout.String(), token) {
		t.Errorf("the token is shown again:\n%s", server.stdout)
	}
	must(t, http.MethodGet, server.base+"/admin/sessions", token, nil)
	server.stop(t)
	if code, stdout, stderr := start(t, "token", "rotate", "--quiet", "--db", e.db); code != 0 || strings.Contains(stdout, token) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	} else {
		token = strings.Fields(stdout)[2]
	}
	server = beginAs(t, "", e.args()...)
	must(t, http.MethodGet, server.base+"/admin/sessions", token, nil)
	server.stop(t)
	t.Setenv(adminVariable, "short")
	if code, _, stderr := start(t, e.args()...); code != 2 || !strings.Contains(stderr, "found 5 characters, expected at least 16") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// Rules that nobody names are those of the journal. Those that it has replaced
// are told and left, and a contest evening goes on; others are refused.
func TestRestartAfterRescore(t *testing.T) {
	e := newEvening(t)
	begin(t, e.args("--rules", "aic2025")...).stop(t)
	if code, _, stderr := start(t, "rescore", "--db", e.db, "--rules", "aic2025-exact", "--apply", "--reason", "test"); code != 0 {
		t.Fatal(stderr)
	}
	before := e.head(t)
	begin(t, e.args()...).stop(t)
	server := begin(t, e.args("--rules", "aic2025")...)
	server.stop(t)
	if log := server.stderr.String(); !strings.Contains(log, "has been replaced since") || !strings.Contains(log, "aic2025-exact") {
		t.Errorf("older rules are not told:\n%s", log)
	}
	if after := e.head(t); after != before {
		t.Errorf("restarts made %d events", after-before)
	}
	code, _, stderr := start(t, e.args("--rules", "aic-decay")...)
	if code != 2 || !strings.Contains(stderr, `plays with other rules: found "aic-decay" with the digest`) || !strings.Contains(stderr, `expected "aic2025-exact"`) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// A team that got another name is not registered a second time.
func TestRestartAfterRename(t *testing.T) {
	e := newEvening(t)
	server := begin(t, e.args()...)
	me := must(t, http.MethodGet, server.base+"/teams/me", tokenOf(t, server.stdout.String(), "One"), nil)
	must(t, http.MethodPost, server.base+"/admin/teams/"+fmt.Sprint(me["team_id"])+"/rename", testAdminToken, map[string]any{"team_name": "Uno"})
	server.stop(t)
	before := e.head(t)
	begin(t, e.args()...).stop(t)
	if after := e.head(t); after != before {
		t.Errorf("the restart made %d events", after-before)
	}
}
