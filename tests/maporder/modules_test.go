package maporder

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/golist"
)

// The order of a map differs from run to run. If it reaches a result, the same arguments lead to other errors, another
// file or another state.
func TestNoResultDependsOnTheOrderOfAMap(t *testing.T) {
	t.Parallel()
	for _, module := range []string{
		".", "internal/azuresim", "internal/lab", "internal/provider", "internal/release", "tests",
	} {
		for _, finding := range findings(t, "../../"+module) {
			t.Error(finding)
		}
	}
}

// findings returns the findings in the packages of a module, without their tests. It takes the types of their imports
// from the build cache.
func findings(t *testing.T, module string) (found []Finding) {
	t.Helper()
	set := token.NewFileSet()
	packages := golist.List(t, module, "./...")
	imports := golist.Importer(set, packages)
	for _, p := range packages {
		if p.DepOnly {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := newInfo()
		if _, err := (&types.Config{Importer: imports}).Check(p.ImportPath, set, files, info); err != nil {
			t.Fatal(err)
		}
		found = append(found, Find(set, files, info)...)
	}
	return found
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{},
	}
}
