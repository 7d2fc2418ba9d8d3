package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// A difference can be applied, so it has the bytes of the file, except where something would interpret them.
func TestADifferenceDoesNothingToItsReader(t *testing.T) {
	t.Parallel()
	before := []byte("a: \"\x1b[2K ##vso[task.complete]\"\r\n\tb: ü\r\n")
	f := conversion.File{Name: "a.yaml", Changes: []manifests.Change{{At: 0, Text: "c: d\r\n"}}}
	const start = "--- a.yaml\n+++ a.yaml\n@@ -1,2 +1,3 @@\n"
	for to, want := range map[reader]string{
		toProgram:  start + "+c: d\r\n a: \"\x1b[2K ##vso[task.complete]\"\r\n \tb: ü\r\n",
		toTerminal: start + "+c: d\n a: \"\\x1b[2K #\\x23vso[task.complete]\"\n \tb: ü\n",
		toAgent:    start + "+c: d\r\n a: \"\x1b[2K #\\x23vso[task.complete]\"\r\n \tb: ü\r\n",
	} {
		var out bytes.Buffer
		if err := show(&out, before, f, to, false); err != nil || out.String() != want {
			t.Errorf("reader %d: got %q, %v, want %q", to, out.String(), err, want)
		}
	}
}

// Completed manifests are for another program: a log with commands gets an error instead of other manifests.
func TestManifestsDoNothingToTheirReader(t *testing.T) {
	t.Parallel()
	const text = "a: \"\x1b[2K ##vso[task.complete]\"\r\n"
	f := conversion.File{Name: "a.yaml", Text: []byte(text)}
	for to, want := range map[reader]string{
		toProgram: text, toTerminal: "a: \"\\x1b[2K #\\x23vso[task.complete]\"\n",
		toAgent: "a.yaml: has a command for the agent of this pipeline (##vso[, ##[ or ::), and " +
			"standard output is its log: redirect it into a file, or name a directory with --out",
	} {
		var out bytes.Buffer
		if err := together(&out, to, 0, f); err != nil {
			out.WriteString(err.Error())
		}
		if out.String() != want {
			t.Errorf("reader %d: got %q, want %q", to, out.String(), want)
		}
	}
	var out bytes.Buffer
	harmless := conversion.File{Name: "a.yaml", Text: []byte("a: b")}
	if err := together(&out, toAgent, 1, harmless); err != nil || out.String() != "---\na: b\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// A redirected output is a file, in pipelines as well.
func TestReaderOf(t *testing.T) { //nolint:paralleltest // it changes the environment
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	from, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close(); _ = pipe.Close() }()
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = device.Close() }()
	for _, in := range append([]string{""}, agents...) {
		for _, name := range agents {
			t.Setenv(name, "")
		}
		ofPipe := toProgram
		if in != "" {
			t.Setenv(in, "True")
			ofPipe = toAgent
		}
		got := []reader{readerOf(file), readerOf(pipe), readerOf(device), readerOf(&bytes.Buffer{})}
		if diff := cmp.Diff([]reader{toProgram, ofPipe, toTerminal, toProgram}, got); diff != "" {
			t.Errorf("in %q: (-want +got):\n%s", in, diff)
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
