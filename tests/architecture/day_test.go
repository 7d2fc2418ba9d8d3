package architecture_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	clock = module + "/internal/system/clock"
	fixes = `os.Setenv("SOURCE_DATE_EPOCH"`
)

// Tests fix the day, unless nothing that they run asks for it: findings depend on it.
func TestTestsFixTheDay(t *testing.T) {
	t.Parallel()
	g := load(t)
	fixing := map[string]bool{}
	for _, p := range g.own() {
		fixing[p.ImportPath] = mentions(t, p, fixes,
			func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
	}
	asking := 0
	for _, p := range g.own() {
		tests := slices.Concat(p.TestImports, p.XTestImports)
		if len(tests) == 0 || p.ImportPath == clock {
			continue
		}
		reaches := func(is func(path string) bool) bool {
			return slices.ContainsFunc(append(tests, p.Imports...), func(path string) bool {
				return is(path) || g.chain(path, is) != nil
			})
		}
		if !reaches(func(path string) bool { return path == clock }) {
			continue
		}
		asking++
		if !fixing[p.ImportPath] && !reaches(func(path string) bool { return fixing[path] }) &&
			!mentions(t, p, fixes, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
			t.Errorf("%s: its tests run on any day: import internal/system/clock/clocktest", relative(p.ImportPath))
		}
	}
	if asking < 30 {
		t.Errorf("the tests of only %d packages ask for the day", asking)
	}
}

// mentions reports whether a file of a package has a text.
func mentions(t *testing.T, p goPackage, text string, of func(name string) bool) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(p.ImportPath, module)),
		"*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return of(file) && bytes.Contains(content, []byte(text))
	})
}
