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
