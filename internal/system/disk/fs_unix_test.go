//go:build unix

package disk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

func TestADirectoryIsAFileSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "chart", "templates"), 0o700))
	for _, name := range []string{"secret", "chart/Chart.yaml", "chart/templates/a.yaml"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	must(t, os.Symlink("chart", filepath.Join(dir, "link")))
	chart := new(disk.Access).FS(filepath.Join(dir, "link"))
	if err := fstest.TestFS(chart, "Chart.yaml", "templates/a.yaml"); err != nil {
		t.Error(err)
	}

	must(t, os.Symlink("templates/a.yaml", filepath.Join(dir, "chart", "inside")))
	must(t, os.Symlink("../secret", filepath.Join(dir, "chart", "outside")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "chart", "pipe"), 0o600))
	files := new(disk.Access).FS(filepath.Join(dir, "chart"))
	for name, want := range map[string]string{
		"inside": "chart/templates/a.yaml", "outside": "", "pipe": "", "templates": "", "../secret": "", "none": "",
	} {
		text, err := fs.ReadFile(files, name)
		if string(text) != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if info, err := fs.Stat(files, "pipe"); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info, err)
	}
}

// Where a directory leads is decided as for files: a link out of a repository is not followed.
func TestAFileSystemIsNotBehindALinkOutOfTheRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "repository", ".git"), 0o700))
	must(t, os.MkdirAll(filepath.Join(dir, "other"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "other", "a"), nil, 0o600))
	must(t, os.Symlink("../other", filepath.Join(dir, "repository", "link")))
	if _, err := fs.Stat(new(disk.Access).FS(filepath.Join(dir, "repository", "link")), "a"); err == nil {
		t.Error("the link is followed")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
