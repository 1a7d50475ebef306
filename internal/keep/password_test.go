package keep_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"scorebook/internal/keep"
)

func passwords(t *testing.T, store keep.Store) *keep.Passwords {
	t.Helper()
	p, err := keep.NewPasswords(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPasswords(t *testing.T) {
	store := keep.NewMemory()
	p := passwords(t, store)
	check := func(p *keep.Passwords, team, password string, want bool) {
		t.Helper()
		if got, err := p.Check(t.Context(), "", ""); got || err != nil {
			t.Errorf("nobody has the password nothing: %v", err)
		}
		if got, err := p.Check(t.Context(), "one", password); team == "one" && (got != want || err != nil) {
			t.Errorf("found %t and %v for %q", got, err, password)
		}
		if got := p.Remembered("one", password); got != want {
			t.Errorf("remembered is %t for %q", got, password)
		}
	}
	check(p, "one", "chợ nổi Cái Răng", false)
	if err := p.Set(t.Context(), "one", "chợ nổi Cái Răng"); err != nil {
		t.Fatal(err)
	}
	before := p.Hash("one")
	if p.Remembered("one", "chợ nổi Cái Răng") {
		t.Error("remembered before it was checked")
	}
	check(p, "one", "chợ nổi Cái Răng", true)
	check(p, "one", "cho\u031b\u0323 n\u006f\u0302\u0309i Ca\u0301i Ra\u0306ng", true) // the same, decomposed
	check(p, "one", "chợ nổi Cái Rang", false)
	check(p, "one", "", false)
	check(p, "one", strings.Repeat("x", 1<<20), false)
	if ok, _ := p.Check(t.Context(), "two", "chợ nổi Cái Răng"); ok {
		t.Error("it is another team's, too")
	}
	check(passwords(t, store), "one", "chợ nổi Cái Răng", true) // after a restart

	if err := p.Set(t.Context(), "one", "another one"); err != nil {
		t.Fatal(err)
	}
	check(p, "one", "chợ nổi Cái Răng", false)
	check(p, "one", "another one", true)
	if err := p.Set(t.Context(), "two", "another one"); err != nil || p.Hash("one") == p.Hash("two") || p.Hash("one") == before {
		t.Errorf("equal passwords are kept alike: %v", err)
	}
	hashes, err := store.Passwords(t.Context())
	if err != nil || !strings.HasPrefix(hashes["one"], "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(hashes["one"], "another") {
		t.Errorf("kept as %v, %v", hashes, err)
	}
}

func TestPasswordsOfAnotherForm(t *testing.T) {
	store := keep.NewMemory()
	for _, hash := range []string{"x", "$2b$12$abc", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=19456,t=2,p=1$?$?"} {
		if err := store.SetPassword(t.Context(), "one", hash); err != nil {
			t.Fatal(err)
		}
		if ok, err := passwords(t, store).Check(t.Context(), "one", "whatever"); ok || err == nil || strings.Contains(err.Error(), hash) {
			t.Errorf("%s: found %t and %v", hash, ok, err)
		}
	}
}

// Who does not wait any more does not get an answer, and holds nobody up.
func TestPasswordsWaiting(t *testing.T) {
	p := passwords(t, keep.NewMemory())
	if err := p.Set(t.Context(), "one", "password"); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { _, _ = p.Check(ended, "one", "wrong one") })
		group.Go(func() {
			if ok, err := p.Check(t.Context(), "one", "password"); !ok || err != nil {
				t.Errorf("found %t and %v", ok, err)
			}
		})
	}
	group.Wait()
}

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]string{
		"12345678": "", "đẹp đẽ 1": "", "1234567": "found 7 characters", "": "found 0 characters", strings.Repeat("é", 128): "",
		strings.Repeat("é", 129): "found 129 characters", "12345678\n": "found a control", "12345678\xff": "found a control",
	} {
		if got := keep.CheckPassword(password); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: found %q", password, got)
		}
	}
}
