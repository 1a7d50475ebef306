package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	errForeign  = errors.New("this is a database of another program: give the file of a contest, or a name that is not taken")
	errNone     = errors.New("this is no database: give the file of a contest, or a name that is not taken")
	errEmpty    = errors.New("there is no contest in it yet: start a server with it first")
	errReadOnly = errors.New("the database was opened for reading only")
)

// What the head of every SQLite file tells.
var magic = []byte("SQLite format 3\x00")

const (
	headSize      = 72
	writeModeAt   = 18 // 2: with a write-ahead log
	applicationAt = 68
)

// file is where a database is, whatever links lead there.
type file struct {
	name   string
	exists bool
	empty  bool // there is nothing in it, or it does not exist
	logged bool // it has a write-ahead log beside it
}

// find looks at the file of a database. A file of something else is an error; it
// is not touched.
func find(path string) (f file, err error) {
	if f.name, err = filepath.Abs(path); err != nil {
		return f, err
	}
	switch resolved, err := filepath.EvalSymlinks(f.name); {
	case err == nil:
		f.name, f.exists = resolved, true
	case !errors.Is(err, fs.ErrNotExist):
		return f, err
	default:
		folder, err := filepath.EvalSymlinks(filepath.Dir(f.name))
		if err != nil {
			return f, fmt.Errorf("%s: the folder of the database is missing: %w", path, err)
		}
		f.name, f.empty = filepath.Join(folder, filepath.Base(f.name)), true
		return f, nil
	}
	in, err := os.Open(f.name)
	if err != nil {
		return f, err
	}
	defer in.Close()
	head := make([]byte, headSize)
	switch n, err := io.ReadFull(in, head); {
	case n == 0 && errors.Is(err, io.EOF): // as touch and mktemp leave it
		f.empty = true
	case errors.Is(err, io.ErrUnexpectedEOF) || err == nil && !bytes.HasPrefix(head, magic):
		return f, fmt.Errorf("%s: %w", path, errNone)
	case err != nil:
		return f, err
	case binary.BigEndian.Uint32(head[applicationAt:]) != applicationID:
		return f, fmt.Errorf("%s: %w", path, errForeign)
	}
	f.logged = head[writeModeAt] == 2
	return f, nil
}

// create makes the file, for its owner only.
func (f file) create() error { return create(f.name) }

// createLog makes what SQLite keeps beside the file before SQLite does, which
// would let others read it.
func (f file) createLog() error { return errors.Join(create(f.name+"-wal"), create(f.name+"-shm")) }

func create(name string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
