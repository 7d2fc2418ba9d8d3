package manifests

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace replaces a file atomically: a program that reads it meanwhile sees the old text or the new one, even if this
// program is killed. An existing file keeps its permissions, and a new one gets mode, whatever the umask is. A link is
// followed.
func Replace(path string, text []byte, mode fs.FileMode) error {
	err := replace(path, text, mode)
	if err != nil {
		return Named(filepath.ToSlash(path), err)
	}
	return nil
}

func replace(path string, text []byte, mode fs.FileMode) (err error) {
	if target, linkErr := filepath.EvalSymlinks(path); linkErr == nil {
		path = target
	}
	if info, statErr := os.Stat(path); statErr == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".mixedkube-*")
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
