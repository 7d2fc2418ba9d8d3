package kustomize_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// write writes files below a new directory, which is a repository, and returns it.
func write(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		tb.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// build builds a directory of files.
func build(tb testing.TB, files map[string]string, dir string) (*kustomize.Build, string) {
	tb.Helper()
	root := write(tb, files)
	b, err := kustomize.NewReader(new(disk.Access)).Build(filepath.Join(root, dir))
	if err != nil {
		tb.Fatal(err)
	}
	return b, root
}

// objects returns the objects of a build.
func objects(tb testing.TB, b *kustomize.Build) (all []map[string]any) {
	tb.Helper()
	for line := range bytes.Lines(b.Text) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			tb.Fatal(err)
		}
		all = append(all, tree.Map(tree.Normalize(object)))
	}
	return all
}
