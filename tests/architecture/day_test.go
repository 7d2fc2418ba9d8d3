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
		from := append(tests, p.Imports...)
		if !g.reaches(from, func(path string) bool { return path == clock }) {
			continue
		}
		asking++
		if !fixing[p.ImportPath] && !g.reaches(from, func(path string) bool { return fixing[path] }) &&
			!mentions(t, p, fixes, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
			t.Errorf("%s: its tests run on any day: import internal/system/clock/clocktest", relative(p.ImportPath))
		}
	}
	if asking < 30 {
		t.Errorf("the tests of only %d packages ask for the day", asking)
	}
}

// reaches reports whether packages are, or depend on, a package with a property.
func (g graph) reaches(from []string, is func(path string) bool) bool {
	seen := map[string]bool{}
	for next := slices.Clone(from); len(next) > 0; {
		path := next[0]
		if next = next[1:]; seen[path] {
			continue
		}
		seen[path] = true
		if is(path) {
			return true
		}
		next = append(next, g[path].Imports...)
	}
	return false
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
