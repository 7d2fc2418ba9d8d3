//go:build unix

package userfiles_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// pipe creates a named pipe.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("needs named pipes: use a file system that has them: %v", err)
	}
}

func TestAPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe(t, filepath.Join(dir, "pipe.yaml"))
	pipe(t, filepath.Join(dir, "pipe"))
	for link, to := range map[string]string{"link.yaml": "pipe", "null.json": os.DevNull, "broken.yml": "none"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	const (
		irregular = ": not a regular file: remove it from the directory, or name the file itself"
		silent    = ": a pipe that nothing writes to: name a regular file instead"
	)
	for _, tt := range []struct {
		name string
		want []string
	}{
		{
			"", []string{
				"/link.yaml" + irregular, "/pipe.yaml" + irregular, "/broken.yml: no such file or directory",
				"/null.json: a link leads out of DIR, to /dev/null, and is not followed: name that file itself",
			},
		},
		{"/pipe.yaml", []string{"/pipe.yaml" + silent}},
		{"/link.yaml", []string{"/link.yaml" + silent}},
		{"/pip*.yaml", []string{"/pipe.yaml" + silent}},
	} {
		files, errs := userfiles.Read(t.Context(), new(disk.Access), []string{dir + tt.name}, userfiles.Skips{})
		var got []string
		for _, err := range errs {
			text := strings.TrimPrefix(err.Error(), filepath.ToSlash(dir))
			got = append(got, strings.ReplaceAll(text, filepath.ToSlash(dir), "DIR"))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(files) > 0 {
			t.Errorf("%q: %d files, problems (-want +got):\n%s", tt.name, len(files), diff)
		}
	}
}

// A shell's <(command) is such a pipe.
func TestAPipeThatSomethingWritesToIsRead(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	path := fmt.Sprintf("/dev/fd/%d", reader.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs /dev/fd: run it on Linux or macOS: %v", err)
	}
	go func() {
		_, _ = io.WriteString(writer, strings.Repeat("# more than a pipe holds\n", 10_000)+"end")
		_ = writer.Close()
	}()
	files, errs := userfiles.Read(t.Context(), new(disk.Access), []string{path}, userfiles.Skips{})
	if len(errs) > 0 || len(files) != 1 || !strings.HasSuffix(string(files[0].Text), "holds\nend") {
		t.Errorf("%d files, %v", len(files), errs)
	}
}
