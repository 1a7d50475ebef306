//go:build unix

package testkit

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster is a PostgreSQL server of a test's own, which it may stop and start.
type Cluster struct {
	t      testing.TB
	bin    string // folder of its programs
	folder string
	port   string
	as     *syscall.Credential // nil: as whoever runs the test
}

// PostgresCluster starts a server that is stopped when the test ends. Where
// PostgreSQL's programs are missing, the test is skipped.
func PostgresCluster(t testing.TB) *Cluster {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		if Require("postgres") {
			t.Fatal("initdb was not found, and SCOREBOOK_REQUIRE names postgres")
		}
		t.Skip("SKIPPED: install PostgreSQL's server to run this test")
	}
	c := &Cluster{t: t, bin: filepath.Dir(found[len(found)-1])}
	// Not below the test's own folder: another user must be able to go there.
	folder, err := os.MkdirTemp("", "scorebook-postgres-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	c.folder = filepath.Join(folder, "data")
	if os.Getuid() == 0 { // the server refuses to run as root
		c.as = credentials(t, "postgres")
		if err := os.Chown(folder, int(c.as.Uid), int(c.as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a free port, at once
	if err != nil {
		t.Fatal(err)
	}
	_, c.port, _ = net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	c.run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--pgdata="+c.folder)
	c.Start()
	t.Cleanup(func() { c.stop("immediate") })
	return c
}

func credentials(t testing.TB, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatalf("a user to run PostgreSQL as: %v", err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err1 != nil || err2 != nil {
		t.Fatalf("the user %s has the numbers %s and %s", name, u.Uid, u.Gid)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (c *Cluster) run(program string, args ...string) {
	c.t.Helper()
	cmd := exec.CommandContext(context.Background(), filepath.Join(c.bin, program), args...) //nolint:gosec // programs of PostgreSQL
	cmd.Dir = filepath.Dir(c.folder)
	if c.as != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// Start starts the server and returns when it answers.
func (c *Cluster) Start() {
	c.t.Helper()
	c.run("pg_ctl", "--pgdata="+c.folder, "--log="+filepath.Join(filepath.Dir(c.folder), "log"), "--wait",
		"--options=-c listen_addresses=127.0.0.1 -c unix_socket_directories= -p "+c.port, "start")
	for range 100 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		conn, err := pgx.Connect(ctx, c.Address())
		if err == nil {
			err = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.t.Fatal("PostgreSQL does not answer")
}

// Crash stops the server as a power cut would.
func (c *Cluster) Crash() {
	c.t.Helper()
	c.stop("immediate")
}

func (c *Cluster) stop(mode string) {
	c.t.Helper()
	if _, err := os.Stat(filepath.Join(c.folder, "postmaster.pid")); err != nil {
		return
	}
	c.run("pg_ctl", "--pgdata="+c.folder, "--mode="+mode, "--wait", "stop")
}

// Host is where the server listens.
func (c *Cluster) Host() string { return net.JoinHostPort("127.0.0.1", c.port) }

// Address is the server's database as a URL.
func (c *Cluster) Address() string { return AddressAt(c.Host()) }

// AddressAt is the database of a server as a URL.
func AddressAt(host string) string {
	return fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", host)
}
