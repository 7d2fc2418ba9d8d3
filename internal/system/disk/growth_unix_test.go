//go:build unix

package disk

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// deep returns a repository with that many directories in each other, each with a file and with links.
func deep(t *testing.T, depth int) (dir string) {
	t.Helper()
	files := map[string]string{".git/HEAD": ""}
	for i := range depth {
		below := strings.Repeat("d/", i+1)
		files[below+"a.yaml"] = "a"
		files[below+"near.yaml"] = "-> a.yaml"
		files[below+"far.yaml"] = "-> DIR/d/a.yaml"
		files[below+"link"] = "-> ../d"
	}
	return tree(t, files)
}

// To ask about all parents of each directory takes 16 times the questions in four times the depth, and the system reads
// a longer path for each.
func TestParentsAreReadOnce(t *testing.T) { //nolint:paralleltest // it counts allocations
	const depth = 30
	shallow, steep := deep(t, depth), deep(t, 4*depth)
	visit := func(string, fs.DirEntry, error) error { return nil }
	for name, allocations := range map[string]func(dir string, depth int) float64{
		"a missing file":            following("none"),
		"a file":                    following("a.yaml"),
		"a link":                    following("near.yaml"),
		"a link to a distant file":  following("far.yaml"),
		"a file behind a link":      following("link/a.yaml"),
		"a directory":               following("."),
		"a directory behind a link": following("link"),
		"the links of the directory": func(dir string, _ int) float64 {
			walking := testing.AllocsPerRun(1, func() { _ = new(Access).WalkDir(dir, visit) })
			return testing.AllocsPerRun(1, func() { _ = new(Access).CheckLinks(dir) }) - walking
		},
	} {
		if few, many := allocations(shallow, depth), allocations(steep, 4*depth); many > 6*few {
			t.Errorf("%s: %d directories take %.0f allocations, %d take %.0f", name, depth, few, 4*depth, many)
		}
	}
}

// following returns a function that counts the allocations of following a path in each of the directories.
func following(name string) func(dir string, depth int) float64 {
	return func(dir string, depth int) float64 {
		return testing.AllocsPerRun(1, func() {
			var a Access
			for i := range depth {
				_, _ = a.Follow(filepath.Join(dir, strings.Repeat("d/", i+1), name))
			}
		})
	}
}

// Only a link that is near the root of the file system can be of the system.
func TestTheBaseOfADeepPathIsNearTheRoot(t *testing.T) { //nolint:paralleltest // it counts allocations
	allocations := func(depth int) float64 {
		at := "/none" + strings.Repeat("/d", depth)
		return testing.AllocsPerRun(10, func() { base(at) })
	}
	if few, many := allocations(10), allocations(400); many > few {
		t.Errorf("a path of 10 directories takes %.0f allocations, one of 400 takes %.0f", few, many)
	}
}
