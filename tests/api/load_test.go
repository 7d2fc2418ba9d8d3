package api

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/golist"
)

// load returns the types of packages from what the compiler wrote into the build cache for their importers.
func load(t *testing.T, dirs []string) []*types.Package {
	t.Helper()
	patterns := make([]string, len(dirs))
	for i, dir := range dirs {
		patterns[i] = "./" + dir
	}
	imports := golist.Importer(token.NewFileSet(), golist.List(t, root, patterns...))
	packages := make([]*types.Package, 0, len(dirs))
	for _, dir := range dirs {
		p, err := imports.Import(module + "/" + dir)
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		packages = append(packages, p)
	}
	return packages
}
