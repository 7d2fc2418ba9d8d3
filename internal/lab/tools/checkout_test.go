package tools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

func TestTheCheckoutIsFoundFromAnyDirectoryInIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, dir := range []string{b.Root, filepath.Join(b.Root, "internal"), filepath.Join(b.dir(), "pinned")} {
		if root, err := findRoot(dir); err != nil || root != b.Root {
			t.Errorf("from %s: %q, %v", dir, root, err)
		}
	}
}

func TestErrorOutsideOfACheckout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := findRoot(dir)
	if err == nil {
		t.Fatal("no error")
	}
	equal(t, "error", err.Error(), dir+" is not in a checkout of mixedkube: run it inside one: "+
		"the tools are built from the modules in its directory internal/lab/tools")
	_, err = FromRoot(dir, nil)
	if err == nil {
		t.Fatal("no error")
	}
	equal(t, "error", err.Error(),
		dir+" is not a checkout of mixedkube: it has no go.mod of the module github.com/mixedkube/mixedkube")
}

func TestNewCacheIsInTheUsersCacheDirectory(t *testing.T) {
	user := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", user)
	t.Setenv("HOME", user)
	b := newBench(t)
	t.Chdir(b.dir())
	c, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(c.Dir, user) || !strings.HasSuffix(c.Dir, filepath.Join("mixedkube", "tools")) {
		t.Errorf("cache in %s", c.Dir)
	}
	// A temporary directory may be reached through a link.
	if want, _ := filepath.EvalSymlinks(b.Root); c.Root != b.Root && c.Root != want {
		t.Errorf("root %s, want %s", c.Root, want)
	}
}

func TestEveryToolOfTheTableIsPinned(t *testing.T) {
	t.Parallel()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range table() {
		pinned, err := tool.pinned(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if !semver.IsValid(pinned) || strings.Count(pinned, "-") > 0 {
			t.Errorf("%s: pinned to %s, which is not a release", tool.name, pinned)
		}
		if tool.release.version != "" && !strings.Contains(tool.install, tool.release.version) {
			t.Errorf("%s: %q names another release than %s", tool.name, tool.install, tool.release.version)
		}
		if !strings.HasPrefix(tool.ldflags(pinned), "-s -w") {
			t.Errorf("%s: linked with %s", tool.name, tool.ldflags(pinned))
		}
		checkPackage(t, tool, root)
	}
}

// checkPackage compares the table with the module directory: the table must build a
// tool of that module, or the module itself.
func checkPackage(t *testing.T, tool tool, root string) {
	t.Helper()
	dir := tool.moduleDir(root)
	if tool.pkg == "." || strings.HasPrefix(tool.pkg, modulePath) {
		if _, err := os.Stat(filepath.Join(dir, "main.go")); err != nil {
			t.Errorf("%s: %v", tool.name, err)
		}
		return
	}
	content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(file.Tool, func(line *modfile.Tool) bool { return line.Path == tool.pkg }) {
		t.Errorf("%s: %s/go.mod has no tool line for %s", tool.name, tool.dir, tool.pkg)
	}
}

func TestAnOracleHasTheMinorVersionOfItsName(t *testing.T) {
	t.Parallel()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	c := Cache{Root: root, table: table()}
	for _, name := range Oracles() {
		pinned, err := c.Pinned(name)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, name, "oracle-"+strings.TrimPrefix(semver.MajorMinor(pinned), "v"), name)
	}
}

func TestVersionsAreStamped(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"etcd": "-s -w",
		"kube-apiserver": "-s -w -X k8s.io/component-base/version.gitVersion=v1.2.3 -X " +
			"k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=2 -X " +
			"k8s.io/client-go/pkg/version.gitVersion=v1.2.3",
		"kwok":                 "-s -w -X sigs.k8s.io/kwok/pkg/consts.Version=v1.2.3",
		"pulumi":               "-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v1.2.3",
		"pulumi-language-go":   "-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v1.2.3",
		"pulumi-language-yaml": "-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.2.3",
		"pulumi-resource-kubernetes": "-s -w -X " +
			"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version=1.2.3",
	}
	for _, tool := range table() {
		if flags, known := want[tool.name]; known {
			equal(t, tool.name, tool.ldflags("v1.2.3"), flags)
		}
	}
}

func TestInvalidPinsAreReported(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hello := fakeTable()[0]
	path := filepath.Join(b.dir(), "go.mod")

	strange := hello
	strange.pin = "example.com/other"
	_, err := strange.pinned(b.Root)
	equal(t, "not required", b.masked(err), "ROOT/internal/lab/tools/hello/go.mod does not require example.com/other, "+
		"whose version is that of hello: run go mod tidy there")

	moved := hello
	moved.release = release{commit: "v0.0.0-20250101000000-abcdefabcdef", version: "v1.0.0"}
	_, err = moved.pinned(b.Root)
	equal(t, "other commit", b.masked(err),
		"ROOT/internal/lab/tools/hello/go.mod requires example.com/pinned v1.2.3, but "+
			"table.go knows the release of v0.0.0-20250101000000-abcdefabcdef only: change both together")

	write(t, path, "module (")
	_, err = hello.pinned(b.Root)
	equal(t, "not a go.mod", b.masked(err),
		"ROOT/internal/lab/tools/hello/go.mod:1:9: syntax error (unterminated block started at "+
			"ROOT/internal/lab/tools/hello/go.mod:1:1)")

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err = hello.pinned(b.Root)
	equal(t, "no go.mod", b.masked(err),
		"ROOT/internal/lab/tools/hello/go.mod: no such file: it pins the version of hello: restore it from git")
}
