package maporder

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The order of a map differs from run to run. If it reaches a result, the same arguments lead to other errors, another
// file or another state.
func TestNoResultDependsOnTheOrderOfAMap(t *testing.T) {
	t.Parallel()
	for _, module := range []string{
		".", "internal/azuresim", "internal/lab", "internal/provider", "internal/release", "tests",
	} {
		for _, finding := range findings(t, filepath.Join("..", "..", filepath.FromSlash(module))) {
			t.Error(finding)
		}
	}
}

// findings returns the findings in the packages of a module, without their tests. It takes the types of their imports
// from the build cache.
func findings(t *testing.T, module string) (found []Finding) {
	t.Helper()
	set := token.NewFileSet()
	packages := list(t, module, "./...")
	imports := importsFrom(set, packages)
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

// importsFrom imports packages from the files that the compiler has written for their importers.
func importsFrom(set *token.FileSet, packages []listed) types.Importer {
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{},
	}
}

// listed is a package as go list prints it. DepOnly is an import from another module.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// list returns packages and their imports, which come first.
func list(t *testing.T, module string, patterns ...string) (packages []listed) {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}, patterns...)
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = module
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%s: %v\n%s", command, err, exit.Stderr)
	}
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		t.Fatalf("%s: no packages", module)
	}
	return packages
}
