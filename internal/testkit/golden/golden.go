// Package golden compares what a test got with a file that is kept beside it. A test
// that imports it has the flag -update, which writes the files instead.
package golden

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Equal fails the test if a text is not that of a file. The path, with slashes, is
// relative to the package's directory.
func Equal(t *testing.T, path, got string) {
	t.Helper()
	path = filepath.FromSlash(path)
	if *update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, path, string(want), got)
}

// Changes fails the test if the [Difference] between two texts is not that of a file. There is no file if the texts are
// equal. It is for a text that repeats most of another one, which has a golden file of its own.
func Changes(t *testing.T, path, from, to string) {
	t.Helper()
	path = filepath.FromSlash(path)
	got := Difference(from, to)
	if *update {
		if got != "" {
			write(t, path, got)
		} else if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	compare(t, path, string(want), got)
}

// UpdateAndPreview compares the texts of an update and of a preview of one program with the files NAME.update.golden
// and NAME.preview.diff: see [Equal] and [Changes].
func UpdateAndPreview(t *testing.T, name, update, preview string) {
	t.Helper()
	Equal(t, name+".update.golden", update)
	Changes(t, name+".preview.diff", update, preview)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func compare(t *testing.T, path, want, got string) {
	t.Helper()
	if diff := Diff(want, got); diff != "" {
		t.Errorf("%s: run the test with -update if this is right:\n%s", path, diff)
	}
}
