package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"scorebook/diag"
	"scorebook/strict"
)

const stdinName = "<stdin>"

// Parse opens an input, named as on the command line, and hands it to a parser.
// Faults of the input are in a.Diags afterwards; an error is one of the world,
// or of usage if there is no such file.
func Parse[T any](ctx context.Context, a *App, path string, parser func(*strict.Source, *diag.List) T) (value T, err error) {
	name, r := path, a.Stdin
	if content, ok := a.Buffered[path]; ok {
		if r = bytes.NewReader(content); path == Stdio {
			name = stdinName
		}
	} else if path == Stdio {
		if a.stdinUsed {
			return value, Usage("stdin can be read only once: give a file for one of the two inputs")
		}
		name, a.stdinUsed = stdinName, true
	} else {
		f, err := a.OpenFile(path)
		if err != nil {
			return value, err
		}
		defer f.Close()
		r = f
	}
	src := strict.NewSource(name, &contextReader{ctx, r}, a.MaxBytes)
	value = parser(src, &a.Diags)
	if err := src.Err(); err != nil {
		return value, fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

// OpenFile opens an input, which no output may replace afterwards.
func (a *App) OpenFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, NotThere(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = Usage("open %s: found a folder, expected a file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.Inputs = append(a.Inputs, info)
	return f, nil
}

// NotThere makes an error of usage of a path that leads nowhere: what is wrong
// then is the command line. Other errors are those of the world.
func NotThere(err error) error {
	if Absent(err) {
		return Usage("%w", err)
	}
	return err
}

// Absent reports whether a path leads nowhere.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// contextReader ends reading when the program is interrupted.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
