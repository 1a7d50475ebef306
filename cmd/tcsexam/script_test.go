package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"scorebook/internal/sample"
)

const scriptFolder = "testdata/script"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tcsexam": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the program as a user would: each script is a folder of
// input files, commands, and what stdout, stderr and the exit code must be.
// The sample benchmark lies in $SAMPLE, the real data of the vectors in $DATA.
func TestScripts(t *testing.T) {
	unpacked := t.TempDir()
	if err := os.CopyFS(unpacked, sample.Files()); err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs("../../testdata/data")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scriptFolder,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLE", unpacked)
			env.Setenv("DATA", data)
			env.Setenv("TCSEXAM_DATA", "")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	})
}

// exits runs a command and holds its exit code against the first argument:
// exits 1 tcsexam check file.
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
