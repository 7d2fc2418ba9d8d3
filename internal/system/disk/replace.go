package disk

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The modes of secrets and of directories.
const (
	directoryMode       = 0o755
	secretDirectoryMode = 0o700
	secretMode          = 0o600
)

// Replace replaces a file at once: a program that reads it meanwhile sees the old text or the new one, even if this
// program is killed. An existing file keeps its permissions and, if the system allows it, its owner; a new one gets mode,
// less the umask. Missing directories are created. Nothing is written into .git, nor through a link: a link on the way is
// an error, except above the working directory and those that the system has in its root directory. The error names the
// file.
func Replace(path string, text []byte, mode fs.FileMode) error {
	return inDirectory(path, directoryMode, func(dir *os.Root, file string) error {
		return replace(dir, file, text, mode)
	})
}

// ReplaceSecret is [Replace] for a file that only this user may read: it gets the mode 0600, and new directories get the
// mode 0700. If its directory or the file exists, it must be as private, and belong to this user.
func ReplaceSecret(path string, text []byte) error {
	return inDirectory(path, secretDirectoryMode, func(dir *os.Root, file string) error {
		if err := privateIn(dir, file); err != nil {
			return err
		}
		return replace(dir, file, text, secretMode)
	})
}

// CheckReplace returns the error that [Replace] would return because of existing files and links.
func CheckReplace(path string) error { return inDirectory(path, 0, replaceable) }

// CheckReplaceSecret is [CheckReplace] for [ReplaceSecret].
func CheckReplaceSecret(path string) error {
	return inDirectory(path, 0, func(dir *os.Root, file string) error {
		return errors.Join(privateIn(dir, file), replaceable(dir, file))
	})
}

// inDirectory calls do with the directory of a path and the name of the file in it. It creates missing directories with
// mode; if mode is 0, it does nothing instead.
func inDirectory(path string, mode fs.FileMode, do func(dir *os.Root, file string) error) error {
	name := filepath.ToSlash(path)
	dir, file, err := linkless(path, mode)
	switch {
	case err != nil:
		return Named(name, err)
	case dir == "":
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Named(name, err)
	}
	defer func() { _ = root.Close() }()
	if err := do(root, file); err != nil {
		return Named(name, err)
	}
	return nil
}

// linkless returns the directory of a path, which has no link, and the name of the file in it. It creates missing
// directories with mode; if mode is 0, dir is "" instead.
func linkless(path string, mode fs.FileMode) (dir, file string, err error) {
	at, err := absolute(path)
	if err != nil {
		return "", "", err
	}
	dir, below := base(at)
	elements := strings.Split(below, string(filepath.Separator))
	last := len(elements) - 1
	for i, element := range elements {
		if strings.EqualFold(element, gitDirectory) { // some file systems ignore the case
			return "", "", refused("%s is git's own, and nothing is written there: name another path",
				filepath.ToSlash(filepath.Join(dir, filepath.Join(elements[:i+1]...))))
		}
	}
	for _, element := range elements[:last] {
		dir = filepath.Join(dir, element)
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && mode == 0:
			return "", "", nil
		case errors.Is(err, fs.ErrNotExist):
			err = os.Mkdir(dir, mode)
		case err == nil && linkMode(info.Mode()):
			err = refused("%s is a link, and nothing is written through a link: remove it, or name another path",
				filepath.ToSlash(dir))
		case err == nil && !info.IsDir():
			err = syscall.ENOTDIR
		}
		if err != nil {
			return "", "", err
		}
	}
	return dir, elements[last], nil
}

// base returns the directory below which links on the way to an absolute path are errors, and the rest of the path: the
// working directory if the path is in it, or else the root of the file system.
func base(at string) (dir, below string) {
	working, err := workingDirectory()
	asNamed, _ := os.Getwd() // a shell's, which can have links
	for _, dir := range []string{working, asNamed} {
		if below, relErr := filepath.Rel(dir, at); err == nil && relErr == nil && filepath.IsLocal(below) {
			return working, below
		}
	}
	dir = filepath.VolumeName(at) + string(filepath.Separator)
	from, parent := dir, dir
	elements := strings.SplitN(strings.TrimPrefix(at, dir), string(filepath.Separator), 4)
	for _, element := range elements[:min(2, len(elements)-1)] {
		above := parent
		parent = filepath.Join(parent, element)
		if isLink(parent) && (above == dir || above == "/var") {
			from = parent // of the system, such as /tmp of macOS, and /var/run of Linux
		}
	}
	below, _ = filepath.Rel(from, at)
	if followed, err := filepath.EvalSymlinks(from); err == nil {
		from = followed
	}
	return from, below
}

// replaceable returns an error if there is something other than a regular file.
func replaceable(dir *os.Root, file string) error {
	info, err := dir.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case linkMode(info.Mode()):
		return refused("is a link, and nothing is written through a link: name the file that it leads to, or remove it")
	default:
		return readable(info, false)
	}
}

func replace(dir *os.Root, file string, text []byte, mode fs.FileMode) error {
	if err := replaceable(dir, file); err != nil {
		return err
	}
	existing, err := dir.Lstat(file)
	if err != nil {
		return write(dir, file, text, mode, func(*os.File) error { return nil })
	}
	return write(dir, file, text, secretMode, func(f *os.File) error {
		keepOwner(f, existing)
		return f.Chmod(existing.Mode().Perm())
	})
}

// write writes a temporary file, and renames it.
func write(
	dir *os.Root, file string, text []byte, mode fs.FileMode, change func(*os.File) error,
) (err error) {
	name := ".mixedkube-" + rand.Text()
	temporary, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(name)
		}
	}()
	_, writeErr := temporary.Write(text)
	if err := errors.Join(writeErr, change(temporary), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return dir.Rename(name, file)
}
