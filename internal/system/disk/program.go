package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// programMode is the mode of a program.
const programMode = 0o755

// LinkProgram makes this program available at a path, at which there is no file yet: as a link, or as a copy if links
// cannot be created or if the program is temporary, as with go run. The error names the path.
func LinkProgram(path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return err
	}
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	isTemporary := err == nil && isIn(temporary, self)
	return inDirectory(path, directoryMode, func(dir *os.Root, file string) error {
		if !isTemporary && dir.Symlink(self, file) == nil {
			return nil
		}
		return copyTo(dir, file, self)
	})
}

func copyTo(dir *os.Root, file, program string) error {
	from, err := os.Open(program)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := dir.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, programMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
