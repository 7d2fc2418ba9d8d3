package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// Open opens a regular file for reading. A pipe that the user has named is read to its end, as in
//
//	mixedkube check <(helm template .)
//
// unless no process writes to it: that is an error, because reading would never end.
func Open(path string) (io.ReadCloser, error) { return new(Access).Open(path) }

// Open is [Open] with the links and the names of a.
func (a *Access) Open(path string) (io.ReadCloser, error) {
	if isDescriptor(path) {
		// Without O_NONBLOCK, open waits until a process writes to the pipe.
		return opened(os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0))(true)
	}
	to, err := a.locate(path)
	if err != nil {
		return nil, err
	}
	at, err := a.absolute(path)
	if err != nil {
		return nil, err
	}
	return to.open(!a.finds(at))
}

// ReadFile returns the content of a regular file of at most limit bytes.
func (a *Access) ReadFile(path string, limit int64) ([]byte, error) {
	to, err := a.locate(path)
	if err != nil {
		return nil, err
	}
	file, err := to.open(false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, refused("is larger than %d kB, which is all that is read of such a file", limit>>10)
	}
	return text, err
}

// open opens a file whose path has no links. Links that appear meanwhile do not lead out of the root.
func (p place) open(pipes bool) (io.ReadCloser, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	// Opening a device can have effects.
	info, err := root.Lstat(p.below)
	if err != nil {
		return nil, err
	}
	if err := readable(info, pipes); err != nil {
		return nil, err
	}
	return opened(root.OpenFile(p.below, os.O_RDONLY|syscall.O_NONBLOCK, 0))(pipes)
}

// opened returns a function that returns an open file if it may be read.
func opened(file *os.File, err error) func(pipes bool) (io.ReadCloser, error) {
	return func(pipes bool) (io.ReadCloser, error) {
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err == nil {
			err = readable(info, pipes)
		}
		if err != nil {
			_ = file.Close()
			return nil, err
		}
		if info.Mode()&fs.ModeNamedPipe == 0 {
			return file, nil
		}
		pipe := bufio.NewReader(file)
		if _, err := pipe.Peek(1); errors.Is(err, io.EOF) {
			_ = file.Close()
			return nil, errNobodyWrites
		}
		return struct {
			io.Reader
			io.Closer
		}{pipe, file}, nil
	}
}

// readable returns an error if a file must not be read.
func readable(info fs.FileInfo, pipes bool) error {
	switch mode := info.Mode(); {
	case mode.IsRegular(), pipes && mode&fs.ModeNamedPipe != 0:
		return nil
	case mode.IsDir():
		return syscall.EISDIR
	default:
		return errNotRegular
	}
}

var (
	errNobodyWrites = refused("a pipe that nothing writes to: name a regular file instead")
	errNotRegular   = refused("is not a regular file: name one instead")
)

// descriptor matches the files of the descriptors that a shell has opened, as in <(command).
var descriptor = regexp.MustCompile(`^(/dev/stdin|(/dev|/proc/self)/fd/[0-9]+)$`)

func isDescriptor(path string) bool { return descriptor.MatchString(filepath.ToSlash(path)) }
