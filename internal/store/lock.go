package store

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/gofrs/flock"
)

// InUseError means that another process has the database open for writing.
type InUseError struct {
	Path string
	PID  int // 0: not known
}

// Error implements error.
func (e *InUseError) Error() string {
	holder := "another scorebook"
	if e.PID > 0 {
		holder = fmt.Sprintf("another scorebook (process %d)", e.PID)
	}
	return fmt.Sprintf("%s: %s uses this database: use that one, stop it, or take another file", e.Path, holder)
}

// lock takes the lock of a database, which lies beside it and holds the number
// of the process that has it. The operating system frees the lock when the
// process ends, however it ends; the file stays.
func lock(path string) (*flock.Flock, error) {
	name := path + ".lock"
	l := flock.New(name)
	locked, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be locked, and without a lock two servers could write to one database: use a folder that can be written to, on a local disk: %w", name, err)
	}
	if !locked {
		pid, err := os.ReadFile(name)
		if err != nil {
			pid = nil // some systems keep others from reading it, too
		}
		n, err := strconv.Atoi(string(bytes.TrimSpace(pid)))
		if err != nil {
			n = 0 // it was locked this moment
		}
		return nil, &InUseError{path, n}
	}
	_ = os.WriteFile(name, fmt.Appendln(nil, os.Getpid()), 0o600) // the lock holds without it, also on a full disk
	return l, nil
}
