package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Ignored is a file that is not read because of its owner.
type Ignored struct {
	// Path is the path of the file, with forward slashes.
	Path string
	// Reason is why: "belongs to the user 1000".
	Reason string
}

// FindAbove looks for a file in the working directory and in the directories above it, up to the root of the git
// repository, and returns its path relative to the working directory, "" if there is none. A file counts if it and its
// directory belong to this user, to the administrator, or to the owner of a named path (the checkout of a container often
// has another owner). The others are returned as ignored.
func (a *Access) FindAbove(name string) (path string, ignored []Ignored, err error) {
	at, err := workingDirectory()
	if err != nil {
		return "", nil, err
	}
	owners := a.owners(at)
	for path = name; ; path = filepath.Join("..", path) {
		owner, err := ownerBesides(path, owners)
		switch {
		case err == nil && owner == "":
			return path, ignored, nil
		case err == nil:
			ignored = append(ignored, Ignored{filepath.ToSlash(path), owner})
		case !errors.Is(err, fs.ErrNotExist):
			return "", ignored, Named(filepath.ToSlash(path), err)
		}
		above := filepath.Dir(at)
		if Exists(filepath.Join(at, gitDirectory)) || above == at {
			return "", ignored, nil
		}
		at = above
	}
}

// OtherOwner returns why a file that the user has not named does not count, "" if it counts: the owners are those of
// [Access.FindAbove]. If there is no such file, the error wraps [fs.ErrNotExist].
func (a *Access) OtherOwner(path string) (reason string, err error) {
	at, err := workingDirectory()
	if err != nil {
		return "", err
	}
	return ownerBesides(path, a.owners(at))
}

// owners returns the owners of the named paths, or of the working directory if there are none.
func (a *Access) owners(workingDirectory string) map[int]bool {
	all := map[int]bool{0: true, os.Getuid(): true}
	named := a.named
	if len(named) == 0 {
		named = []string{workingDirectory}
	}
	for _, at := range named {
		if !isDir(at) {
			at = filepath.Dir(at)
		}
		if info, err := os.Stat(at); err == nil {
			uid, _ := ownerOf(info)
			all[uid] = true
		}
	}
	return all
}

// ownerBesides returns who else can decide on a file: the owner of the file, of the file that a link leads to, or of the
// directory; "" if there is no other user.
func ownerBesides(path string, owners map[int]bool) (owner string, err error) {
	for _, stat := range []struct {
		of  func(string) (fs.FileInfo, error)
		at  string
		who string
	}{
		{os.Lstat, path, "belongs to"},
		{os.Stat, path, "belongs to"},
		{os.Stat, filepath.Dir(path), "is in a directory of"},
	} {
		info, err := stat.of(stat.at)
		if err != nil {
			return "", err
		}
		if uid, known := ownerOf(info); known && !owners[uid] {
			return fmt.Sprintf("%s the user %d", stat.who, uid), nil
		}
	}
	return "", nil
}

// OpenInside opens a regular file that a file in a directory names. It must be in the same repository, or else in that
// directory or below it, or in one into which links may lead.
func (a *Access) OpenInside(dir, path string) (io.ReadCloser, error) {
	to, err := a.locateInside(dir, path)
	if err != nil {
		return nil, err
	}
	return to.open(false)
}

// StatInside returns what a path leads to that a file in a directory names, and its absolute path without links: see
// [Access.OpenInside].
func (a *Access) StatInside(dir, path string) (at string, info fs.FileInfo, err error) {
	to, err := a.locateInside(dir, path)
	if err != nil {
		return "", nil, err
	}
	at = filepath.Join(to.root, to.below)
	info, err = os.Lstat(at)
	return at, info, err
}

func (a *Access) locateInside(dir, path string) (place, error) {
	at, err := absolute(path)
	if err != nil {
		return place{}, err
	}
	from, err := absolute(dir)
	if err != nil {
		return place{}, err
	}
	return a.follow(at, cmp.Or(a.surrounding(from).root, from))
}
