package manifests

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a file for reading. A pipe is read to its end, as in
//
//	mixedkube check <(helm template .)
//
// unless no process writes to it: that is an error, because reading would never end.
func Open(path string) (io.ReadCloser, error) {
	// Without O_NONBLOCK, open waits until a process writes to the pipe.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return file, err
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

var errNobodyWrites = errors.New("a pipe that nothing writes to: name a regular file instead")
