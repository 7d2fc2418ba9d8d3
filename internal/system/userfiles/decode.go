package userfiles

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Decode returns what a function decodes from the content of a file, such as [images.Decode]. The function gets the name
// of the file for messages. If there is no such file, the error wraps [fs.ErrNotExist].
func Decode[T any](path string, decode func(r io.Reader, name string) (T, error)) (value T, err error) {
	name := filepath.ToSlash(path)
	file, err := disk.Open(path)
	if err != nil {
		return value, disk.Named(name, err)
	}
	defer func() { _ = file.Close() }()
	return decode(file, name)
}

// Find is [Decode] for a file that has a default name. If path is "", it decodes the file of that name in the working
// directory; without such a file, the value is the zero value of its type. An explicit path must exist.
func Find[T any](path, byDefault string, decode func(r io.Reader, name string) (T, error)) (value T, err error) {
	value, err = Decode(cmp.Or(path, byDefault), decode)
	if path == "" && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return value, err
}
