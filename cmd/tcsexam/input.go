package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

// stdio stands for stdin among inputs and for stdout as an output.
const stdio = "-"

const stdinName = "<stdin>"

// parse opens an input, named as on the command line, and hands it to a parser.
// Faults of the input are in a.diags afterwards; an error is one of the world,
// or of usage if there is no such file.
func parse[T any](ctx context.Context, a *app, path string, parser func(*strict.Source, *diag.List) T) (value T, err error) {
	name, r := path, a.stdin
	if content, ok := a.buffered[path]; ok {
		if r = bytes.NewReader(content); path == stdio {
			name = stdinName
		}
	} else if path == stdio {
		if a.stdinUsed {
			return value, usage("stdin can be read only once: give a file for one of the two inputs")
		}
		name, a.stdinUsed = stdinName, true
	} else {
		f, err := a.openFile(path)
		if err != nil {
			return value, err
		}
		defer f.Close()
		r = f
	}
	src := strict.NewSource(name, &contextReader{ctx, r}, a.maxBytes)
	value = parser(src, &a.diags)
	if err := src.Err(); err != nil {
		return value, fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

func (a *app) openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, notThere(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = usage("open %s: found a folder, expected a file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.inputs = append(a.inputs, info)
	return f, nil
}

// notThere makes an error of usage of a path that leads nowhere: what is wrong
// then is the command line. Other errors are those of the world.
func notThere(err error) error {
	if absent(err) {
		return usage("%w", err)
	}
	return err
}

func absent(err error) bool {
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

// Kinds of files that are looked up by name.
const (
	suiteFile     = "suite"
	referenceFile = "reference"
)

// lookUp returns the path of a suite or reference that was given by name or
// by path. It is a path if it has a separator or ends in .json.
func (a *app) lookUp(kind, given string) (path string, byName bool, err error) {
	if isPath(given) {
		return given, false, nil
	}
	dir, from := a.dataDir, "--data"
	if dir == "" {
		dir, from = os.Getenv("TCSEXAM_DATA"), "TCSEXAM_DATA"
	}
	if dir == "" {
		dir, from = "tcsexam-data", "the default; neither --data nor TCSEXAM_DATA is set"
	}
	path = filepath.Join(dir, given+"."+kind+".json")
	if _, err := os.Stat(path); absent(err) {
		return "", false, usage("no %s %q: looked for %s (folder from %s)\n"+
			"    hint: put the benchmark's file there, name the folder with --data, or give --%s a path such as ./%s.%s.json",
			kind, given, path, from, kind, given, kind)
	}
	return path, true, nil
}

// isPath reports whether a suite or reference was given by its path.
func isPath(given string) bool {
	return given == stdio || strings.ContainsAny(given, `/\`) || strings.HasSuffix(given, ".json")
}

// companion returns the file of another kind that lies beside a file and has
// the same name, or ok false if there is none.
func companion(path, kind, other string) (string, bool) {
	stem, ok := strings.CutSuffix(path, "."+kind+".json")
	if !ok {
		return "", false
	}
	path = stem + "." + other + ".json"
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}

// suite loads a manifest and, if one lies beside it, the reference of the same
// name, and checks them against each other.
func (a *app) suite(ctx context.Context, given string) (*exam.Suite, *exam.Reference, error) {
	path, byName, err := a.lookUp(suiteFile, given)
	if err != nil {
		return nil, nil, err
	}
	suite, err := parse(ctx, a, path, exam.ParseSuite)
	if err != nil || !a.diags.OK() {
		return suite, nil, err
	}
	if byName {
		suite.CheckName(given, &a.diags)
	}
	beside, ok := companion(path, suiteFile, referenceFile)
	if !ok {
		return suite, nil, nil
	}
	ref, err := parse(ctx, a, beside, exam.ParseReference)
	if err != nil {
		return nil, nil, err
	}
	if a.diags.OK() {
		suite.CheckReference(ref, &a.diags)
	}
	return suite, ref, nil
}

// reference loads a reference and the manifest that it belongs to: the one
// given, else the one beside it, else none. The two are checked against each
// other.
func (a *app) reference(ctx context.Context, given, givenSuite string) (*exam.Reference, *exam.Suite, error) {
	path, _, err := a.lookUp(referenceFile, given)
	if err != nil {
		return nil, nil, err
	}
	ref, err := parse(ctx, a, path, exam.ParseReference)
	if err != nil {
		return nil, nil, err
	}
	suitePath, found := companion(path, referenceFile, suiteFile)
	byName := false
	if givenSuite != "" {
		if suitePath, byName, err = a.lookUp(suiteFile, givenSuite); err != nil {
			return nil, nil, err
		}
	} else if !found {
		return ref, nil, nil
	}
	suite, err := parse(ctx, a, suitePath, exam.ParseSuite)
	if err != nil {
		return nil, nil, err
	}
	if a.diags.OK() {
		if byName {
			suite.CheckName(givenSuite, &a.diags)
		}
		suite.CheckReference(ref, &a.diags)
	}
	return ref, suite, nil
}
