// Package golist lists the packages of a module, with the types that the compiler has written for their importers.
package golist

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Package is a package as `go list` prints it. DepOnly is an import that the patterns do not match.
type Package struct {
	ImportPath, Dir, Export string

	GoFiles []string
	DepOnly bool
}

// List returns the packages that patterns match in the module of a directory, and their imports, which come first.
func List(t *testing.T, dir string, patterns ...string) (packages []Package) {
	t.Helper()
	args := append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}, patterns...)
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = filepath.FromSlash(dir)
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%s: %v\n%s", command, err, exit.Stderr)
	}
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p Package
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		t.Fatalf("%s: no packages", dir)
	}
	return packages
}

// Importer returns an importer of packages and of their imports, which reads the build cache.
func Importer(set *token.FileSet, packages []Package) types.Importer {
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}
