package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the root of the checkout.
const root = "../.."

func read(t *testing.T, parts ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// files returns the files of the repository with one of the endings, except built and installed files.
func files(t *testing.T, endings ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			// The tests of the site have pages of their own, with dead links.
			if path == filepath.Join(root, "tests", "site") {
				return fs.SkipDir
			}
			if slices.Contains([]string{"node_modules", "dist", "sdk", "bin", ".git", ".lab"}, name) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
			return nil
		}
		inside, err := filepath.Rel(root, path)
		found = append(found, filepath.ToSlash(inside))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
