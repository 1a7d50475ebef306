// Package sample embeds a small benchmark to try the program on: real runs of
// a solver as its solver tasks, and made-up results for the other tracks. It is
// a sample and not the official suite.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed files
var files embed.FS

// Files returns the files of the sample as they are unpacked into a folder.
func Files() fs.FS {
	sub, err := fs.Sub(files, "files")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
