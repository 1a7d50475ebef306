package contest_test

import (
	"strings"
	"testing"
	"time"

	"scorebook/contest"
)

func TestRegistration(t *testing.T) {
	register := func(name string) contest.Register {
		return contest.Register{ID: contest.TeamID("id of " + name), Name: name, TokenHash: "hash of " + name}
	}
	t.Run("open, but not while a question runs", func(t *testing.T) {
		b := newBook(t)
		b.must(register("A"))
		b.must(contest.Start{Question: "1"})
		b.refuse(register("B"), contest.RegistrationClosed)
		b.after(310 * time.Second)
		b.refuse(register("B"), contest.RegistrationClosed)
		b.after(1).must(register("B"))
	})
	t.Run("always", func(t *testing.T) {
		b := newBook(t)
		b.must(contest.SetRegistration{Mode: contest.AlwaysRegistration})
		b.must(contest.Start{Question: "1"})
		b.must(register("A"))
	})
	t.Run("code", func(t *testing.T) {
		b := newBook(t)
		b.refuse(contest.SetRegistration{Mode: contest.CodeRegistration}, contest.InvalidValue)
		b.must(contest.SetRegistration{Mode: contest.CodeRegistration, CodeHash: "h"})
		b.refuse(register("A"), contest.WrongCode)
		with := register("A")
		with.CodeHash = "h"
		b.must(with)
	})
	t.Run("closed", func(t *testing.T) {
		b := newBook(t)
		b.refuse(contest.SetRegistration{Mode: "shut"}, contest.InvalidValue)
		b.must(contest.SetRegistration{Mode: contest.ClosedRegistration})
		b.refuse(register("A"), contest.RegistrationClosed)
		by := register("A")
		by.Organiser, by.Simulated = true, true
		b.must(by)
		if team, _ := b.state.Team("id of A"); !team.Simulated {
			t.Error("the mark of a simulated team is lost")
		}
	})
	t.Run("nobody marks itself as simulated", func(t *testing.T) {
		b := newBook(t)
		by := register("A")
		by.Simulated = true
		b.must(by)
		if team, _ := b.state.Team("id of A"); team.Simulated {
			t.Error("it did")
		}
	})
	t.Run("full", func(t *testing.T) {
		b := newBook(t, func(o *contest.Open) { o.Settings.MaxTeams = 1 })
		b.must(register("A"))
		b.refuse(register("B"), contest.TooManyTeams)
	})
}

func TestTeamNames(t *testing.T) {
	b := newBook(t)
	for _, name := range []string{
		"", "   ", "\u200b\u200d", "\u3164", "a\u0000b", "a\nb", "a\tb", "evil\u202ename", "\u2066x", "a\xffb", "lone \ufffd surrogate",
		strings.Repeat("x", contest.MaxNameLength+1), strings.Repeat("é", 1<<20), "\u0301",
	} {
		b.refuse(contest.Register{ID: "x", Name: name, TokenHash: "x"}, contest.InvalidName)
	}
	b.must(contest.Register{ID: "1", Name: "  Đội  Tuyển  Số Một ", TokenHash: "1"})
	if team, _ := b.state.Team("1"); team.Name != "Đội Tuyển Số Một" {
		t.Errorf("the name became %q", team.Name)
	}
	for _, same := range []string{"đội tuyển số một", "ĐỘI TUYỂN SỐ MỘT", "Đội Tuyển Số Một\u200b", "Đội  Tuyển Số M\u006f\u0302\u0323t", "Đội Tuyển Số \uff2dột"} {
		b.refuse(contest.Register{ID: "2", Name: same, TokenHash: "2"}, contest.NameTaken)
	}
	b.must(contest.Register{ID: "2", Name: "東京チーム 🦉", TokenHash: "2"})
	b.refuse(contest.Rename{Team: "2", Name: "ĐỘI TUYỂN SỐ MỘT"}, contest.NameTaken)
	b.must(contest.Rename{Team: "1", Name: "ĐỘI TUYỂN SỐ MỘT"}) // its own name in capitals
	b.must(contest.Rename{Team: "1", Name: "Other"})
	b.must(contest.Rename{Team: "2", Name: "Đội Tuyển Số Một"}) // free again
	b.refuse(contest.Rename{Team: "9", Name: "Nobody"}, contest.UnknownTeam)
}

func TestBanAndToken(t *testing.T) {
	b := newBook(t)
	b.team("a")
	b.team("b")
	b.must(contest.Start{Question: "1"})
	b.must(b.answer("a", 378000))
	b.must(contest.Ban{Team: "a", Banned: true, Reason: "second identity"})
	b.refuse(b.answer("a", 1), contest.Banned)
	if jury := row(t, b.state.Jury(), "a"); jury.Rank != 0 || jury.Total != 100 {
		t.Errorf("the jury sees %+v", jury)
	}
	if public := b.state.Public(); len(public.Rows) != 1 || public.Rows[0].ID != "b" || public.Rows[0].Rank != 1 {
		t.Errorf("the public sees %+v", public.Rows)
	}
	b.must(contest.Ban{Team: "a"})
	if public := b.state.Public(); len(public.Rows) != 2 || public.Rows[0].ID != "a" {
		t.Errorf("let in again, the public sees %+v", public.Rows)
	}
	b.must(contest.RotateToken{Team: "a", TokenHash: "new"})
	if _, ok := b.state.TeamByToken("hash of a"); ok {
		t.Error("the old token still works")
	}
	if team, ok := b.state.TeamByToken("new"); !ok || team.ID != "a" {
		t.Error("the new token does not work")
	}
	b.refuse(contest.Ban{Team: "x", Banned: true}, contest.UnknownTeam)
	b.refuse(contest.RotateToken{Team: "x"}, contest.UnknownTeam)
	stranger := b.answer("x", 1)
	b.refuse(stranger, contest.UnknownTeam)
	b.must(contest.Reset{Teams: true})
	if _, ok := b.state.TeamByToken("new"); ok || len(b.state.Teams()) != 0 {
		t.Error("a removed team is still there")
	}
}
