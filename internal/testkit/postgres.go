package testkit

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgresVariable names a database that tests may make schemas in.
const postgresVariable = "SCOREBOOK_TEST_POSTGRES"

// Postgres returns the address of an empty schema in a PostgreSQL database, which
// is dropped when the test ends. The database is the one that the environment
// names, or else one of this machine. Where there is none, the test is skipped.
func Postgres(t testing.TB) string {
	t.Helper()
	address := os.Getenv(postgresVariable)
	if address == "" {
		address = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		if Require("postgres") {
			t.Fatalf("PostgreSQL was not found, and SCOREBOOK_REQUIRE names it: %v; %s may name one", err, postgresVariable)
		}
		t.Skipf("SKIPPED: start PostgreSQL on 127.0.0.1:5432, or name one in %s, to run this test", postgresVariable)
	}
	defer conn.Close(ctx) //nolint:errcheck // it is not needed any more
	schema := "scorebook_test_" + strings.ToLower(rand.Text()[:12])
	if _, err := conn.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{schema}.Sanitize()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(ctx) //nolint:errcheck // it is not needed any more
		if _, err := conn.Exec(ctx, "DROP SCHEMA "+pgx.Identifier{schema}.Sanitize()+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}
