//go:build !linux

package bench

import "os"

func datasync(file *os.File) error { return file.Sync() }
