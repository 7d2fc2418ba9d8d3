package manifests

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
// .github) are left out, unless they are named. The folder that is named may be a link,
// those below are not followed. A manifest of a folder must be a regular file, or a
// link to one.
func List(root string) (files []string, problems []error) {
	start := root
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		if start, err = filepath.EvalSymlinks(root); err != nil {
			return nil, []error{Named(filepath.ToSlash(root), err)}
		}
	}
	_ = filepath.WalkDir(start, func(path string, entry fs.DirEntry, err error) error {
		isRoot := path == start
		// Files have the name of what was named.
		if below, relErr := filepath.Rel(start, path); relErr == nil {
			path = filepath.Join(root, below)
		}
		switch {
		case err != nil:
			problems = append(problems, Named(filepath.ToSlash(path), err))
		case entry.IsDir():
			if !isRoot && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
		case isRoot:
			files = append(files, path)
		case isManifest(path):
			// What a link leads to counts. What is wrong with it reading says.
			switch info, err := os.Stat(path); {
			case err != nil || info.Mode().IsRegular():
				files = append(files, path)
			case !info.IsDir():
				problems = append(problems,
					fmt.Errorf("%s: not a regular file: remove it from the folder, or name the file itself",
						filepath.ToSlash(path)))
			}
		}
		return nil
	})
	return files, problems
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}

// Named says once which file an error is about.
func Named(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
