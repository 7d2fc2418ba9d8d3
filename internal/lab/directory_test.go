package lab

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write creates files with the directories that they need.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// files returns the files below a directory, with their content.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == dir {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestOtherDirectoriesAreNotChanged(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]map[string]string{
		"a directory of somebody's": {
			"thesis.txt": "chapter 1", "cluster/notes.txt": "mine",
			"pulumi/Pulumi.yaml": "name: mine",
		},
		"another file id": {"id": "4711", "stack": "of books"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, content)
			l := newTestLab(t, newCheckout(t, goodStack), dir, new(bytes.Buffer))
			want := dir + " is not the directory of a lab, and not empty: choose a directory of a lab, or an empty one"
			for command, run := range map[string]func() error{
				"down": l.Down,
				"up":   func() error { return l.Up(t.Context(), Options{Stack: "lab"}) },
			} {
				if err := run(); err == nil || err.Error() != want {
					t.Errorf("%s: got %v, want %s", command, err, want)
				}
			}
			if diff := cmp.Diff(content, files(t, dir)); diff != "" {
				t.Errorf("the files (-before +after):\n%s", diff)
			}
		})
	}
}

func TestDownRetainsFilesThatTheLabDidNotCreate(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	for name, own := range map[string]map[string]string{
		"nothing":        {},
		"a note":         {"note.txt": "remember"},
		"in a directory": {"logs/a.log": "x"},
		"a lost token":   {"changing.bak": ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "lab")
			out := new(bytes.Buffer)
			l := newTestLab(t, root, dir, out)
			unlock, err := l.lock()
			if err != nil {
				t.Fatal(err)
			}
			unlock()
			made := map[string]string{
				"cluster/kubeconfig": "", "azure/state": "", "pulumi/stack": "", "stack": "lab",
				"changing": "",
			}
			maps.Copy(made, own)
			write(t, dir, made)
			if err := l.Down(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(own, files(t, dir)); diff != "" {
				t.Errorf("the files (-the user's own +left):\n%s", diff)
			}
			want := "lab      removed " + dir + " and its processes; the tools stay in " + l.tools.Dir + "\n"
			if len(own) > 0 {
				want = "lab      removed the lab in " + dir +
					" and its processes, and left what is not the lab's; the tools stay in " + l.tools.Dir + "\n"
			}
			if diff := cmp.Diff(want, out.String()); diff != "" {
				t.Errorf("the output (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(dir); (err == nil) != (len(own) > 0) {
				t.Errorf("the directory: %v", err)
			}
		})
	}
}

func TestDownOfAnEmptyDirectoryLeavesIt(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	empty, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(empty, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, link} {
		out := new(bytes.Buffer)
		if err := newTestLab(t, root, dir, out).Down(); err != nil {
			t.Fatal(err)
		}
		if want := "lab      there is nothing in " + dir + "\n"; out.String() != want {
			t.Errorf("down prints %q, want %q", out, want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Errorf("%s has %v: %v", dir, entries, err)
		}
	}
	// A link to a lab's directory is not the lab's.
	out := new(bytes.Buffer)
	l := newTestLab(t, root, link, out)
	unlock, err := l.lock()
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := l.Down(); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != empty {
		t.Errorf("the link leads to %q: %v", target, err)
	}
	if entries, err := os.ReadDir(empty); err != nil || len(entries) > 0 {
		t.Errorf("left %v: %v", entries, err)
	}
}
