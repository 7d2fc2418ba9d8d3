package cli

import (
	"fmt"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// checkInside reports whether a file that is to be written lies in a folder when links are
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
