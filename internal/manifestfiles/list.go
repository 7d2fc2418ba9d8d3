package manifestfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// List returns a file itself, whatever it is called, and the manifests of a folder
// and of those below it, in the order of their names. Hidden folders (.git,
// .github) are left out, unless they are named.
func List(root string) (files []string, problems []error) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, Named(filepath.ToSlash(path), err))
		case entry.IsDir():
			if path != root && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
		case path == root || isManifest(path):
			files = append(files, path)
		}
		return nil
	})
	return files, problems
}

func isManifest(path string) bool {
	// Not what is linked to as a folder.
	info, err := os.Stat(path)
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path))) && (err != nil || !info.IsDir())
}

// Named says once which file an error is about.
func Named(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
