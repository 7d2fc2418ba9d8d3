package tools

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file")

// twice has the modules of which `make up` compiles two versions, and the reasons. The
// packages of other modules that import them are compiled twice as well: the golden file
// lists them as "again".
var twice = map[string]string{
	"github.com/pulumi/pulumi/pkg/v3": "the provider does not compile with the CLI's version: pkg/gen of its release " +
		"was made for another type",
	"github.com/pulumi/pulumi/sdk/v3": "the language host is part of the SDK up to 3.66 only; the provider's pkg/v3 " +
		"does not compile with 3.227, which azure-native's SDK requires",
}

// TestPackagesCompiledByMakeUp lists what a first `make up` compiles: all packages, by
// module, once each. A change that adds packages shows them here.
func TestPackagesCompiledByMakeUp(t *testing.T) {
	t.Parallel()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cache{
		Root: root, table: table(), platform: platform{"linux", "amd64"},
		environ: append(os.Environ(), VersionsVariable+"="),
	}
	builds := ofUp(t, c)

	var text strings.Builder
	seen, paths := map[string]bool{}, map[string]bool{}
	versions := map[string]map[string]bool{}
	for _, b := range builds {
		b.watch = newWatch(progress{out: newScreen(nil)})
		if b.prepare(t.Context(), true); b.failed != nil {
			t.Fatal(b.failed)
		}
		b.clean()
		more := map[string]int{}
		for importPath, one := range b.plan.packages {
			if seen[one.id] || !strings.Contains(strings.Split(importPath, "/")[0], ".") {
				continue
			}
			seen[one.id] = true
			module := one.module
			if paths[importPath] {
				module += " again"
			}
			paths[importPath] = true
			more[module]++
			name, version, _ := strings.Cut(one.module, "@")
			if versions[name] == nil {
				versions[name] = map[string]bool{}
			}
			versions[name][version] = true
		}
		fmt.Fprintf(&text, "%s: %d packages, not compiled before:\n", title(b), len(b.plan.packages))
		for _, module := range slices.Sorted(maps.Keys(more)) {
			fmt.Fprintf(&text, "\t%s %d\n", module, more[module])
		}
	}

	for name, all := range versions {
		if reason := twice[name]; (len(all) > 1) != (reason != "") {
			t.Errorf("%s is compiled in the versions %q; the reason for two is %q: require the same version in each "+
				"go.mod below internal/lab, and in the root",
				name, slices.Sorted(maps.Keys(all)), reason)
		}
	}
	golden := filepath.Join("testdata", "compiled.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("make up compiles other packages; if that is right, run the test with -update (-want +got):\n%s", diff)
	}
}

// ofUp returns the builds of a first `make up`.
func ofUp(tb testing.TB, c *Cache) []*build {
	tb.Helper()
	names, programs, err := c.ForUp("lab", Go)
	if err != nil {
		tb.Fatal(err)
	}
	chosen, err := c.choose(names)
	if err != nil {
		tb.Fatal(err)
	}
	var missing []*location
	for _, each := range chosen {
		missing = append(missing, &location{tool: each})
	}
	compiler := lookPath(c.environ, "go")
	var builds []*build
	for _, b := range batches(missing, false) {
		builds = append(builds, c.newBuild(compiler, b))
	}
	for _, program := range programs {
		builds = append(builds, c.newCompilation(compiler, program))
	}
	return builds
}

// title returns the name of a build without versions.
func title(b *build) string {
	if b.tools == nil {
		return b.name
	}
	var names []string
	for _, at := range b.tools {
		names = append(names, at.name)
	}
	return strings.Join(names, " ")
}
