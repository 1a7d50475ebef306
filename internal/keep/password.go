package keep

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"scorebook/contest"
)

// Bounds of a password, in characters.
const (
	MinPassword = 8
	MaxPassword = 128
)

// The cost of a guess: argon2id with 19 MiB and two passes, the first choice of
// OWASP's Password Storage Cheat Sheet.
const (
	argonMemory  = 19 * 1024 // KiB
	argonPasses  = 2
	argonThreads = 1
	saltBytes    = 16
	keyBytes     = 32
	atOnce       = 1 // hash is computed; more wait
)

// CheckPassword says what is wrong with a password, or "". It never repeats it.
func CheckPassword(password string) string {
	n := utf8.RuneCountInString(password)
	switch {
	case !utf8.ValidString(password) || strings.ContainsFunc(password, unicode.IsControl):
		return "found a control character or no UTF-8"
	case n < MinPassword || n > MaxPassword:
		return fmt.Sprintf("found %d characters", n)
	}
	return ""
}

// Passwords are those of the teams of a contest. They may be used by several
// goroutines.
type Passwords struct {
	store Store
	slots chan struct{}
	key   []byte // of this process, for right

	mu     sync.Mutex
	read   time.Time // when hashes were read last
	hashes map[contest.TeamID]string
	right  map[contest.TeamID][]byte // a code of the password that was checked last and right
}

// NewPasswords reads the passwords of a store.
func NewPasswords(ctx context.Context, store Store) (*Passwords, error) {
	hashes, err := store.Passwords(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the passwords: %w", err)
	}
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return &Passwords{store: store, slots: make(chan struct{}, atOnce), key: key, read: time.Now(), hashes: hashes, right: map[contest.TeamID][]byte{}}, nil
}

// Refresh reads the passwords again, which other processes may have changed, if
// that was not just done. It reports whether it did.
func (p *Passwords) Refresh(ctx context.Context) bool {
	const recently = time.Second
	p.mu.Lock()
	fresh := time.Since(p.read) < recently
	if !fresh {
		p.read = time.Now()
	}
	p.mu.Unlock()
	if fresh {
		return false
	}
	hashes, err := p.store.Passwords(ctx)
	if err != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for team, hash := range hashes {
		if p.hashes[team] != hash {
			p.hashes[team] = hash
			delete(p.right, team)
		}
	}
	return true
}

// Set gives a team another password, which must pass [CheckPassword].
func (p *Passwords) Set(ctx context.Context, team contest.TeamID, password string) error {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	key, err := p.derive(ctx, password, salt)
	if err != nil {
		return err
	}
	hash := fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
	if err := p.store.SetPassword(ctx, team, hash); err != nil {
		return fmt.Errorf("keep the password: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hashes[team] = hash
	delete(p.right, team)
	return nil
}

// Hash returns what is kept of a team's password, or "" if it has none. It is
// another one after every change.
func (p *Passwords) Hash(team contest.TeamID) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hashes[team]
}

// Remembered reports whether a password is the one that was checked last, which
// costs next to nothing: some clients sign in before every submission.
func (p *Passwords) Remembered(team contest.TeamID, password string) bool {
	code := p.code(password)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.right[team] != nil && hmac.Equal(p.right[team], code)
}

// Check reports whether a password is a team's. It is slow by intent, and waits
// while others are checked.
func (p *Passwords) Check(ctx context.Context, team contest.TeamID, password string) (bool, error) {
	hash := p.Hash(team)
	if hash == "" || utf8.RuneCountInString(password) > MaxPassword {
		return false, nil
	}
	var version, memory, passes, threads int
	parts := strings.Split(hash, "$") // begins with one
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("the password of the team %s is kept in an unknown form", team)
	}
	_, err1 := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &passes, &threads)
	salt, err2 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err3 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || err3 != nil || version != argon2.Version || memory != argonMemory || passes != argonPasses || threads != argonThreads {
		return false, fmt.Errorf("the password of the team %s is kept with another cost than this program's", team)
	}
	key, err := p.derive(ctx, password, salt)
	if err != nil || subtle.ConstantTimeCompare(key, want) != 1 {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hashes[team] == hash { // not replaced meanwhile
		p.right[team] = p.code(password)
	}
	return true, nil
}

// derive computes the key of a password. Accents count alike however they are
// written.
func (p *Passwords) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey(norm.NFC.Bytes([]byte(password)), salt, argonPasses, argonMemory, argonThreads, keyBytes), nil
}

func (p *Passwords) code(password string) []byte {
	h := hmac.New(sha256.New, p.key)
	h.Write(norm.NFC.Bytes([]byte(password)))
	return h.Sum(nil)
}
