package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ncruces/go-sqlite3"
)

// Backup writes a copy of everything as of one moment into a new file. The
// journal can be used meanwhile. The copy is a database like the original; a
// file that is there is left alone. An empty one stays if the process ends in
// the midst of it.
func (s *SQLite) Backup(ctx context.Context, to string) (err error) {
	name, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and a backup replaces nothing: give another name", to)
	}
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	if file, err = os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(file.Name()))
		}
	}()
	if err := file.Close(); err != nil {
		return err
	}
	if err := s.copyInto(ctx, file.Name()); err != nil {
		return fmt.Errorf("copy %s to %s: %w", s.path, to, err)
	}
	if err := makeDurable(file.Name(), os.O_RDWR); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), name); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // which syncs no folders
	}
	return makeDurable(filepath.Dir(name), os.O_RDONLY)
}

// copyInto fills an empty file, over a connection of its own.
func (s *SQLite) copyInto(ctx context.Context, name string) (err error) {
	err = s.reader.take(ctx)
	s.reader.mu.Unlock()
	if err != nil {
		return err
	}
	db, err := s.connect(sqlite3.OPEN_READONLY)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	stmt, _, err := db.Prepare("VACUUM INTO ?")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	if err := stmt.BindText(1, name); err != nil {
		return err
	}
	db.SetInterrupt(ctx)
	defer db.SetInterrupt(context.Background())
	if err := stmt.Exec(); err != nil {
		return errors.Join(err, ctx.Err())
	}
	return nil
}

// makeDurable syncs what is in a file, or the names in a folder.
func makeDurable(name string, flag int) error {
	file, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
