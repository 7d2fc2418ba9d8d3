package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenSecret is [Access.Open] for a file with a secret: other users must not have access to it. A pipe is as private as
// the program that writes to it.
func (a *Access) OpenSecret(path string) (io.ReadCloser, error) {
	if info, err := a.Stat(path); err == nil && info.Mode().IsRegular() && !isDescriptor(path) {
		if err := private(info); err != nil {
			return nil, err
		}
	}
	return a.Open(path)
}

// private returns an error if a file or a directory with secrets is not for this user alone.
func private(info fs.FileInfo) error {
	mode := "600"
	if info.IsDir() {
		mode = "700"
	}
	if exposed(info) {
		return refused("has secrets, and other users have access to it (mode %04o): run chmod %s, or name another one",
			info.Mode().Perm(), mode)
	}
	if !own(info) {
		uid, _ := ownerOf(info)
		return refused("has secrets, and belongs to the user %d: name another one", uid)
	}
	return nil
}

// privateIn returns an error if a directory, or the file of that name in it, is not private.
func privateIn(dir *os.Root, file string) error {
	for _, name := range []string{".", file} {
		info, err := dir.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && !linkMode(info.Mode()):
			err = private(info)
		}
		if err != nil {
			return Named(filepath.ToSlash(filepath.Join(dir.Name(), name)), err)
		}
	}
	return nil
}
