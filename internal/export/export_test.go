package export_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/export"
	"scorebook/internal/journal"
	"scorebook/retrieval"
)

// evening returns a contest with a hostile name, a simulated team and a void
// attempt.
func evening(t *testing.T) (journal.Log, *contest.State) {
	t.Helper()
	log, state, now := journal.NewMemory(), &contest.State{}, time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
	rules, _ := retrieval.Preset("aic2025")
	settings := contest.DefaultSettings()
	settings.CodeHash = "hash of the invite code"
	do := func(command contest.Command) {
		t.Helper()
		events, refused := state.Decide(command, now)
		if refused != nil {
			t.Fatal(refused)
		}
		for _, event := range events {
			r := contest.Recorded{Seq: state.Seq() + 1, At: now, Event: event}
			if _, err := log.Append(t.Context(), state.Seq(), []contest.Recorded{r}); err != nil {
				t.Fatal(err)
			}
			if err := state.Apply(r); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(time.Second)
	}
	do(contest.Open{Contest: "c", Settings: settings, Rules: rules, Questions: []retrieval.Question{
		{ID: "1", Type: retrieval.KIS, Scene: "K14", Video: "V026", Events: []retrieval.Event{{Start: 1000, End: 2000}}},
	}})
	for i, name := range []string{"=HYPERLINK(\"http://evil\")", "Đội, \"Một\"", "Rival"} {
		do(contest.Register{ID: contest.TeamID(fmt.Sprint("t", i)), Name: name, TokenHash: fmt.Sprint(i), Organiser: true, Simulated: name == "Rival"})
	}
	submit := func(team contest.TeamID, value float64) {
		do(contest.Submit{Team: team, Question: "1", Arrived: now, Body: "{}", Answer: retrieval.Answer{Video: "V026", Values: []float64{value}}})
	}
	do(contest.Start{Question: "1"})
	submit("t0", 1500)
	do(contest.Start{Question: "1", Restart: true})
	submit("t0", 9e6)
	submit("t2", 1500)
	submit("t1", 1500)
	return log, state
}

func files(t *testing.T, simulated bool) map[string]string {
	t.Helper()
	log, state := evening(t)
	return unzip(t, log, state, simulated)
}

// unzip exports a contest, and returns the files by their names.
func unzip(t *testing.T, log journal.Log, state *contest.State, simulated bool) map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Zip(t.Context(), &b, log, state, simulated); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := export.Zip(t.Context(), &again, log, state, simulated); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Fatalf("the second export differs, %v", err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}

func TestZip(t *testing.T) {
	all := files(t, false)
	for name := range all {
		if name != "README.txt" && !strings.Contains(all["README.txt"], name+" ") {
			t.Errorf("README.txt does not tell what %s is", name)
		}
	}
	for name, want := range map[string][]string{
		"ground-truth.csv": {"1,KIS,K14,V026,\"1000,2000\","},
		"rules.yaml":       {"name: 'aic2025'", "p_penalty: 10"},
		"settings.json":    {`"contest": "c"`, `"max_teams": 5000`},
		"standings.csv": {
			"rank,team_id,team_name,simulated,banned,total,time_s,1 score,1 time_s,1 wrong\n",
			"1,t1,\"Đội, \"\"Một\"\"\",false,false,99.5,3,99.5,3,0\n2,t0,\"'=HYPERLINK(\"\"http://evil\"\")\",false,false,0,0,0,0,1\n",
		},
		"standings.json":  {`"team_name": "Đội, \"Một\""`, `"submission": 11`, `"ruleset_digest"`},
		"submissions.csv": {"6,2026-01-17T12:00:05Z,1,t0,", ",false,true\n", "11,2026-01-17T12:00:09Z,3,t1,"},
		"series.csv":      {"11,2026-01-17T12:00:09Z,t1,\"Đội, \"\"Một\"\"\",1,99.5,99.5,1\n"},
	} {
		for _, text := range want {
			if !strings.Contains(all[name], text) {
				t.Errorf("%s lacks %q:\n%s", name, text, all[name])
			}
		}
		if strings.Contains(all[name], "Rival") || strings.Contains(all[name], "hash of") {
			t.Errorf("%s tells of simulated teams or of what lets people in:\n%s", name, all[name])
		}
	}
	with := files(t, true)
	for _, name := range []string{"standings.csv", "standings.json", "submissions.csv", "series.csv"} {
		if !strings.Contains(with[name], "t2") {
			t.Errorf("%s lacks the simulated team that was asked for", name)
		}
	}
}

// People choose their teams' names, and some spreadsheets take the wide signs of
// East Asia for formulas too.
func TestCellsAreNoFormulas(t *testing.T) {
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		log, state, now := journal.NewMemory(), &contest.State{}, time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
		for i, event := range []contest.Event{
			contest.Opened{Contest: "c", Settings: contest.DefaultSettings()},
			contest.TeamRegistered{Team: "t", Name: sign + "cmd"},
		} {
			r := contest.Recorded{Seq: contest.Seq(i + 1), At: now, Event: event}
			if _, err := log.Append(t.Context(), state.Seq(), []contest.Recorded{r}); err != nil {
				t.Fatal(err)
			}
			if err := state.Apply(r); err != nil {
				t.Fatal(err)
			}
		}
		if got := unzip(t, log, state, false)["standings.csv"]; !strings.Contains(got, "1,t,'"+sign+"cmd,") {
			t.Errorf("the sign %s stands at the front of a cell:\n%s", sign, got)
		}
	}
}

func TestJournalInTheZipIsWhole(t *testing.T) {
	text := files(t, false)["journal.jsonl"]
	log, err := journal.Parse("journal.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := journal.Verify(t.Context(), log); err != nil {
		t.Error(err)
	}
	lines := slices.Collect(strings.Lines(text))
	tampered, err := journal.Parse("journal.jsonl", strings.NewReader(strings.Replace(text, "9000000", "1500", 1)))
	if err != nil || len(lines) != 11 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if err := journal.Verify(t.Context(), tampered); err == nil || !strings.Contains(err.Error(), "record 9 (submission_judged)") {
		t.Errorf("a changed record is not found: %v", err)
	}
}
