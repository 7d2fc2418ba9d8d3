package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

func TestCleanRemovesTheCacheAndNothingElse(t *testing.T) {
	t.Parallel()
	user := t.TempDir()
	dir := filepath.Join(user, "mixedkube")
	c := &Cache{Dir: filepath.Join(dir, "tools")}
	clean := func() (string, error) {
		var out strings.Builder
		err := c.Clean(&out)
		return out.String(), err
	}
	equals := func(want, got string) {
		t.Helper()
		if diff := cmp.Diff(want, strings.ReplaceAll(got, user, "CACHE")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	const goCaches = "Go's own caches have packages of all of your projects: `go clean -cache -modcache` removes them\n"
	write(t, filepath.Join(user, "other", "file"), "other")
	write(t, filepath.Join(c.Dir, "hello", ".lock"), "")
	write(t, filepath.Join(c.Dir, ".fetch.lock"), "")
	write(t, filepath.Join(c.Dir, "hello", "1", "hello"), strings.Repeat("x", 1_400_000))
	write(t, filepath.Join(dir, "packages", "nodejs-1", "file"), strings.Repeat("x", 100_000))

	// A build holds the lock of its tool, a download the lock of all.
	for _, name := range []string{"hello/.lock", ".fetch.lock"} {
		lock := flock.New(filepath.Join(c.Dir, name))
		if ok, err := lock.TryLock(); err != nil || !ok {
			t.Fatal(ok, err)
		}
		out, err := clean()
		if err == nil {
			t.Fatalf("it removes the cache while %s is locked", name)
		}
		equals("CACHE/mixedkube is not removed, because another process builds or fetches tools and holds "+
			"CACHE/mixedkube/tools/"+name+": wait until it has ended", err.Error())
		equals("", out)
		if err := lock.Close(); err != nil {
			t.Fatal(err)
		}
	}
	out, err := clean()
	if err != nil {
		t.Fatal(err)
	}
	equals("removed CACHE/mixedkube: 2 MB\n"+goCaches, out)
	left, err := filepath.Glob(filepath.Join(user, "*"))
	if err != nil {
		t.Fatal(err)
	}
	equals("CACHE/other", strings.Join(left, "\n"))
	out, err = clean()
	if err != nil {
		t.Fatal(err)
	}
	equals("CACHE/mixedkube does not exist\n"+goCaches, out)
}

// A lab runs the programs of the cache, whatever its checkout is.
func TestCleanLeavesTheProgramsOfALab(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc: run it on Linux")
	}
	dir := filepath.Join(t.TempDir(), "mixedkube")
	c := &Cache{Dir: filepath.Join(dir, "tools")}
	at := filepath.Join(c.Dir, "etcd", "1", "etcd")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	// A program cannot start while a process has it open to write, as a process that another test starts may have.
	if out, err := exec.CommandContext(t.Context(), "cp", program, at).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), at)
	cmd.Env = append(os.Environ(), waitVariable+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	err = c.Clean(&strings.Builder{})
	const want = "DIR is not removed, because programs from there run: etcd: end their labs first, with `make down` " +
		"in each checkout"
	if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Clean(&strings.Builder{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("it is not removed: %v", err)
	}
}

func TestSpace(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{10: "10 bytes", 999_400_000: "999 MB", 1_260_000_000: "1.3 GB"} {
		if got := space(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}
