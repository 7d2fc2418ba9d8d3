package cli

import (
	"bytes"
	"os"
	"testing"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// A difference can be applied, so it has the bytes of the file, except on a terminal.
func TestADifferenceDoesNothingToATerminal(t *testing.T) {
	t.Parallel()
	before := []byte("a: \"\x1b[2K\"\r\n\tb: ü\r\n")
	f := conversion.File{Name: "a.yaml", Changes: []manifests.Change{{At: 0, Text: "c: d\r\n"}}}
	const raw = "--- a.yaml\n+++ a.yaml\n@@ -1,2 +1,3 @@\n+c: d\r\n a: \"\x1b[2K\"\r\n \tb: ü\r\n"
	const shown = "--- a.yaml\n+++ a.yaml\n@@ -1,2 +1,3 @@\n+c: d\n a: \"\\x1b[2K\"\n \tb: ü\n"
	for onTerminal, want := range map[bool]string{false: raw, true: shown} {
		var out bytes.Buffer
		if err := show(&out, before, f, onTerminal, false); err != nil || out.String() != want {
			t.Errorf("terminal %t: got %q, %v, want %q", onTerminal, out.String(), err, want)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close(); _ = writer.Close() }()
	if isTerminal(file) || isTerminal(writer) || isTerminal(&bytes.Buffer{}) {
		t.Error("a file, a pipe or a buffer counts as a terminal")
	}
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = device.Close() }()
	if !isTerminal(device) {
		t.Error("a character device does not count as a terminal")
	}
}
