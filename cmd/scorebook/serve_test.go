package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"scorebook/contest"
	"scorebook/diag"
	"scorebook/internal/service"
	"scorebook/internal/store"
	"scorebook/retrieval"
	"scorebook/strict"
)

// play makes a database in which two teams played question 1 of a table:
// play DB GROUND-TRUTH.
func play(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: play DB GROUND-TRUTH")
	}
	ts.Check(playInto(ts.MkAbs(args[0]), ts.ReadFile(args[1])))
}

func playInto(db, groundTruth string) (err error) {
	ctx := context.Background()
	log, err := store.OpenSQLite(ctx, db, store.Options{})
	if err != nil {
		return err
	}
	defer closing(log, &err)
	open := contest.Open{Contest: "script", Settings: contest.DefaultSettings(), Rules: preset()}
	if open.Questions, err = parseQuestions(groundTruth); err != nil {
		return err
	}
	svc, err := service.New(ctx, log, open, service.Options{})
	if err != nil {
		return err
	}
	defer svc.Close()
	do := func(command contest.Command) {
		if err == nil {
			_, err = svc.Do(ctx, command, svc.Now())
		}
	}
	for _, name := range []string{"One", "=Two"} {
		do(contest.Register{ID: contest.TeamID("id-" + name), Name: name, TokenHash: service.HashToken(name)})
	}
	do(contest.Register{ID: "id-rival", Name: "Rival", TokenHash: service.HashToken("rival"), Organiser: true, Simulated: true})
	do(contest.Start{Question: open.Questions[0].ID})
	for i, team := range []contest.TeamID{"id-One", "id-=Two", "id-rival", "id-One"} {
		event := open.Questions[0].Events[0]
		value := float64(event.Start+event.End) / 2
		if i == 0 {
			value = 9e9
		}
		do(contest.Submit{
			Team: team, Question: open.Questions[0].ID, Arrived: svc.Now(), Body: fmt.Sprint("body ", i),
			Answer: retrieval.Answer{Video: open.Questions[0].Video, Values: []float64{value}},
		})
	}
	do(contest.Stop{})
	return err
}

func parseQuestions(groundTruth string) ([]retrieval.Question, error) {
	var diags diag.List
	questions, ok := retrieval.ParseGroundTruth(strict.NewSource("questions", strings.NewReader(groundTruth), 0), &diags)
	if !ok {
		return nil, errors.New(diags.Text())
	}
	return questions, nil
}

// start runs the program in this process.
func start(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
