package labtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/packages"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// pins are the files that specify the packages of a program. All programs of tests have those of the stacks.
var pins = map[string][]string{
	"typescript": {"package.json", "package-lock.json", "tsconfig.json"},
	"python":     {"requirements.txt"},
}

// WithPins returns a copy of the directory of a program in a language, with the pins.
func WithPins(t *testing.T, dir, language string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), language)
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range pins[language] {
		content, err := os.ReadFile(filepath.Join(Checkout(t), "stacks", language, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(target, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

// Available skips the test if err is that the packages of a program are not available, and fails it for any other
// error.
func Available(t *testing.T, program string, err error) {
	t.Helper()
	if unavailable, ok := errors.AsType[packages.UnavailableError](err); ok {
		t.Skipf("%s is left out: %v", program, unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Commands returns a directory for PATH that has the mixedkube of the checkout, and the named tools of the lab.
func Commands(t *testing.T, names ...string) string {
	t.Helper()
	root := Checkout(t)
	cache, err := tools.FromRoot(root, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	paths, err := cache.Ensure(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	if paths["mixedkube"], err = cache.Executable(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, path := range paths {
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
