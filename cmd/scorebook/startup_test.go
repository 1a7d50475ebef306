package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/service"
	"scorebook/internal/store"
	"scorebook/retrieval"
)

// longJournal makes a database with so many submissions of a thousand teams to 22
// questions, nine of ten of them wrong.
func longJournal(b *testing.B, submissions int) string {
	b.Helper()
	const teams, questions, batch = 1000, 22, 5000
	path := filepath.Join(b.TempDir(), "contest.db")
	log, err := store.OpenSQLite(context.Background(), path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	at, seq := time.Date(2026, 1, 17, 8, 0, 0, 0, time.UTC), contest.Seq(0)
	var events []contest.Recorded
	flush := func() {
		if _, err := log.Append(context.Background(), seq-contest.Seq(len(events)), events); err != nil {
			b.Fatal(err)
		}
		events = events[:0]
	}
	add := func(event contest.Event) {
		seq++
		events = append(events, contest.Recorded{Seq: seq, At: at, Event: event})
		if len(events) == batch {
			flush()
		}
	}
	open := contest.Opened{Contest: "long", Settings: contest.DefaultSettings(), Rules: preset()}
	for i := range questions {
		open.Questions = append(open.Questions, retrieval.Question{ID: retrieval.QuestionID(strconv.Itoa(i + 1)), Type: retrieval.KIS, Scene: "K14", Video: "V026", Events: []retrieval.Event{{Start: 370000, End: 386000}}})
	}
	add(open)
	for i := range teams {
		add(contest.TeamRegistered{Team: contest.TeamID(fmt.Sprintf("t%05d", i)), Name: fmt.Sprint("Team ", i), TokenHash: service.HashToken(strconv.Itoa(i))})
	}
	for q := range questions {
		id := open.Questions[q].ID
		add(contest.QuestionStarted{Question: id, Round: 1, TimeLimit: time.Hour})
		for i := range submissions / questions {
			at = at.Add(time.Millisecond)
			start := 1000.0
			if i/teams%10 == 9 {
				start = 378000
			}
			add(contest.SubmissionJudged{
				Team: contest.TeamID(fmt.Sprintf("t%05d", i%teams)), Question: id, Round: 1, Arrived: at,
				Body:      fmt.Sprintf(`{"answerSets":[{"answers":[{"mediaItemName":"K14_V026","start":%v,"end":%v}]}]}`, start, start),
				Answer:    retrieval.Answer{Scene: "K14", Video: "V026", Values: []float64{start}},
				Announced: retrieval.Result{Correctness: retrieval.Incorrect, TotalEvents: 1, TimeFactor: 0.5, WrongAttempts: 1, ElapsedSeconds: 10},
			})
		}
		add(contest.QuestionStopped{Question: id})
	}
	flush()
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// How long a server takes from its start until it answers, with what it has in
// memory then.
func BenchmarkStartup(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if os.Getenv("SCOREBOOK_BENCH_LONG") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, submissions := range sizes {
		b.Run(strconv.Itoa(submissions), func(b *testing.B) {
			db := longJournal(b, submissions)
			for b.Loop() {
				began := time.Now()
				server := begin(b, "serve", "--db", db, "--listen", "127.0.0.1:0")
				must(b, "GET", server.base+"/readyz", "", nil)
				b.ReportMetric(time.Since(began).Seconds(), "s-ready")
				b.ReportMetric(resident(b, server.cmd.Process.Pid), "MiB")
				server.kill()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// resident returns how much memory a process has, in MiB, where that can be seen.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kib, _ := strconv.ParseFloat(fields[1], 64)
			return kib / 1024
		}
	}
	return 0
}
