package userfiles_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// content decodes a file as its text, with its name.
func content(r io.Reader, name string) (string, error) {
	text, err := io.ReadAll(r)
	return name + " has " + string(text), err
}

func TestDecode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "lock.yaml")
	write(t, path, "a text")
	if got, err := userfiles.Decode(path, content); err != nil || got != filepath.ToSlash(path)+" has a text" {
		t.Errorf("%q, %v", got, err)
	}
	none := filepath.Join(dir, "none.yaml")
	_, err := userfiles.Decode(none, content)
	want := filepath.ToSlash(none) + ": no such file or directory"
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	_, err = userfiles.Decode(dir, content)
	want = filepath.ToSlash(dir) + ": is a directory"
	if err == nil || errors.Is(err, fs.ErrNotExist) || err.Error() != want {
		t.Errorf("the error about a directory is %v, want %s", err, want)
	}
	write(t, path, "version: 2\nimages: {}\n")
	lock, err := userfiles.Decode(path, images.Decode)
	want = filepath.ToSlash(path) + ":1: version: Invalid value: 2: this version of mixedkube reads version 1"
	if lock != nil || err == nil || err.Error() != want {
		t.Errorf("the error about the content is %v, want %s", err, want)
	}
}

// It is not parallel, because it changes the working directory.
func TestFind(t *testing.T) {
	t.Chdir(t.TempDir())
	if got, err := userfiles.Find("", "default.yaml", content); err != nil || got != "" {
		t.Errorf("without the default file: %q, %v", got, err)
	}
	if _, err := userfiles.Find("default.yaml", "default.yaml", content); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is named and does not exist: %v", err)
	}
	write(t, "default.yaml", "a")
	write(t, "named.yaml", "b")
	for path, want := range map[string]string{"": "default.yaml has a", "named.yaml": "named.yaml has b"} {
		if got, err := userfiles.Find(path, "default.yaml", content); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", path, got, err, want)
		}
	}
	bad := func(io.Reader, string) (string, error) { return "", errors.New("bad") }
	if _, err := userfiles.Find("", "default.yaml", bad); err == nil || err.Error() != "bad" {
		t.Errorf("the error about the default file is %v", err)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "known.yaml")
	encoded := func() ([]byte, error) { return []byte("a text"), nil }
	if err := userfiles.Write(path, encoded); err != nil {
		t.Fatal(err)
	}
	fails := func() ([]byte, error) { return []byte("half a"), errors.New("is too large") }
	err := userfiles.Write(path, fails)
	if want := filepath.ToSlash(path) + ": is too large"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "a text" {
		t.Errorf("the file has %q, %v", text, err)
	}
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(path, link); err != nil {
		t.Skipf("needs symbolic links: run it on Linux or macOS: %v", err)
	}
	err = userfiles.Write(link, encoded)
	want := fmt.Sprintf("%s: is a link, and nothing is written through a link: name the file that it leads to, or "+
		"remove it", filepath.ToSlash(link))
	if err == nil || err.Error() != want {
		t.Errorf("through a link: %v, want %s", err, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
