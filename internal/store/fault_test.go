package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"

	"scorebook/contest"
	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
	"scorebook/internal/store"
)

// disk is the operating system's files, until they fail.
type disk struct {
	vfs.VFS
	left  atomic.Int64 // operations that still succeed; negative: all
	fault atomic.Pointer[error]
}

// newDisk registers a disk for one test.
func newDisk(t *testing.T) (*disk, store.Options) {
	d := &disk{VFS: vfs.Find("")}
	d.heal()
	name := strings.ReplaceAll(t.Name(), "/", "-")
	vfs.Register(name, d)
	t.Cleanup(func() { vfs.Unregister(name) })
	return d, store.Options{VFS: name}
}

// failAfter lets n more writes and syncs succeed.
func (d *disk) failAfter(n int64, fault error) {
	d.fault.Store(&fault)
	d.left.Store(n)
}

func (d *disk) heal() { d.left.Store(-1) }

func (d *disk) use() error {
	for {
		switch left := d.left.Load(); {
		case left < 0:
			return nil
		case left == 0:
			return *d.fault.Load()
		case d.left.CompareAndSwap(left, left-1):
			return nil
		}
	}
}

func (d *disk) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return d.wrap(vfsutil.WrapOpen(d.VFS, name, flags))
}

func (d *disk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return d.wrap(vfsutil.WrapOpenFilename(d.VFS, name, flags))
}

func (d *disk) wrap(file vfs.File, flags vfs.OpenFlag, err error) (vfs.File, vfs.OpenFlag, error) {
	if err != nil {
		return nil, flags, err
	}
	return fallible{file, d}, flags, nil
}

type fallible struct {
	vfs.File
	disk *disk
}

func (f fallible) SharedMemory() vfs.SharedMemory { return vfsutil.WrapSharedMemory(f.File) }

func (f fallible) WriteAt(p []byte, at int64) (int, error) {
	if err := f.disk.use(); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], at) // a half is worse than nothing
		return n, err
	}
	return f.File.WriteAt(p, at)
}

func (f fallible) Sync(flags vfs.SyncFlag) error {
	if err := f.disk.use(); err != nil {
		return err
	}
	return f.File.Sync(flags)
}

func (f fallible) Truncate(size int64) error {
	if err := f.disk.use(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// However far a write gets before the disk fails: it is an error, no half is
// there, what was there stays, and later appends work when the disk does again.
func TestDiskFails(t *testing.T) {
	for _, fault := range []error{sqlite3.FULL, sqlite3.IOERR_WRITE, sqlite3.IOERR_FSYNC, sqlite3.READONLY, syscall.ENOSPC, syscall.EIO} {
		t.Run(fmt.Sprint(fault), func(t *testing.T) {
			disk, options := newDisk(t)
			path := filepath.Join(t.TempDir(), "contest.db")
			log := openWith(t, path, options)
			journaltest.Append(t, log, journaltest.Events(0, 5)...)
			head, failures := contest.Seq(5), 0
			for n := int64(0); ; n++ {
				events := append(journaltest.Events(head, 20), journaltest.Large(head+21, 20<<10))
				disk.failAfter(n, fault)
				records, err := log.Append(t.Context(), head, events)
				left := disk.left.Load()
				disk.heal()
				if err == nil {
					head += contest.Seq(len(events))
					journaltest.Whole(t, log, head)
					if left > 0 {
						break // the disk did not fail any more
					}
					continue
				}
				failures++
				if records != nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), "\n") {
					t.Errorf("after %d operations: found %v, %v", n, records, err)
				}
				journaltest.Whole(t, log, head)
				journaltest.Append(t, log, journaltest.Events(head, 1)...)
				head++
			}
			if failures < 5 {
				t.Errorf("found %d failures: the disk is not asked", failures)
			}
			shut(t, log)
			journaltest.Whole(t, open(t, path), head)
		})
	}
}

// As long as the disk is full everything is refused, and read.
func TestDiskStaysFull(t *testing.T) {
	disk, options := newDisk(t)
	log := openWith(t, filepath.Join(t.TempDir(), "contest.db"), options)
	journaltest.Append(t, log, journaltest.Events(0, 5)...)
	disk.failAfter(0, sqlite3.FULL)
	for range 5 {
		if _, err := log.Append(t.Context(), 5, journaltest.Events(5, 3)); !errors.Is(err, sqlite3.FULL) {
			t.Errorf("found %v", err)
		}
		journaltest.Whole(t, log, 5)
	}
	disk.heal()
	journaltest.Append(t, log, journaltest.Events(5, 3)...)
	journaltest.Whole(t, log, 8)
}

func TestQuota(t *testing.T) {
	log := open(t, filled(t, 5))
	if err := log.Exec("PRAGMA max_page_count = 20"); err != nil {
		t.Fatal(err)
	}
	head := contest.Seq(5)
	var err error
	for err == nil {
		if _, err = log.Append(t.Context(), head, journaltest.Events(head, 10)); err == nil {
			head += 10
		}
	}
	if !errors.Is(err, sqlite3.FULL) {
		t.Errorf("found %v", err)
	}
	journaltest.Whole(t, log, head)
	if err := log.Exec("PRAGMA max_page_count = 4294967294"); err != nil {
		t.Fatal(err)
	}
	journaltest.Append(t, log, journaltest.Events(head, 10)...)
	journaltest.Whole(t, log, head+10)
}

// A new database on a full disk is refused, and works when there is room.
func TestNewOnFullDisk(t *testing.T) {
	disk, options := newDisk(t)
	path := filepath.Join(t.TempDir(), "contest.db")
	for n := int64(0); ; n++ {
		disk.failAfter(n, sqlite3.FULL)
		log, err := store.OpenSQLite(context.Background(), path, options)
		disk.heal()
		if err == nil {
			journaltest.Append(t, log, journaltest.Events(0, 1)...)
			journaltest.Whole(t, log, 1)
			shut(t, log)
			return
		}
		if !errors.Is(err, sqlite3.FULL) {
			t.Fatalf("after %d operations: found %v", n, err)
		}
	}
}

// Damage in the file is seen.
func TestDamage(t *testing.T) {
	path := filled(t, 2000)
	damage(t, path)
	log, err := store.OpenSQLiteReadOnly(t.Context(), path)
	if err == nil {
		err = errors.Join(journal.Verify(t.Context(), log), log.Close())
	}
	if err == nil {
		t.Error("found no error")
	}
}
