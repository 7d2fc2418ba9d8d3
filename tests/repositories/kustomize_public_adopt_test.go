package repositories_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// After adopt, each public kustomization builds what adopt makes of its objects, and a second run changes nothing.
func TestAdoptCompletesPublicKustomizations(t *testing.T) {
	builds, objects := 0, 0
	for _, from := range publicClones(t) {
		t.Run(filepath.Base(from), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Log(err) // it has a link that leaves it
				return
			}
			want := map[string][]any{}
			for _, root := range rootsIn(t, dir) {
				if text, built := libraryBuild(root); built {
					want[root] = adopted(t, text)
				}
			}
			if len(want) == 0 {
				return // builds nothing offline
			}
			_, output := adopt(t, "-w", "--write-patches", dir)
			for root, want := range want {
				text, built := libraryBuild(root)
				if !built {
					t.Errorf("%s can no longer be built", root)
					continue
				}
				builds++
				objects += len(want)
				if diff := cmp.Diff(want, valuesIn(t, text)); diff != "" {
					t.Errorf("%s (-stream +repository):\n%s", root, diff)
				}
			}
			after := filesIn(t, dir)
			adopt(t, "-w", "--write-patches", dir)
			if diff := cmp.Diff(after, filesIn(t, dir)); diff != "" {
				t.Errorf("a second run changes (-first +second):\n%s", diff)
			}
			if strings.Contains(output, "nor a patch completes it") {
				t.Log("open:", output)
			}
		})
	}
	t.Logf("%d builds of %d objects", builds, objects)
}

// adopted returns the objects of a stream as adopt completes them.
func adopted(tb testing.TB, stream []byte) []any {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "stream.yaml")
	if err := os.WriteFile(file, stream, 0o600); err != nil {
		tb.Fatal(err)
	}
	adopt(tb, "-w", file)
	completed, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	return valuesIn(tb, completed)
}
