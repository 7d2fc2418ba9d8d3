package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// Clean removes the project's directory in the user's cache directory: the tools, the unpacked programs of Debian, and
// the packages of programs in TypeScript and Python. It writes to out how much space this frees. It fails, and removes
// nothing, while a program from there runs, such as one of a lab of any checkout, which only Linux shows, and while
// another process builds or fetches tools.
func (c *Cache) Clean(out io.Writer) error {
	dir := filepath.Dir(c.Dir)
	size, err := sizeOf(dir)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := fmt.Fprintf(out, "%s does not exist\n%s", dir, goCaches)
		return err
	}
	if err != nil {
		return err
	}
	if running := running(dir); running != nil {
		return fmt.Errorf("%s is not removed, because programs from there run: %s: end their labs first, with `make "+
			"down` in each checkout", dir, strings.Join(running, ", "))
	}
	release, err := c.lockAll()
	if err != nil {
		return err
	}
	defer release()
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "removed %s: %s\n%s", dir, space(size), goCaches)
	return err
}

// goCaches is what [Cache.Clean] leaves.
const goCaches = "Go's own caches have packages of all of your projects: `go clean -cache -modcache` removes them\n"

// sizeOf returns the size of the files in a directory.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

func space(bytes int64) string {
	if bytes >= 1e9 {
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	}
	return amount(bytes)
}

// running returns the names of the programs below a directory that run. Without /proc it finds none.
func running(dir string) []string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	var names []string
	for _, link := range links {
		program, err := os.Readlink(link)
		if err == nil && strings.HasPrefix(program, dir+string(filepath.Separator)) {
			names = append(names, filepath.Base(program))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// lockAll takes the locks of all tools, and fails if another process holds one.
func (c *Cache) lockAll() (release func(), err error) {
	files, err := filepath.Glob(filepath.Join(c.Dir, "*", ".lock"))
	if err != nil {
		return nil, err
	}
	var held []*flock.Flock
	release = func() {
		for _, lock := range held {
			_ = lock.Close()
		}
	}
	for _, file := range append(files, filepath.Join(c.Dir, ".fetch.lock")) {
		if _, err := os.Stat(file); err != nil {
			continue
		}
		lock := flock.New(file)
		ok, err := lock.TryLock()
		if err == nil && !ok {
			err = fmt.Errorf("%s is not removed, because another process builds or fetches tools and holds %s: wait "+
				"until it has ended", filepath.Dir(c.Dir), file)
		}
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, lock)
	}
	return release, nil
}
