package api

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// files has a file for each package of the API, named by its directory, and released.
const files = "docs/api"

const (
	headingPromised = "# The exported API of %s. Written by `make generate`.\n" +
		"# docs/stability.md says what stays.\n"
	headingUsed = "# The types of %s that the API of promised packages uses. Written by `make generate`.\n" +
		"# docs/stability.md says what stays.\n"
)

func TestGeneratedAPI(t *testing.T) {
	t.Parallel()
	api := listAPI(load(t, promised(t)))
	expected := map[string]bool{released: true}
	for dir := range maps.Keys(api.lines) {
		heading := headingUsed
		if api.promised[module+"/"+dir] {
			heading = headingPromised
		}
		file := files + "/" + dir + ".txt"
		expected[file] = true
		golden.Equal(t, root+"/"+file, fmt.Sprintf(heading, dir)+strings.Join(api.of(dir), "\n")+"\n")
	}
	for _, file := range existing(t) {
		switch {
		case expected[file]:
		case flag.Lookup("update").Value.String() == "true":
			if err := os.Remove(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Error(err)
			}
		default:
			t.Errorf("%s belongs to no package of the API: run `make generate`, which removes it", file)
		}
	}
}

// existing returns the files below docs/api.
func existing(t *testing.T) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(root), files, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// current returns the lines of the API, each after its package.
func current(t *testing.T) []string {
	t.Helper()
	api := listAPI(load(t, promised(t)))
	var all []string
	for _, dir := range slices.Sorted(maps.Keys(api.lines)) {
		for _, line := range api.of(dir) {
			all = append(all, dir+": "+line)
		}
	}
	return all
}
