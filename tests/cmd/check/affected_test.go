package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAChangeAffectsItsPackageDependentsAndReaders(t *testing.T) {
	t.Parallel()
	g := scanned(t)
	disk := []affected{
		{"internal/system/disk", 0, "changed"},
		{"internal/cli", 1, "imports internal/system/disk"},
		{".", 2, "imports internal/cli"},
		{"components/guard", 2, "imports internal/cli"},
	}
	for name, tt := range map[string]struct {
		files []string
		want  effect
	}{
		"a source": {
			[]string{"internal/system/disk/disk.go"},
			effect{packages: disk, sources: []string{"internal/system/disk"}},
		},
		"a source whose exported names are promised": {
			[]string{"components/guard/guard.go"},
			effect{
				packages: []affected{
					{"components/guard", 0, "changed"},
					{"examples/web", 1, "imports components/guard"},
					{"tests/api", 1, "reads components/guard/guard.go"},
				},
				sources: []string{"components/guard"},
			},
		},
		"a test of a promised package, and a file of its names": {
			[]string{"components/guard/guard_test.go", "docs/api/components/guard.txt"},
			effect{
				packages: []affected{
					{"components/guard", 0, "changed"},
					{"tests/api", 1, "reads docs/api/components/guard.txt"},
				},
				sources: []string{"components/guard"},
			},
		},
		"a deleted source": {
			[]string{"internal/system/disk/old.go"},
			effect{packages: disk, sources: []string{"internal/system/disk"}},
		},
		"a test": {
			[]string{"internal/system/disk/disk_test.go"},
			effect{
				packages: []affected{{"internal/system/disk", 0, "changed"}}, sources: []string{"internal/system/disk"},
			},
		},
		"test data, which another package reads": {
			[]string{"internal/system/disk/testdata/file.txt", "internal/system/disk/testdata/broken.go"},
			effect{packages: []affected{
				{"internal/system/disk", 0, "changed"},
				{"internal/cli", 1, "reads internal/system/disk/testdata/file.txt"},
			}},
		},
		"an embedded file": {
			[]string{"internal/cli/examples/pods.json"},
			effect{packages: []affected{
				{"internal/cli", 0, "changed"},
				{".", 1, "imports internal/cli"},
				{"components/guard", 1, "imports internal/cli"},
			}},
		},
		"another file of a package": {
			[]string{"internal/cli/notes.txt"},
			effect{packages: []affected{{"internal/cli", 0, "changed"}}},
		},
		"a page": {
			[]string{"docs/guard.md"},
			effect{packages: []affected{
				{"tests/e2e", 1, "reads docs/guard.md"},
				{"tests/rulepages", 1, "reads docs/guard.md"},
			}},
		},
		"a page of rules, whose name its test composes": {
			[]string{"docs/rules/README.md"},
			effect{packages: []affected{{"tests/rulepages", 1, "reads docs/rules/README.md"}}},
		},
		"the requirements of a module": {
			[]string{"tests/go.mod"},
			effect{packages: []affected{
				{"tests/api", 1, "reads tests/go.mod"},
				{"tests/e2e", 1, "reads tests/go.mod"},
				{"tests/rulepages", 1, "reads tests/go.mod"},
			}},
		},
		"files without a reader": {
			[]string{
				"LICENSE", "internal/cli/budget.txt", "internal/lab/tools/etcd/etcd.go", "internal/deleted/deleted.go",
			},
			effect{unread: []string{
				"LICENSE", "internal/cli/budget.txt", "internal/lab/tools/etcd/etcd.go", "internal/deleted/deleted.go",
			}},
		},
	} {
		got := g.affectedBy(tt.files)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(effect{}, affected{}), ignoreEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheNearestReasonOfAPackageIsShown(t *testing.T) {
	t.Parallel()
	got := scanned(t).affectedBy([]string{"internal/system/disk/disk.go", "internal/cli/cli.go"})
	want := effect{
		packages: []affected{
			{"internal/cli", 0, "changed"},
			{"internal/system/disk", 0, "changed"},
			{".", 1, "imports internal/cli"},
			{"components/guard", 1, "imports internal/cli"},
		},
		sources: []string{"internal/cli", "internal/system/disk"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(effect{}, affected{}), ignoreEmpty); diff != "" {
		t.Errorf("the packages (-want +got):\n%s", diff)
	}
}
