package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// write replaces a file as a whole: what reads it meanwhile has the old text or the new
// one, and so has who ends this program. A file that is there keeps its permissions, a
// new one gets the given ones, whatever the umask is. A link is followed: see [checkInside].
func write(path string, text []byte, mode fs.FileMode) error {
	err := replace(path, text, mode)
	if err != nil {
		return manifests.Named(filepath.ToSlash(path), err)
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

// checkInside says whether a file that is to be written lies in a folder when links are
// followed: people mean the folder that they name, and do not know each link in it.
func checkInside(folder, path, fix string) error {
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil //nolint:nilerr // a folder that is not there has no links
	}
	// A link to nothing is replaced, not followed.
	target, err := filepath.EvalSymlinks(path)
	for parent := filepath.Dir(path); err != nil && parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		target, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return manifests.Named(filepath.ToSlash(path), err)
	}
	if below, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(below) {
		return fmt.Errorf("%s: a link leads out of the folder %s, and nothing is written there: %s",
			filepath.ToSlash(path), filepath.ToSlash(filepath.Clean(folder)), fix)
	}
	return nil
}
