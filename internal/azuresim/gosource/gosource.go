// Package gosource parses the source of an SDK, for tests that compare the simulation with it. It parses instead of
// compiling because the compiler needs up to 5 GB for one package.
package gosource

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Load parses the package in the root of a module, without its tests, in the version that the module of the test
// requires.
func Load(t *testing.T, module string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(moduleDir(t, module), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// moduleDir returns the directory of a module, as go reports it. Messages on go's standard error, such as a download on
// a fresh machine, are not part of the answer.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	var report bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Stderr = &report
	out, err := cmd.Output()
	var found struct{ Dir string }
	if err := errors.Join(err, json.Unmarshal(out, &found)); err != nil {
		t.Fatalf("find the module %s: %v\n%s%s", module, err, &report, out)
	}
	return found.Dir
}
