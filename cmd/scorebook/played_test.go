package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/rivals"
	"scorebook/internal/sample"
	"scorebook/internal/service"
	"scorebook/internal/store"
	"scorebook/retrieval"
)

// played is a contest in the middle of its evening: simulated teams have played
// some questions, and the last of them is running.
type played struct {
	db        string
	questions []retrieval.Question
	running   int              // which of them runs
	teams     []contest.TeamID // their tokens are "token of " and the id
}

// teamNames are names in several scripts, as an international final has them.
var teamNames = []string{
	"Zero Shot", "Sao Mai", "Đội Mộc Châu", "Neural Weavers", "Galaxy Quest", "Althea", "Open Cube", "Flame Reavers", "KPT", "float97",
	"Univorn & Wheat", "Rừng Tràm", "夜の検索隊", "Тихий кадр", "الإطار الأخير", "프레임 사냥꾼", "Ελπίδα", "Bánh Mì Vector", "Second Frame", "Hạ Long Bits",
	"Slow Pan", "Jump Cut", "Lúa Mới", "Phố Cổ", "Long Take", "Match on Action", "Chim Lạc", "Đèn Lồng", "Query Monsters", "Recall@1",
	"Vienna Archive", "Zürich Frames", "Cầu Rồng", "The Night Watch", "Cosine & Friends", "Mắt Cú", "Fps 25", "Bến Nghé", "Blue Hour", "Late Cut",
	"Dublin Lifeloggers", "Quiet Query", "Sông Hồng", "Prague Keyframes", "Top k", "Trống Đồng", "Wide Angle", "Half Shot", "Sài Gòn Search", "Reykjavík Reel",
	"Establishing Shot", "Hà Nội Hunters", "Deep Focus", "Tây Nguyên", "Rack Focus", "Montage",
}

// playEvening writes the journal of an evening. The last question began so long
// before now.
func playEvening(t testing.TB, teams, questions int, running time.Duration) played {
	t.Helper()
	ctx := context.Background()
	p := played{db: filepath.Join(t.TempDir(), "contest.db")}
	log, err := store.OpenSQLite(ctx, p.db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	all, err := parseQuestions(string(sample.GroundTruth()))
	if err != nil {
		t.Fatal(err)
	}
	p.questions, p.running = all, questions-1
	open := contest.Open{Contest: "evening", Settings: contest.DefaultSettings(), Rules: preset(), Questions: all}
	open.Settings.Name, open.Settings.TimeZone, open.Settings.Registration = "AIC 2025 · Final", "Asia/Ho_Chi_Minh", contest.ClosedRegistration
	const each = 6 * time.Minute
	now := time.Now().Add(-running - time.Duration(questions-1)*each)
	svc, err := service.New(ctx, log, open, service.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer svc.Close()
	do := func(command contest.Command) {
		if _, err := svc.Do(ctx, command, now); err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for i := range teams {
		name := fmt.Sprintf("Team %03d", i+1)
		if i < len(teamNames) {
			name = teamNames[i]
		}
		id := contest.TeamID(fmt.Sprintf("team-%03d", i+1))
		p.teams = append(p.teams, id)
		do(contest.Register{ID: id, Name: name, TokenHash: service.HashToken("token of " + string(id)), Organiser: true, Simulated: i%12 == 11})
	}
	media := retrieval.NewMedia(all)
	for i, question := range all[:questions] {
		do(contest.Start{Question: question.ID})
		began := now
		type move struct {
			rivals.Move
			team contest.TeamID
		}
		var moves []move
		for j, id := range p.teams {
			for _, m := range rivals.Plan(7, j, &question, 1, 300*time.Second) {
				moves = append(moves, move{m, id})
			}
		}
		slices.SortStableFunc(moves, func(a, b move) int { return int(a.At - b.At) })
		for _, m := range moves {
			if i == questions-1 && m.At > running {
				break
			}
			now = began.Add(m.At)
			body, err := retrieval.ParseBody(m.Body)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := retrieval.Interpret(body, retrieval.Form{Type: question.Type, FPS: 25}, media)
			if err != nil {
				t.Fatal(err)
			}
			command := contest.Submit{Team: m.team, Question: question.ID, Arrived: now, Body: string(m.Body), Answer: answer}
			if _, err := svc.Do(ctx, command, now); err != nil && !strings.Contains(err.Error(), string(contest.AlreadyCompleted)) {
				t.Fatal(err)
			}
		}
		if i < questions-1 {
			now = began.Add(each - 30*time.Second)
			do(contest.Stop{})
			do(contest.Reveal{Question: question.ID})
			now = began.Add(each)
		}
	}
	return p
}

// serve serves the evening.
func (p played) serve(t testing.TB, more ...string) *process {
	t.Helper()
	return begin(t, append([]string{"serve", "--db", p.db, "--listen", "127.0.0.1:0"}, more...)...)
}
