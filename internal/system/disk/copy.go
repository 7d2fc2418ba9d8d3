package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// minCopied is the least that a file counts, so that the number of files is limited as well.
const minCopied = 4 << 10

// WithoutGit returns a directory with the content of dir, but without .git at any depth, for a program that can print
// every file. It is dir itself if that has no .git, or else a private copy of at most limit bytes, whose path has no
// links, and which the caller removes. [Access.CheckLinks] must have found nothing.
func (a *Access) WithoutGit(ctx context.Context, dir string, limit int64) (at string, remove func(), err error) {
	nothing := func() {}
	dir = filepath.Clean(dir)
	info, err := a.Stat(dir)
	if err != nil || !info.IsDir() {
		return dir, nothing, err
	}
	has := false
	err = a.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && name != dir && IsGit(name) {
			has, err = true, fs.SkipAll
		}
		return err
	})
	if err != nil || !has {
		return dir, nothing, err
	}
	temporary, err := os.MkdirTemp("", "mixedkube-")
	if err != nil {
		return "", nothing, err
	}
	remove = func() { _ = os.RemoveAll(temporary) }
	at, err = filepath.EvalSymlinks(temporary)
	if err == nil {
		err = a.copyWithoutGit(ctx, dir, at, limit)
	}
	if err != nil {
		remove()
		return "", nothing, err
	}
	return at, remove, nil
}

// copyWithoutGit copies a directory. The error names the file.
func (a *Access) copyWithoutGit(ctx context.Context, dir, to string, limit int64) error {
	from, err := a.Follow(dir)
	if err != nil {
		return Named(filepath.ToSlash(dir), err)
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return Named(filepath.ToSlash(dir), err)
	}
	defer func() { _ = root.Close() }()
	left := limit
	return a.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case context.Cause(ctx) != nil:
			return Named(filepath.ToSlash(dir), context.Cause(ctx))
		case name == dir:
			return err
		case IsGit(name):
			return skip(entry)
		}
		below, relErr := filepath.Rel(dir, name)
		if filepath.Join(from, below) == to {
			return fs.SkipDir // the directory of temporary files can be in dir
		}
		var n int64
		if err = errors.Join(err, relErr); err == nil {
			n, err = a.copyEntry(place{from, below}, root, entry, left)
		}
		if err != nil {
			return Named(filepath.ToSlash(name), err)
		}
		if left -= max(n, minCopied); left < 0 {
			return Named(filepath.ToSlash(dir), refused("has a .git, and more than %d MB besides: move what is read "+
				"into a directory of its own, and name that", limit>>20))
		}
		return nil
	})
}

// copyEntry copies an entry of a directory, but not much more than limit bytes. Devices and sockets are left out.
func (a *Access) copyEntry(from place, to *os.Root, entry fs.DirEntry, limit int64) (n int64, err error) {
	switch {
	case entry.IsDir():
		return 0, to.Mkdir(from.below, secretDirectoryMode)
	case linkMode(entry.Type()):
		target, err := a.targetInCopy(from)
		if err != nil {
			return 0, err
		}
		return 0, to.Symlink(target, from.below)
	case !entry.Type().IsRegular():
		return 0, nil
	}
	file, err := from.open(false)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	copied, err := to.OpenFile(from.below, os.O_CREATE|os.O_EXCL|os.O_WRONLY, secretMode)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(copied, io.LimitReader(file, limit+1))
	return n, errors.Join(err, copied.Close())
}

// targetInCopy returns what a link of a directory leads to in a copy of it: a link to a file of the directory leads to the
// file's copy.
func (a *Access) targetInCopy(link place) (string, error) {
	at := filepath.Join(link.root, link.below)
	to, err := a.follow(at, link.root)
	target := filepath.Join(to.root, to.below)
	if err != nil || !isIn(link.root, target) {
		return target, err
	}
	return filepath.Rel(filepath.Dir(at), target)
}
