// Package golden compares what a test got with a file that is kept beside it. A test
// that imports it has the flag -update, which writes the files instead.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Equal fails the test if a text is not that of a file. The path, with slashes, is
// relative to the package's directory.
func Equal(t *testing.T, path, got string) {
	t.Helper()
	path = filepath.FromSlash(path)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: run the test with -update if this is right (-want +got):\n%s", path, diff)
	}
}
