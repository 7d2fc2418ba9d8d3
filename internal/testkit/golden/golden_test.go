package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// The test that writes changes the flag, so that none of these runs beside another.
//
//nolint:paralleltest // See above.
func TestEqual(t *testing.T) {
	path := filepath.ToSlash(filepath.Join(t.TempDir(), "new", "text.golden"))
	for _, step := range []struct {
		name   string
		update bool
		got    string
	}{
		{name: "is written with its directory", update: true, got: "one\n"},
		{name: "is the same", got: "one\n"},
		{name: "is written again", update: true, got: "two\n"},
	} {
		t.Run(step.name, func(t *testing.T) {
			*update = step.update
			t.Cleanup(func() { *update = false })
			Equal(t, path, step.got)
			if data, err := os.ReadFile(path); err != nil || string(data) != step.got {
				t.Errorf("%q, %v in the file, want %q", data, err, step.got)
			}
		})
	}
	t.Run("differs", func(t *testing.T) {
		other := &testing.T{}
		Equal(other, path, "three\n")
		if !other.Failed() {
			t.Error("another text than the file's passes")
		}
	})
}

//nolint:paralleltest // See TestEqual.
func TestChanges(t *testing.T) {
	path := filepath.ToSlash(filepath.Join(t.TempDir(), "new", "text.diff"))
	for _, step := range []struct {
		name     string
		update   bool
		from, to string
		want     string // in the file; there is none without it
	}{
		{name: "are written", update: true, from: "one\n", to: "two\n", want: "@@ @@\n-one\n+two\n"},
		{name: "are the same", from: "one\n", to: "two\n", want: "@@ @@\n-one\n+two\n"},
		{name: "are removed", update: true, from: "one\n", to: "one\n"},
		{name: "do not exist", from: "one\n", to: "one\n"},
	} {
		t.Run(step.name, func(t *testing.T) {
			*update = step.update
			t.Cleanup(func() { *update = false })
			Changes(t, path, step.from, step.to)
			data, err := os.ReadFile(path)
			if string(data) != step.want || (err == nil) != (step.want != "") {
				t.Errorf("%q, %v in the file, want %q", data, err, step.want)
			}
		})
	}
	missing := &testing.T{}
	if Changes(missing, path, "one\n", "two\n"); !missing.Failed() {
		t.Error("a difference without a file passes")
	}
	if err := os.WriteFile(path, []byte("@@ @@\n-one\n+three\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"one\n", "two\n"} {
		differs := &testing.T{}
		if Changes(differs, path, "one\n", to); !differs.Failed() {
			t.Errorf("%q passes, which is not in the file", to)
		}
	}
}
