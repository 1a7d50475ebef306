package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/atomicwriter"
)

// Write replaces a file in one step: a reader sees the old content or all of
// the new one, and the old one survives any failure. Folders on the way are
// made. An input is never replaced. What is not a regular
// file, such as a terminal or a pipe, is written to directly.
func (a *App) Write(path string, content []byte) error {
	if err := a.Ctx.Err(); err != nil {
		return err
	}
	if strings.HasSuffix(path, string(filepath.Separator)) {
		return Usage("--output %s names a folder: name a file in it", path)
	}
	if path == Stdio {
		if _, err := a.Stdout.Write(content); err != nil {
			return fmt.Errorf("write stdout: %w", err)
		}
		return nil
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		for _, input := range a.Inputs {
			if os.SameFile(info, input) {
				return Usage("--output %s is one of the inputs: name another file", path)
			}
		}
		if err := writable(path); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		if mode = info.Mode().Perm(); !info.Mode().IsRegular() && !info.IsDir() {
			if err := os.WriteFile(path, content, mode); err != nil {
				return fmt.Errorf("write %s: %w", path, err)
			}
			return nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := atomicwriter.WriteFile(path, content, mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writable returns why an existing file cannot be written to. A file that is
// kept read-only is not replaced, although the folder would allow it.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
