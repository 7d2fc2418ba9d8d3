package main

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/cli"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The map has a line for each package that others can import, each internal package and each top directory, and no
// other lines. Everything that it mentions exists.
func TestTheMapIsComplete(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	text := file.Doc.Text()
	var listed []string
	for _, entry := range regexp.MustCompile(`(?m)^ +- ([a-z/]+): `).FindAllStringSubmatch(text, -1) {
		listed = append(listed, entry[1])
	}
	want := dirs(t, ".")
	for _, name := range dirs(t, "internal") {
		want = append(want, path.Join("internal", name))
	}
	for _, floor := range []string{
		"core", "machines", "system", "components",
		"internal/core", "internal/system", "internal/components", "internal/testkit",
	} {
		want = append(want, importable(t, floor)...)
	}
	slices.Sort(want)
	slices.Sort(listed)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("the packages and directories and those on the map (-want +got):\n%s", diff)
	}
	paths := regexp.MustCompile(`\b(core|machines|system|components|internal|docs|tests)/[a-z/]+(\.md)?`)
	for _, named := range paths.FindAllString(text, -1) {
		if _, err := os.Stat(named); err != nil {
			t.Errorf("the map names a missing file: %v", err)
		}
	}
}

// importable returns the packages below a directory that other modules can import.
func importable(t *testing.T, dir string) []string {
	t.Helper()
	var packages []string
	for _, name := range dirs(t, dir) {
		if name == "testdata" || name == "internal" {
			continue
		}
		below := path.Join(dir, name)
		if files, err := filepath.Glob(filepath.Join(below, "*.go")); err == nil && len(files) > 0 {
			packages = append(packages, below)
		}
		packages = append(packages, importable(t, below)...)
	}
	return packages
}

// As after `go install`, the command runs without the repository, and leaves nothing behind.
func TestTheCommandRunsInAnEmptyDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {os: {name: windows}, hostPID: true, " +
		"nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: shop.example/a}]}}"
	var stdout, stderr strings.Builder
	code := cli.Run(t.Context(), []string{"check", "-"}, strings.NewReader(pod), &stdout, &stderr)
	const want = "stdin:1: Pod/p: error: spec.hostPID: … (MK111)\n"
	if !cmp.Equal(want, stdout.String(), golden.AnySentence) ||
		stderr.String() != "checked: 1 object in 1 file, 1 error\n" || code != 1 {
		t.Errorf("exit %d, output %q, want %q, errors %q", code, stdout.String(), want, stderr.String())
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left behind", err, left)
	}
}

// dirs returns the directories in a directory that are neither hidden nor created by make.
func dirs(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "bin" && entry.Name() != "dist" {
			names = append(names, entry.Name())
		}
	}
	return names
}
