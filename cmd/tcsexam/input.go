package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/internal/cli"
	"scorebook/strict"
)

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
	if _, err := os.Stat(path); cli.Absent(err) {
		return "", false, cli.Usage("no %s %q: looked for %s (folder from %s)\n"+
			"    hint: put the benchmark's file there, name the folder with --data, or give --%s a path such as ./%s.%s.json",
			kind, given, path, from, kind, given, kind)
	}
	return path, true, nil
}

// isPath reports whether a suite or reference was given by its path.
func isPath(given string) bool {
	return given == cli.Stdio || strings.ContainsAny(given, `/\`) || strings.HasSuffix(given, ".json")
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
	suite, err := cli.Parse(ctx, a.App, path, exam.ParseSuite)
	if err != nil || !a.Diags.OK() {
		return suite, nil, err
	}
	if byName {
		suite.CheckName(given, &a.Diags)
	}
	beside, ok := companion(path, suiteFile, referenceFile)
	if !ok {
		return suite, nil, nil
	}
	ref, err := cli.Parse(ctx, a.App, beside, exam.ParseReference)
	if err != nil {
		return nil, nil, err
	}
	if a.Diags.OK() {
		suite.CheckReference(ref, &a.Diags)
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
	ref, err := cli.Parse(ctx, a.App, path, exam.ParseReference)
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
	suite, err := cli.Parse(ctx, a.App, suitePath, exam.ParseSuite)
	if err != nil {
		return nil, nil, err
	}
	if a.Diags.OK() {
		if byName {
			suite.CheckName(givenSuite, &a.Diags)
		}
		suite.CheckReference(ref, &a.Diags)
	}
	return ref, suite, nil
}

// buffer reads an input whole that cannot be opened again, such as a pipe: its
// format is found first, and then it is read from its beginning.
func (a *app) buffer(ctx context.Context, path string) error {
	if path != cli.Stdio {
		info, err := os.Stat(path)
		if err != nil {
			return cli.NotThere(err)
		}
		if info.Mode().IsRegular() || info.IsDir() {
			return nil
		}
	}
	type content struct {
		bytes []byte
		err   error
	}
	read, err := cli.Parse(ctx, a.App, path, func(s *strict.Source, diags *diag.List) content {
		b, err := io.ReadAll(s)
		if s.TooLarge(diags) {
			err = nil
		}
		return content{b, err}
	})
	if err := errors.Join(err, read.err); err != nil {
		return err
	}
	if a.Buffered == nil {
		a.Buffered = map[string][]byte{}
	}
	a.Buffered[path] = read.bytes
	return nil
}
