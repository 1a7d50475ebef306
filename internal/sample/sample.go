// Package sample embeds what the programs are tried on: a small benchmark, with
// real runs of a solver as its solver tasks and made-up results for the other
// tracks, which is not the official suite; and the questions of a contest.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed files
var files embed.FS

//go:embed contest/ground-truth.csv
var groundTruth []byte

// GroundTruth returns a table of 22 questions of AIC 2025.
func GroundTruth() []byte { return groundTruth }

// Files returns the files of the sample as they are unpacked into a folder.
func Files() fs.FS {
	sub, err := fs.Sub(files, "files")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
