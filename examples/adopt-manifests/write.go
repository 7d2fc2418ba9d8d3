package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/manifestfiles"
)

// write replaces a file as a whole: what reads it meanwhile has the old text or the new
// one, and so has who ends this program. It keeps the file's permissions, and follows a
// link.
func write(path string, text []byte) error {
	err := replace(path, text)
	if err != nil {
		return manifestfiles.Named(filepath.ToSlash(path), err)
	}
	return nil
}

func replace(path string, text []byte) (err error) {
	if target, linkErr := filepath.EvalSymlinks(path); linkErr == nil {
		path = target
	}
	mode := fs.FileMode(0o644)
	if info, statErr := os.Stat(path); statErr == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".adopt-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	_, writeErr := temporary.Write(text)
	if err := errors.Join(writeErr, temporary.Chmod(mode), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
