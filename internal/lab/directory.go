package lab

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gofrs/flock"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// The following paths are what the lab creates in its directory. It removes nothing else, and it changes nothing in a
// directory without its ID.
func (l *Lab) idNote() string     { return filepath.Join(l.dir, "id") }
func (l *Lab) lockFile() string   { return filepath.Join(l.dir, "lock") }
func (l *Lab) stackNote() string  { return filepath.Join(l.dir, "stack") }
func (l *Lab) changeMark() string { return filepath.Join(l.dir, "changing") }
func (l *Lab) pulumiDir() string  { return filepath.Join(l.dir, "pulumi") }

// AzureDir returns the directory of the simulated Azure. It exists once a stack has created its
// cluster there.
func (l *Lab) AzureDir() string { return filepath.Join(l.dir, "azure") }

// ID distinguishes the lab's processes from those of other labs, even if its directory is
// moved. It is "" for a lab that has never been started.
func (l *Lab) ID() string {
	id, _ := os.ReadFile(l.idNote())
	if !labID.Match(id) {
		return "" // not a file of the lab
	}
	return string(id)
}

// labID matches what [rand.Text] returns.
var labID = regexp.MustCompile(`^[A-Z2-7]{26,}$`)

// stack returns the stack of the lab, or "" if none was started.
func (l *Lab) stack() string {
	name, _ := os.ReadFile(l.stackNote())
	return string(name)
}

// unused reports whether the directory has nothing in it, except the lock of a command that
// was killed before it wrote the lab's ID.
func (l *Lab) unused() (bool, error) {
	entries, err := os.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	others := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == filepath.Base(l.lockFile()) })
	return len(others) == 0, err
}

// lock keeps other commands from working on the lab, and gives it an ID. It refuses a directory with other content.
func (l *Lab) lock() (unlock func(), err error) {
	if err := l.checkDir(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(l.lockFile())
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the lab: %w", err)
	}
	if !got {
		return nil, fmt.Errorf("another command is running on the lab in %s: wait until it has ended", l.dir)
	}
	unlock = func() { _ = lock.Unlock() }
	if l.ID() == "" {
		if err := os.WriteFile(l.idNote(), []byte(rand.Text()), 0o600); err != nil {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

func (l *Lab) checkDir() error {
	unused, err := l.unused()
	if err != nil {
		return err
	}
	if l.ID() == "" && !unused {
		return fmt.Errorf("%s is not the directory of a lab, and not empty: choose a directory of a lab, or an "+
			"empty one",
			l.dir)
	}
	return nil
}

// empty ends all processes of the lab and removes what they have created.
func (l *Lab) empty() error {
	if err := processes.Kill(l.ID()); err != nil {
		return err
	}
	return remove(l.cluster().Dir, l.AzureDir(), l.pulumiDir(), l.stackNote(), l.programNote(), l.MapFile())
}

// removeDir removes what is left in the directory of an empty lab. It also removes the directory, unless it is a
// link or has other content.
func (l *Lab) removeDir() (left bool, err error) {
	if err := remove(l.changeMark(), l.idNote(), l.lockFile()); err != nil {
		return false, err
	}
	if info, err := os.Lstat(l.dir); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return true, err
	}
	err = os.Remove(l.dir)
	if errors.Is(err, fs.ErrExist) { // it is not empty
		return true, nil
	}
	return false, err
}

func remove(paths ...string) error {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}
