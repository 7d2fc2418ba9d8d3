package tools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// acquire takes the lock in the file path, and calls waits first if another
// process holds it. It fails if ctx is done.
func acquire(ctx context.Context, path string, waits func()) (release func(), err error) {
	lock := flock.New(path)
	held, err := lock.TryLock()
	if err == nil && !held {
		waits()
		_, err = lock.TryLockContext(ctx, 200*time.Millisecond)
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	// Only close the file. If it were removed while another process waits for the lock, a
	// third process could lock a new file at the same time.
	return func() { _ = lock.Close() }, nil
}

// newScratch creates a directory in dir for temporary files; its name begins
// with prefix. It removes directories with such a name that a killed process has left:
// the caller holds the lock, so no other process uses them.
func newScratch(dir, prefix string) (string, error) {
	stale, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
	for _, left := range stale {
		err = errors.Join(err, os.RemoveAll(left))
	}
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, prefix)
}

// removeAll retries for a moment: a process that was killed during a write may still
// put a file into a directory that is being emptied.
func removeAll(dir string) {
	for range 20 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
