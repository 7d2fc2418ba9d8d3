package disk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Access decides where links may lead. With the zero value, each path counts as named by the user, and links stay in its
// repository or its directory.
type Access struct {
	// Fix is the advice of errors about links. The default is to name the file itself.
	Fix string
	// named are absolute paths. If there are none, every path is named.
	named []string
	// allowed are directories into which links may lead from anywhere, without links.
	allowed []string
	// enclosing caches what a directory is in, places where directories lead, and directories what they are without links.
	// Many files have the same directory, and to ask about every parent of each directory takes cubic time in a deep tree.
	enclosing, places, directories sync.Map
	// working is the working directory, "" before it is needed.
	working     string
	findWorking sync.Once
}

// Name names paths: files, directories, and others that do no harm, such as "-" and addresses.
func (a *Access) Name(paths ...string) error {
	for _, path := range paths {
		at, err := a.absolute(path)
		if err != nil {
			return err
		}
		a.named = append(a.named, at)
	}
	return nil
}

// AllowLinks lets links lead into a directory, from anywhere. The directory must exist.
func (a *Access) AllowLinks(dir string) error {
	if dir == "" {
		return errNotDirectory
	}
	at, err := absolute(dir)
	if err == nil {
		at, err = a.real(at)
	}
	if err == nil && !isDir(at) {
		err = errNotDirectory
	}
	if err != nil {
		return Named(filepath.ToSlash(dir), err)
	}
	a.allowed = append(a.allowed, at)
	return nil
}

var errNotDirectory = refused("is not a directory: name one into which links may lead")

// place is where a path leads: a path below a directory that links do not leave. Both are without links.
type place struct{ root, below string }

// locate follows the links of a path. If there is no such file, the error wraps [fs.ErrNotExist].
func (a *Access) locate(path string) (place, error) {
	at, err := a.absolute(path)
	if err != nil {
		return place{}, err
	}
	switch info, err := os.Lstat(at); {
	case errors.Is(err, fs.ErrNotExist):
		return place{}, err // most directories have no such file, and what encloses them does not matter
	case err == nil && !info.IsDir() && !linkMode(info.Mode()):
		if dir := a.place(filepath.Dir(at)); dir.root != "" {
			return place{dir.root, filepath.Join(dir.below, filepath.Base(at))}, nil
		}
	}
	return a.follow(at, a.boundary(at))
}

// place returns where the directory of a file leads, nowhere if it must not be followed.
func (a *Access) place(dir string) place {
	if to, ok := a.places.Load(dir); ok {
		return to.(place)
	}
	to, err := a.follow(dir, cmp.Or(a.surrounding(dir).root, dir))
	if err != nil {
		to = place{}
	}
	a.places.Store(dir, to)
	return to
}

// follow follows the links of an absolute path, which must stay in a directory or lead into an allowed one.
func (a *Access) follow(at, within string) (place, error) {
	target, err := a.real(at)
	if err != nil {
		return place{}, err
	}
	if within, err = a.real(within); err != nil {
		return place{}, err
	}
	for _, root := range slices.Concat([]string{within}, a.allowed) {
		below, err := filepath.Rel(root, target)
		if err == nil && filepath.IsLocal(below) && (!entersGit(below) || entersGit(at)) {
			return place{root, below}, nil
		}
	}
	return place{}, a.leading(at, target, within)
}

// real is [filepath.EvalSymlinks] for an absolute path, with an error for the user. Only what is known of
// its parents is cached.
func (a *Access) real(at string) (string, error) {
	// The path can be a stranger's, and have more elements than any file.
	if _, err := os.Lstat(at); err != nil && !errors.Is(err, syscall.ELOOP) {
		return "", err
	}
	target, err := resolve(at, &a.directories)
	if _, system := errors.AsType[*fs.PathError](err); err != nil && !system {
		err = refused("is a link in a circle, or behind too many links: name the file that it should lead to")
	}
	return target, err
}

// leading returns the error about a path that leads to a target outside of a directory or in .git.
func (a *Access) leading(at, target, within string) error {
	to := filepath.ToSlash(target)
	contains := func(root string) bool { return isIn(root, target) }
	switch {
	case contains(within) || slices.ContainsFunc(a.allowed, contains):
		return refused("a link leads to %s, and links into .git are not followed: name that file itself", to)
	case at == target:
		return refused("is outside of %s, and is not read: %s", filepath.ToSlash(within),
			cmp.Or(a.Fix, "name that file itself"))
	}
	return refused("a link leads out of %s, to %s, and is not followed: %s", filepath.ToSlash(within), to,
		cmp.Or(a.Fix, "name that file itself"))
}

// boundary returns the directory that links must not leave on the way to an absolute path: the repository, or else the
// directory that the user has named. Links above it are the user's own.
func (a *Access) boundary(at string) string {
	dir := filepath.Dir(at)
	found := a.surrounding(dir).root
	switch {
	case found != "" && isLink(at):
		return found // what is behind the link is not a part of the directory
	case hasRepository(at):
		return at
	case found != "":
		return found
	case a.names(at) && isDir(at):
		return at
	default:
		return dir
	}
}

// enclosure is the repository that has a directory, or else the named directory, "" if there is none. If there is a link
// on the way, what is behind the link does not change it.
type enclosure struct {
	root       string
	behindLink bool
}

// surrounding returns what encloses a directory.
func (a *Access) surrounding(dir string) enclosure {
	if found, ok := a.enclosing.Load(dir); ok {
		return found.(enclosure)
	}
	var found enclosure
	if parent := filepath.Dir(dir); parent != dir {
		found = a.surrounding(parent)
	}
	switch {
	case found.behindLink:
	case found.root != "" && isLink(dir):
		found.behindLink = true
	case hasRepository(dir) || found.root == "" && slices.Contains(a.named, dir):
		found.root = dir
	}
	a.enclosing.Store(dir, found)
	return found
}

// names reports whether the user has named an absolute path.
func (a *Access) names(at string) bool { return len(a.named) == 0 || slices.Contains(a.named, at) }

// finds reports whether an absolute path was found in a directory that the user has named.
func (a *Access) finds(at string) bool {
	return !slices.Contains(a.named, at) &&
		slices.ContainsFunc(a.named, func(dir string) bool { return isIn(dir, at) })
}

// absolute returns the function absolute with a cached working directory.
func (a *Access) absolute(path string) (at string, err error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	a.findWorking.Do(func() { a.working, err = workingDirectory() })
	if a.working == "" {
		return absolute(path)
	}
	return filepath.Join(a.working, path), err
}

// absolute returns a path from the root of the file system. The working directory is without links: the operating system
// follows ".." from there.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	dir, err := workingDirectory()
	return filepath.Join(dir, path), err
}

func workingDirectory() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// isIn reports whether a path is a directory or below it.
func isIn(dir, path string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && linkMode(info.Mode())
}

// Below returns the path of a directory below another one, both without links; false if it is not in there.
func Below(dir, path string) (below string, is bool) {
	dir, dirErr := absolute(dir)
	path, err := absolute(path)
	if err = cmp.Or(dirErr, err); err == nil {
		dir, dirErr = filepath.EvalSymlinks(dir)
		path, err = filepath.EvalSymlinks(path)
	}
	if cmp.Or(dirErr, err) != nil || !isIn(dir, path) {
		return "", false
	}
	below, err = filepath.Rel(dir, path)
	return below, err == nil
}

// linkMode reports whether a mode is that of a link. The mount points of Windows are irregular files.
func linkMode(mode fs.FileMode) bool { return mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// entersGit reports whether a path leads into the directory of a repository that has its history and its settings,
// which can contain credentials.
func entersGit(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(element string) bool {
		return strings.EqualFold(element, gitDirectory)
	})
}
