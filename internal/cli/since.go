package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// since limits a report to what has changed since a commit. Without the flag --since, everything has.
type since struct {
	ref    string
	access *disk.Access
	// histories has one for each repository of the paths, by its root.
	histories map[string]*history
	// places are the directories of files in their repositories.
	places map[string]place
}

// place is a directory in a repository. The zero value is a directory in none.
type place struct {
	of  *history
	dir string
}

func (s *since) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.ref, "since", "",
		"report only findings about what has changed since a `commit`, and what they affect in its environments")
	completeFlag(cmd, "since")
}

// read compares the repositories of the paths with the commit.
func (s *since) read(ctx context.Context, access *disk.Access, paths []string) error {
	if s.ref == "" {
		return nil
	}
	s.access, s.histories, s.places = access, map[string]*history{}, map[string]place{}
	var errs []error
	for _, p := range paths {
		errs = append(errs, s.readOf(ctx, p))
	}
	return atFlag("--since "+s.ref, errors.Join(errs...))
}

// readOf reads the history of the repository of a path.
func (s *since) readOf(ctx context.Context, p string) error {
	if p == stdinPath {
		return errors.New("standard input has no history: name files or directories")
	}
	at, err := s.access.Follow(p)
	if err != nil {
		return disk.Named(shown(p), err)
	}
	if !isDirectory(s.access, p) {
		at = filepath.Dir(at)
	}
	root := disk.Repository(at)
	if !disk.Exists(filepath.Join(root, ".git")) {
		return fmt.Errorf("%s: is not in a git repository: name a path of a clone, or run without --since", shown(p))
	}
	if s.histories[root] == nil {
		s.histories[root], err = readHistory(ctx, root, s.ref)
	}
	return err
}

// find returns the history of a file, and its path in its repository; false if it is in none.
func (s *since) find(file string) (h *history, name string, is bool) {
	dir := filepath.Dir(filepath.FromSlash(file))
	at, known := s.places[dir]
	if !known {
		for _, root := range slices.Sorted(maps.Keys(s.histories)) { // the inner one is the last
			if below, is := disk.Below(root, dir); is {
				at = place{s.histories[root], filepath.ToSlash(below)}
			}
		}
		s.places[dir] = at
	}
	return at.of, path.Join(at.dir, filepath.Base(file)), at.of != nil
}

// changed reports whether a file has changed or is new.
func (s *since) changed(file string) bool {
	h, name, is := s.find(file)
	return !is || h.changed(name)
}

// changedInput reports whether git tracks a file that is not a manifest, such as a topology, and it has changed. A file
// that git does not track has no history.
func (s *since) changedInput(file string) bool {
	h, name, is := s.find(file)
	return is && h.differs[name]
}

// changedConfiguration reports whether a file has changed that commands find by its name.
func (s *since) changedConfiguration() bool {
	for _, h := range s.histories {
		for name := range h.differs {
			if slices.Contains([]string{ConfigFile, ignoreFile, images.DefaultFile}, path.Base(name)) {
				return true
			}
		}
	}
	return false
}

// changedChart reports whether any file of a chart has changed: each template can use each.
func (s *since) changedChart(chart string) bool {
	h, name, is := s.find(filepath.Join(chart, "Chart.yaml"))
	if !is || !isDirectory(s.access, chart) {
		return s.changed(chart)
	}
	return h.changed(name) || h.changedBelow(path.Dir(name))
}

// changedIn reports whether any file in a directory or below it has changed.
func (s *since) changedIn(dir string) bool {
	h, name, is := s.find(filepath.Join(dir, "any"))
	return !is || h.changedBelow(path.Dir(name))
}

// open opens a file as it was.
func (s *since) open(file string) (io.ReadCloser, error) {
	h, name, is := s.find(file)
	if !is || h.before[name] == "" {
		return nil, fs.ErrNotExist
	}
	if _, differs := h.differs[name]; differs {
		return h.text(name)
	}
	return s.access.Open(file)
}

// existed reports whether a file existed.
func (s *since) existed(file string) bool {
	h, name, is := s.find(file)
	return is && h.before[name] != ""
}

// deleted returns the manifests below directories that no longer exist.
func (s *since) deleted(paths []string) (files []string) {
	for _, p := range paths {
		h, name, is := s.find(filepath.Join(p, "any"))
		if !is || !isDirectory(s.access, p) {
			continue
		}
		dir := path.Dir(name)
		for _, name := range slices.Sorted(maps.Keys(h.differs)) {
			below, is := strings.CutPrefix(name, dir+"/")
			if dir == "." {
				below, is = name, true
			}
			file := filepath.Join(p, filepath.FromSlash(below))
			if is && h.before[name] != "" && userfiles.IsManifest(name) && !disk.Exists(file) &&
				!slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}
