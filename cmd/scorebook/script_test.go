package main

import (
	"archive/zip"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write generated files anew instead of comparing them")

// asProgram in the environment makes the test binary the program, for tests
// that need a process of its own.
const asProgram = "SCOREBOOK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if path := os.Getenv(asReference); path != "" {
		fmt.Fprintln(os.Stderr, reference(path))
		os.Exit(1)
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){
		"scorebook": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the program as a user would. The sample of ground truth lies
// in $DATA.
func TestScripts(t *testing.T) {
	data, err := filepath.Abs("../../testdata/data")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", data)
			env.Setenv(adminVariable, "")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"play":  play,
			"swap":  swap,
			"unzip": unzip,
		},
	})
}

// exits runs a command and holds its exit code against the first argument:
// exits 1 scorebook check file.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// unzip takes the files out of a zip, into the folder where it lies: unzip FILE.
func unzip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unzip FILE")
	}
	path := ts.MkAbs(args[0])
	z, err := zip.OpenReader(path)
	ts.Check(err)
	defer z.Close() //nolint:errcheck // only read
	for _, file := range z.File {
		content, err := fs.ReadFile(z, file.Name)
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(filepath.Dir(path), file.Name), content, 0o600))
	}
}

// swap replaces one text in a file by another one: swap FILE OLD NEW.
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: swap FILE OLD NEW")
	}
	before := ts.ReadFile(args[0])
	if n := strings.Count(before, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times, expected once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(before, args[1], args[2], 1)), 0o600))
}
