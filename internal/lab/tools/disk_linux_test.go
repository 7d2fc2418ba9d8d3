package tools

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullVariable makes the child mount a file system of 64 KiB on its cache:
// "probe" fills it, "build" and "fetch" leave it empty, so that only the build or
// the archive overflows; "readonly" mounts it read-only.
const fullVariable = "MIXEDKUBE_TOOLS_TEST_FULL"

func prepareChild(dir string) error {
	how := os.Getenv(fullVariable)
	if how == "" {
		return nil
	}
	var flags uintptr
	if how == "readonly" {
		flags = syscall.MS_RDONLY
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, "size=64k"); err != nil {
		return fmt.Errorf("cannot mount: %w", err)
	}
	if how != "probe" {
		return nil
	}
	// The file fills the disk, so the error is expected.
	_ = os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 1<<20), 0o644)
	return nil
}

func TestFullAndReadOnlyDisksAreReported(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ how, want string }{
		{
			"probe", "failed: tool cache DIR: no space left on device: free some space there, or " + moveCache() +
				"\nleft behind: 0\n",
		},
		{"readonly", "failed: tool cache DIR: read-only file system: " + moveCache() + "\nleft behind: 0\n"},
		{
			"fetch", "failed: tool cache DIR: no space left on device: free some space there, or " + moveCache() +
				"\nleft behind: 0\n",
		},
		{"build", "the disk is full: free some space, "},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			content := make([]byte, 1<<20)
			b := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
			// This case runs the real go.
			if err := os.Remove(filepath.Join(b.bin, "go")); err != nil {
				t.Fatal(err)
			}
			if test.how != "build" {
				b.record(content, b.member("hello", fetchedHello))
			}
			if err := os.Mkdir(b.Dir, 0o755); err != nil {
				t.Fatal(err)
			}
			cmd, out := b.inChild()
			cmd.Env = append(cmd.Env, fullVariable+"="+test.how)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			err := cmd.Run()
			if cmd.ProcessState == nil {
				t.Skipf("needs the right to create mount namespaces: run the tests as root: %v", err)
			}
			if cmd.ProcessState.ExitCode() == 3 {
				t.Skipf("needs the right to mount file systems: run the tests as root: %s", out)
			}
			printed := b.mask(out.String())
			if !strings.Contains(printed, test.want) || !strings.HasSuffix(printed, "left behind: 0\n") {
				t.Errorf("%s\nwant:\n%s", printed, test.want)
			}
			if want := map[string]string{"fetch": "GET " + file}[test.how]; b.requestLog() != want {
				t.Errorf("the requests are %q, want %q", b.requestLog(), want)
			}
			if test.how != "build" && strings.Contains(printed, "to build") {
				t.Errorf("a build was started:\n%s", printed)
			}
		})
	}
}
