package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// toolVersion is the version that results name as their origin. It changes
// with every release, and whenever the same input gives another score.
const toolVersion = "0.1.0"

// version returns the version with the revision it was built from.
func version() string {
	revision, modified := "unknown revision", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = "revision " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	return fmt.Sprintf("%s (%s%s, %s)", toolVersion, revision, modified, runtime.Version())
}
