package cli

import (
	"fmt"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// checkInside returns an error if a file to write is outside of a directory after links are followed: users mean the
// directory that they name, and may not know each link in it.
func checkInside(dir, path, fix string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil //nolint:nilerr // a directory that does not exist has no links
	}
	// A broken link is replaced, not followed.
	target, err := filepath.EvalSymlinks(path)
	for parent := filepath.Dir(path); err != nil && parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		target, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return manifests.Named(filepath.ToSlash(path), err)
	}
	if below, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(below) {
		return fmt.Errorf("%s: a link leads out of the directory %s, and nothing is written there: %s",
			filepath.ToSlash(path), filepath.ToSlash(filepath.Clean(dir)), fix)
	}
	return nil
}
