//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// resolve is [filepath.EvalSymlinks] for an absolute path, except that it asks about each directory on the way once:
// known has those that were met before, by their paths.
func resolve(at string, known *sync.Map) (string, error) {
	to, _, err := (&resolver{known: known}).follow(at)
	return to, err
}

// resolver follows the links of one path.
type resolver struct {
	known *sync.Map
	// links is how many links it has followed.
	links int
}

// mostLinks is the limit of EvalSymlinks.
const mostLinks = 255

var errManyLinks = errors.New("too many links")

// directory is follow for a path that need not be asked about again.
func (r *resolver) directory(at string) (to string, isDir bool, err error) {
	if to, ok := r.known.Load(at); ok {
		return to.(string), true, nil
	}
	return r.follow(at)
}

// follow returns a clean absolute path without links, and whether it is a directory.
func (r *resolver) follow(at string) (to string, isDir bool, err error) {
	parent := above(at)
	if parent == at {
		return at, true, nil
	}
	dir, _, err := r.directory(parent)
	if err != nil {
		return "", false, err
	}
	if to = at; dir != parent {
		to = in(dir, filepath.Base(at))
	}
	info, err := os.Lstat(to)
	switch {
	case err != nil:
		return "", false, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, isDir, err = r.target(dir, to)
	default:
		isDir = info.IsDir()
	}
	if isDir && err == nil {
		r.known.Store(at, to)
	}
	return to, isDir, err
}

// target follows a link in a directory without links.
func (r *resolver) target(dir, link string) (to string, isDir bool, err error) {
	if r.links++; r.links > mostLinks {
		return "", false, errManyLinks
	}
	target, err := os.Readlink(link)
	if err != nil {
		return "", false, err
	}
	to, isDir = dir, true
	if filepath.IsAbs(target) {
		to = "/"
	}
	for element := range strings.SplitSeq(target, "/") {
		switch {
		case !isDir:
			return "", false, &fs.PathError{Op: "lstat", Path: link, Err: syscall.ENOTDIR}
		case element == "", element == ".":
		case element == "..":
			to = above(to)
		default:
			if to, isDir, err = r.directory(in(to, element)); err != nil {
				return "", false, err
			}
		}
	}
	return to, isDir, nil
}

// above is [filepath.Dir] of a clean absolute path, and does not clean it again.
func above(at string) string { return at[:max(1, strings.LastIndexByte(at, '/'))] }

func in(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
