package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A public alias of an internal type has its documentation and its fields in a package that users do not read.
func TestNoPublicTypeIsAnAliasOfAnInternalOne(t *testing.T) {
	t.Parallel()
	watch(t)
	for _, floor := range publicFloors {
		reportAliases(t, filepath.Join(root, floor))
	}
}

func reportAliases(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, name := range internalAliases(file) {
			t.Errorf("%s: %s is an alias of an internal type: declare it in a public package, and alias that", path,
				name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// internalAliases returns the public types of a file that are aliases of internal ones.
func internalAliases(file *ast.File) []string {
	internal := map[string]bool{}
	for _, imported := range file.Imports {
		path, err := strconv.Unquote(imported.Path.Value)
		if err != nil || !strings.HasPrefix(path, module+"/") || !strings.Contains(path, "/internal/") {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if imported.Name != nil {
			name = imported.Name.Name
		}
		internal[name] = true
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || !spec.Assign.IsValid() || !spec.Name.IsExported() {
			return true
		}
		if of, ok := spec.Type.(*ast.SelectorExpr); ok {
			if pkg, ok := of.X.(*ast.Ident); ok && internal[pkg.Name] {
				found = append(found, spec.Name.Name)
			}
		}
		return true
	})
	return found
}

func TestInternalAliases(t *testing.T) {
	t.Parallel()
	const source = `package p

import (
	"` + module + `/core/value"
	"` + module + `/internal/core/value/tree"
	other "` + module + `/internal/core/preflight/credspec"
)

type Bad = tree.Secret

type (
	Worse  = other.Specification
	Fine   = value.Secret
	hidden = tree.Unknown
	Own    tree.Unknown
	Local  = Own
)
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Bad", "Worse"}, internalAliases(file)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
