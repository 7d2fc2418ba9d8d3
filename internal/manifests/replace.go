package manifests

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace replaces a file as a whole: what reads it meanwhile has the old text or the new
// one, and so has who ends this program. A file that is there keeps its permissions, a
// new one gets the given ones, whatever the umask is. A link is followed.
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
