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

// The head of every SQLite file, and where its application id stands.
var magic = []byte("SQLite format 3\x00")

const (
	headSize      = 72
	applicationAt = 68
)

// find returns the one name of a database file, whatever links lead to it, and
// whether there is anything in it. A file of something else is an error; it is
// not touched.
func find(path string) (name string, exists bool, err error) {
	if name, err = filepath.Abs(path); err != nil {
		return "", false, err
	}
	switch resolved, err := filepath.EvalSymlinks(name); {
	case err == nil:
		name = resolved
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, err
	default: // the file is new, its folder is not
		folder, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return "", false, fmt.Errorf("%s: the folder of the database is missing: %w", path, err)
		}
		return filepath.Join(folder, filepath.Base(name)), false, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	head := make([]byte, headSize)
	switch n, err := io.ReadFull(file, head); {
	case n == 0 && errors.Is(err, io.EOF): // as touch and mktemp leave it
		return name, false, nil
	case errors.Is(err, io.ErrUnexpectedEOF) || err == nil && !bytes.HasPrefix(head, magic):
		return "", false, fmt.Errorf("%s: %w", path, errNone)
	case err != nil:
		return "", false, err
	case binary.BigEndian.Uint32(head[applicationAt:]) != applicationID:
		return "", false, fmt.Errorf("%s: %w", path, errForeign)
	}
	return name, true, nil
}
