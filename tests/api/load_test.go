package api

import (
	"bytes"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// load returns the types of packages from what the compiler wrote into the build cache for their importers.
func load(t *testing.T, dirs []string) []*types.Package {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}"}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = filepath.FromSlash(root)
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[name] = file
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		return os.Open(files[name])
	})
	packages := make([]*types.Package, 0, len(dirs))
	for _, dir := range dirs {
		p, err := from.Import(module + "/" + dir)
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		packages = append(packages, p)
	}
	return packages
}
