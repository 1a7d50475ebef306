package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/moby/sys/atomicwriter"

	"scorebook/internal/cli"
	"scorebook/internal/store"
)

// adminVariable names the admin token in the environment.
const adminVariable = "SCOREBOOK_ADMIN_TOKEN"

// minToken is how short an admin token may be, in characters.
const minToken = 16

// newToken returns 128 random bits in hexadecimal.
func newToken() string {
	bits := make([]byte, 16)
	rand.Read(bits) // it does not fail
	return hex.EncodeToString(bits)
}

// adminFile is where the admin token of a database is kept.
func adminFile(db string) string { return db + ".admin-token" }

// adminToken returns the admin token: from the environment, else from the file
// beside the database, else a new one, which is kept there. Made says that it is
// new and must be shown.
func adminToken(db string) (token string, made bool, err error) {
	if token := os.Getenv(adminVariable); token != "" {
		if len(token) < minToken {
			return "", false, cli.Usage("%s: found %d characters, expected at least %d", adminVariable, len(token), minToken)
		}
		return token, false, nil
	}
	if store.IsPostgres(db) {
		return "", false, cli.Usage("%s: found nothing, expected the admin token: servers that share a database must be told the same one", adminVariable)
	}
	text, err := os.ReadFile(adminFile(db))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		token := newToken()
		return token, true, keepAdminToken(db, token)
	case err != nil:
		return "", false, fmt.Errorf("admin token: %w", err)
	}
	if token = strings.TrimSpace(string(text)); len(token) < minToken {
		return "", false, cli.Usage("%s: found %d characters, expected an admin token of at least %d: remove the file to have a new one made", adminFile(db), len(token), minToken)
	}
	return token, false, nil
}

// keepAdminToken writes the admin token into its file, which only its owner can
// read.
func keepAdminToken(db, token string) error {
	if err := atomicwriter.WriteFile(adminFile(db), []byte(token+"\n"), 0o600); err != nil {
		return fmt.Errorf("keep the admin token: %w", err)
	}
	return nil
}
