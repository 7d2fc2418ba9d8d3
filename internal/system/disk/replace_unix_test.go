//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// snapshot returns the modes and contents of everything in a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		name := "." + strings.TrimPrefix(path, dir)
		all[name] = info.Mode().String()
		if err == nil && info.Mode().IsRegular() {
			var text []byte
			text, err = os.ReadFile(path)
			all[name] += " " + string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"existing": "old"})
	for name, mode := range map[string]fs.FileMode{"existing": 0o640, "new": 0o644, "a/b/new": 0o600} {
		if name == "existing" {
			if err := os.Chmod(filepath.Join(dir, name), 0o640); err != nil {
				t.Fatal(err)
			}
			mode = 0o644 // the file keeps its own
		}
		if err := Replace(filepath.Join(dir, name), []byte("text"), mode); err != nil {
			t.Error(err)
		}
	}
	want := map[string]string{
		".": "drwxr-xr-x", "./existing": "-rw-r----- text", "./new": "-rw-r--r-- text",
		"./a": "drwxr-xr-x", "./a/b": "drwxr-xr-x", "./a/b/new": "-rw------- text",
	}
	if diff := cmp.Diff(want, snapshot(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNothingIsWrittenThroughALink(t *testing.T) {
	t.Parallel()
	const (
		file = "is a link, and nothing is written through a link: name the file that it leads to, or remove it"
		path = "is a link, and nothing is written through a link: remove it, or name another path"
		git  = "is git's own, and nothing is written there: name another path"
	)
	dir := tree(t, map[string]string{
		"home/authorized_keys": "mine", "repo/.git/HEAD": "", "repo/report.xml": "-> ../home/authorized_keys",
		"repo/inside.xml": "-> a", "repo/a": "a", "repo/broken": "-> ../home/new", "repo/out": "-> ../home",
		"repo/in": "-> real", "repo/real/": "", "repo/pipe": "pipe", "plain/out": "-> ../home",
		"module/.git": "gitdir: x",
	})
	before := snapshot(t, dir)
	for name, want := range map[string]string{
		"repo/report.xml": file, "repo/inside.xml": file, "repo/broken": file,
		"repo/out/authorized_keys": "DIR/repo/out " + path, "repo/out/new/deep": "DIR/repo/out " + path,
		"repo/in/new": "DIR/repo/in " + path, "plain/out/authorized_keys": "DIR/plain/out " + path,
		"repo/pipe": "is not a regular file: name one instead", "repo/real": "is a directory",
		"repo/a/below": "not a directory", "repo/.git/config": "DIR/repo/.git " + git,
		"repo/.GIT/a": "DIR/repo/.GIT " + git,
		"module/.git": "DIR/module/.git " + git, "new/.git/hooks/pre-commit": "DIR/new/.git " + git,
	} {
		at := filepath.Join(dir, name)
		for does, err := range map[string]error{
			"Replace": Replace(at, []byte("hostile"), 0o644), "CheckReplace": CheckReplace(at),
		} {
			if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != "DIR/"+name+": "+want {
				t.Errorf("%s: %v, want %s", does, err, want)
			}
		}
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// The umask belongs to the process: this test is not parallel.
func TestNewFilesObeyTheUmask(t *testing.T) { //nolint:paralleltest // see above
	dir := tree(t, map[string]string{"existing": "old"})
	defer syscall.Umask(syscall.Umask(0o077))
	for name, want := range map[string]fs.FileMode{"new": 0o600, "existing": 0o640} {
		if err := os.Chmod(filepath.Join(dir, "existing"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := Replace(filepath.Join(dir, name), []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
}

func TestReplacedFilesKeepTheirOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	path := filepath.Join(tree(t, map[string]string{"file": "old"}), "file")
	if err := os.Chown(path, 65534, 65533); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 65534 || stat.Gid != 65533 || info.Mode() != 0o600 {
		t.Errorf("it belongs to %d and %d, %v", stat.Uid, stat.Gid, info.Mode())
	}
}

// The working directory is the user's own choice, even if links lead to it.
func TestTheWorkingDirectoryMayBeBehindALink(t *testing.T) {
	dir := tree(t, map[string]string{"real/a": "a", "link": "-> real"})
	t.Chdir(filepath.Join(dir, "link"))
	t.Setenv("PWD", filepath.Join(dir, "link"))
	for _, name := range []string{"a", "./sub/b", filepath.Join(dir, "link", "c"), filepath.Join(dir, "real", "d")} {
		if err := Replace(name, []byte("new"), 0o600); err != nil {
			t.Error(err)
		}
	}
	got := snapshot(t, filepath.Join(dir, "real"))
	want := map[string]string{
		".": got["."], "./a": "-rw------- new", "./sub": "drwxr-xr-x", "./sub/b": "-rw------- new",
		"./c": "-rw------- new", "./d": "-rw------- new",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A device is never replaced by a file. The devices of the machine are only looked at: this test can run as root.
func TestDevicesAreNotReplaced(t *testing.T) {
	t.Parallel()
	for _, path := range []string{os.DevNull, "/dev/zero"} {
		err := CheckReplace(path)
		if _, refused := errors.AsType[*RefusedError](err); !refused {
			t.Errorf("%s: %v", path, err)
		}
	}
	path := filepath.Join(tree(t, map[string]string{"device": "pipe"}), "device")
	err := Replace(path, []byte("text"), 0o644)
	if _, refused := errors.AsType[*RefusedError](err); !refused {
		t.Errorf("a pipe: %v", err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info, err)
	}
}

func TestAFailedReplacementLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"file": "old"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	// A directory appears between the check and the renaming.
	if err := os.MkdirAll(filepath.Join(dir, "sub", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := write(root, "sub", []byte("new"), 0o600, (*os.File).Sync); err == nil {
		t.Error("a directory was replaced")
	}
	if got := snapshot(t, dir); len(got) != 4 || got["./file"] != "-rw------- old" {
		t.Errorf("the directory has %v", got)
	}
}

func TestSecretsArePrivate(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"open/key": "old", "readable/key": "old", "private/key": "old", "empty/": "", "foreign/key": "old",
		"link/key": "-> x",
	})
	for name, mode := range map[string]fs.FileMode{
		"open": 0o755, "readable": 0o700, "readable/key": 0o640, "private": 0o700, "empty": 0o701, "foreign": 0o700,
		"link": 0o700,
	} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	const others = "has secrets, and other users have access to it "
	cases := map[string]string{
		"open/key":     "DIR/open: " + others + "(mode 0755): run chmod 700, or name another one",
		"readable/key": "DIR/readable/key: " + others + "(mode 0640): run chmod 600, or name another one",
		"empty/key":    "DIR/empty: " + others + "(mode 0701): run chmod 700, or name another one",
		"link/key": "is a link, and nothing is written through a link: name the file that it leads to, or " +
			"remove it",
		"private/key": "", "new/deep/key": "",
	}
	if os.Getuid() == 0 {
		if err := os.Chown(filepath.Join(dir, "foreign", "key"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		cases["foreign/key"] = "DIR/foreign/key: has secrets, and belongs to the user 65534: name another one"
	}
	for name, want := range cases {
		if want != "" {
			want = "DIR/" + name + ": " + want
		}
		at := filepath.Join(dir, name)
		for _, write := range []func(string) error{
			CheckReplaceSecret, func(at string) error { return ReplaceSecret(at, []byte("new")) },
		} {
			got := ""
			if err := write(at); err != nil {
				got = strings.ReplaceAll(err.Error(), dir, "DIR")
			}
			if got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		info, err := os.Stat(at)
		if want == "" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s is %v, %v", name, info, err)
		}
		if text, err := os.ReadFile(at); want != "" && err == nil && string(text) != "old" {
			t.Errorf("%s has changed: %s", name, text)
		}
	}
	for _, name := range []string{"new", "new/deep"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s is %v, %v", name, info, err)
		}
	}
}

func TestSecretsAreReadFromPrivateFiles(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"private": "key", "public": "key", "link": "-> public", "pipe": "pipe"})
	if err := os.Chmod(filepath.Join(dir, "public"), 0o604); err != nil {
		t.Fatal(err)
	}
	const public = "error: x: has secrets, and other users have access to it (mode 0604): run chmod 600, or name " +
		"another one"
	for name, want := range map[string]string{
		"private": "key", "public": public, "link": public,
		"pipe": "error: x: a pipe that nothing writes to: name a regular file instead",
		"none": "error: x: no such file or directory",
	} {
		r, err := new(Access).OpenSecret(filepath.Join(dir, name))
		if got := result(r, err, dir); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
