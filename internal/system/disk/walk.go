package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Stat returns what a path leads to. If there is no such file, the error wraps [fs.ErrNotExist].
func (a *Access) Stat(path string) (fs.FileInfo, error) {
	if isDescriptor(path) {
		return os.Stat(path)
	}
	to, err := a.locate(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(to.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Lstat(to.below)
}

// Follow returns the absolute path of the file that a path leads to, without links.
func (a *Access) Follow(path string) (string, error) {
	to, err := a.locate(path)
	return filepath.Join(to.root, to.below), err
}

// Exists reports whether there is a file, or a link, at a path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Glob returns the paths that match a pattern of [filepath.Match]. As below a named directory, links to directories are
// not followed, unless the pattern has their names.
func Glob(pattern string) ([]string, error) {
	paths, err := filepath.Glob(pattern)
	named := filepath.Dir(pattern[:strings.IndexAny(pattern+"*", "*?[")] + "*")
	return slices.DeleteFunc(paths, func(path string) bool {
		for dir := filepath.Dir(path); len(dir) > len(named); dir = filepath.Dir(dir) {
			if isLink(dir) {
				return true
			}
		}
		return false
	}), err
}

// WalkDir calls visit for a directory and for each entry below it, as [filepath.WalkDir] does; links are not
// followed, except dir itself. The paths begin with dir.
func (a *Access) WalkDir(dir string, visit fs.WalkDirFunc) error {
	root, err := a.openDir(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(below string, entry fs.DirEntry, err error) error {
		return visit(filepath.Join(dir, filepath.FromSlash(below)), entry, err)
	})
}

// openDir opens a directory, which may be a link.
func (a *Access) openDir(dir string) (*os.Root, error) {
	to, err := a.locate(dir)
	if err != nil {
		return nil, err
	}
	within, err := os.OpenRoot(to.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = within.Close() }()
	// Links that appear meanwhile do not lead out of the root.
	return within.OpenRoot(to.below)
}

// CheckLinks returns an error for each link in and below a directory that leads out of it, unless it leads into an allowed
// one: the directory is for a program that follows links wherever they lead. A broken link is an error as well. There are
// no links in a file. Links in .git do not count: see [Access.WithoutGit]. It cannot leave out the .git of an allowed
// directory behind a link, which is therefore an error.
func (a *Access) CheckLinks(dir string) error {
	at, err := absolute(dir)
	if err != nil || !isDir(at) {
		return err
	}
	inside, err := resolve(at, &a.directories)
	if err != nil {
		return err
	}
	c := linkCheck{access: a, dir: filepath.Clean(dir), at: at, walked: []string{inside}}
	err = c.walk(c.dir)
	return errors.Join(append(c.errs, err)...)
}

// linkCheck is a check of the links in a directory, whose absolute path is at. It has walked directories without links in
// their paths, and what is below them.
type linkCheck struct {
	access  *Access
	dir, at string
	walked  []string
	errs    []error
}

// walk looks at the directory, or at one behind a link.
func (c *linkCheck) walk(from string) error {
	return c.access.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == from:
			return err
		case IsGit(name):
			if from != c.dir {
				c.add(from, errGitBehindLink)
			}
			return skip(entry)
		case !linkMode(entry.Type()):
			return nil
		}
		below, err := filepath.Rel(c.dir, name)
		var to place
		if err == nil {
			to, err = c.access.follow(filepath.Join(c.at, below), c.at)
		}
		if err != nil {
			c.add(name, err)
			return nil
		}
		target := filepath.Join(to.root, to.below)
		if !isDir(target) || slices.ContainsFunc(c.walked, func(dir string) bool { return isIn(dir, target) }) {
			return nil
		}
		c.walked = append(c.walked, target)
		return c.walk(name)
	})
}

func (c *linkCheck) add(name string, err error) {
	c.errs = append(c.errs, Named(path.Clean(filepath.ToSlash(name)), err))
}

var errGitBehindLink = refused("a link leads to a directory that has a .git, whose files are not read: " +
	"link to the directories and files next to it instead")

// IsGit reports whether the last element of a path is the name of git's own directory, file or link.
func IsGit(path string) bool { return strings.EqualFold(filepath.Base(path), gitDirectory) }

// skip returns what a function for [Access.WalkDir] returns to leave out an entry.
func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}
