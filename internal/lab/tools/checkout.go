package tools

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// modulePath is the module at the root of a checkout.
const modulePath = "github.com/mixedkube/mixedkube"

// findRoot returns the checkout that contains dir.
func findRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; {
		if isRoot(at) {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("%s is not in a checkout of mixedkube: run it inside one: "+
				"the tools are built from the modules in its directory internal/lab/tools", dir)
		}
		at = up
	}
}

func isRoot(dir string) bool {
	content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(content) == modulePath
}

// moduleDir returns the directory of the tool's pinned module.
func (t tool) moduleDir(root string) string {
	return filepath.Join(root, "internal", "lab", "tools", t.dir)
}

// pinned reads the tool's version from its module file, which is the only place that has
// it.
func (t tool) pinned(root string) (string, error) {
	path := filepath.Join(t.moduleDir(root), cmp.Or(t.modfile, "go.mod"))
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: no such file: it pins the version of %s: restore it from git", path, t.name)
	}
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(path, content, nil)
	if err != nil {
		return "", err
	}
	for _, require := range file.Require {
		if require.Mod.Path == t.pin {
			return t.releaseOf(path, require.Mod.Version)
		}
	}
	return "", fmt.Errorf("%s does not require %s, whose version is that of %s: run go mod tidy there", path, t.pin,
		t.name)
}

func (t tool) releaseOf(path, version string) (string, error) {
	if t.release == (release{}) {
		return version, nil
	}
	if t.release.commit != version {
		return "", fmt.Errorf("%s requires %s %s, but table.go knows the release of %s only: change both together",
			path, t.pin, version, t.release.commit)
	}
	return t.release.version, nil
}
