package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// FS returns a directory, which may be a link, with what is below it. Links in it are followed as long as they stay in
// it. It opens the directory again for each file, and has nothing to close.
func (a *Access) FS(dir string) fs.FS { return directory{a, dir} }

// directory is a directory as [fs.FS].
type directory struct {
	access *Access
	path   string
}

// Open opens a directory or a regular file.
func (d directory) Open(name string) (fs.File, error) {
	root, local, err := d.open("open", name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	// Opening a device can have effects.
	info, err := root.Stat(local)
	if err != nil {
		return nil, err
	}
	if err := usable(info); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = usable(info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Stat opens nothing, unlike [fs.Stat] without it.
func (d directory) Stat(name string) (fs.FileInfo, error) {
	root, local, err := d.open("stat", name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Stat(local)
}

// open opens the directory, and returns a name in it as the system writes it.
func (d directory) open(op, name string) (root *os.Root, local string, err error) {
	local, err = filepath.Localize(name)
	if err != nil {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	root, err = d.access.openDir(d.path)
	return root, local, err
}

// usable returns an error if a file is neither a directory nor a file to read.
func usable(info fs.FileInfo) error {
	if info.IsDir() {
		return nil
	}
	return readable(info, false)
}
