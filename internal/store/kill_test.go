package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"scorebook/contest"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

const victimEnv = "SCOREBOOK_TEST_VICTIM"

// victim appends batches of growing size until it is killed, and prints the
// number of the last record that it was told is durable.
func victim(path string, out io.Writer) error {
	ctx := context.Background()
	log, err := store.OpenSQLite(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	head, _, err := log.Head(ctx)
	for n := 1; err == nil; n = n%64 + 1 {
		if _, err = log.Append(ctx, head, journaltest.Events(head, n)); err == nil {
			head += contest.Seq(n)
			_, err = fmt.Fprintln(out, head)
		}
	}
	return err
}

// A process that is killed at any moment loses nothing that was acknowledged,
// writes no half of a batch, and leaves no lock behind.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contest.db")
	var acknowledged contest.Seq
	for life := range 8 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), victimEnv+"="+path)
		command.Stderr = os.Stderr
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			seq, err := strconv.ParseUint(lines.Text(), 10, 64)
			if err != nil || contest.Seq(seq) <= acknowledged {
				t.Fatalf("found %q behind %d: %v", lines.Text(), acknowledged, err)
			}
			acknowledged = contest.Seq(seq)
			switch n {
			case 0: // it lives, and it holds the lock
				var used *store.InUseError
				if _, err := store.OpenSQLite(t.Context(), path, store.Options{}); !errors.As(err, &used) || used.PID != command.Process.Pid {
					t.Errorf("while it lives: found %v", err)
				}
			case 20 * (life + 1):
				if err := command.Process.Kill(); err != nil { // what it still printed is read, too
					t.Fatal(err)
				}
			}
		}
		if err := command.Wait(); err == nil {
			t.Fatal("ended by itself")
		}
		reader := openReadOnly(t, path) // before a writer has looked at it
		head, _, err := reader.Head(t.Context())
		if err != nil || head < acknowledged || head > acknowledged+64 {
			t.Errorf("found %d (%v), expected %d, or one batch more", head, err, acknowledged)
		}
		journaltest.Whole(t, reader, head)
		shut(t, reader)
		log := open(t, path)
		journaltest.Whole(t, log, head)
		acknowledged = head
		shut(t, log)
	}
}
