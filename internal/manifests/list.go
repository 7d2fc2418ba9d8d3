package manifests

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Skips are the files to leave out of directories that are named. The zero value leaves out nothing.
type Skips struct {
	// Exclude are patterns for paths that begin in the directory.
	Exclude Patterns
	// IgnoreFile is the name of a file in the directory with more patterns, which is optional; the patterns of Exclude
	// come after them.
	IgnoreFile string
	// ParentExclude are patterns for paths that begin in ParentDir, which is a parent of the named directory, or
	// that directory itself. The patterns of IgnoreFile and Exclude come after them.
	ParentExclude Patterns
	ParentDir     string
	// Chart is called for each Helm chart below the directory, which is then left out; if it is nil, charts are treated
	// as ordinary directories.
	Chart func(path string)
}

// List returns a file itself, whatever its name, and the manifests in and below a directory, in the order of their
// names. Hidden directories (.git, .github) are left out, unless they are named. The named directory may be a link, but
// links below it are not followed. A manifest in a directory must be a regular file, or a link to one. A directory
// without manifests is an error.
func List(root string, skips Skips) (files []string, problems []error) {
	start := root
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		if start, err = filepath.EvalSymlinks(root); err != nil {
			return nil, []error{Named(filepath.ToSlash(root), err)}
		}
		if skips.IgnoreFile != "" {
			var more Patterns
			more, problems = readPatterns(filepath.Join(start, skips.IgnoreFile),
				filepath.ToSlash(filepath.Join(root, skips.IgnoreFile)))
			skips.Exclude = append(more, skips.Exclude...)
		}
	}
	l := lister{Skips: skips, root: root, start: start, problems: problems, inParent: skips.inParent(start)}
	_ = filepath.WalkDir(start, l.visit)
	if len(l.files) == 0 && len(l.problems) == 0 {
		l.problems = []error{fmt.Errorf("%s: %s", filepath.ToSlash(root), l.nothing())}
	}
	return l.files, l.problems
}

// fewCharts is how many charts are named in the error about a directory that contains only charts.
const fewCharts = 3

// nothing returns why there are no manifests.
func (l *lister) nothing() string {
	switch n := len(l.charts); {
	case n > fewCharts:
		return fmt.Sprintf("only Helm charts in the directory: name them instead: %s and %d more",
			strings.Join(l.charts[:fewCharts], " "), n-fewCharts)
	case n > 0:
		return "only Helm charts in the directory: name them instead: " + strings.Join(l.charts, " ")
	case len(l.Exclude)+len(l.ParentExclude) > 0:
		return "no *.yaml, *.yml or *.json in the directory that is not excluded"
	default:
		return "no *.yaml, *.yml or *.json in the directory"
	}
}

// lister walks through a directory.
type lister struct {
	Skips
	// root is the directory as it was named, and start the directory to walk through.
	root, start string
	files       []string
	// inParent returns a path below ParentDir, false if the directory is not in it.
	inParent func(below string) (path string, is bool)
	// charts are the charts that were left out.
	charts   []string
	problems []error
}

func (l *lister) visit(path string, entry fs.DirEntry, err error) error {
	isRoot := path == l.start
	at := path
	// Files have the name of the named directory.
	below, relErr := filepath.Rel(l.start, path)
	if relErr == nil {
		path = filepath.Join(l.root, below)
	}
	switch {
	case err != nil:
		l.problems = append(l.problems, Named(filepath.ToSlash(path), err))
	case isRoot && !entry.IsDir():
		l.files = append(l.files, path)
	case isRoot:
	case entry.IsDir():
		return l.dir(at, path, below, entry)
	case isManifest(path) && !l.excluded(below, false):
		// The destination of a link counts. Reading it reports its errors.
		switch info, err := os.Stat(path); {
		case err != nil || info.Mode().IsRegular():
			l.files = append(l.files, path)
		case !info.IsDir():
			l.problems = append(l.problems,
				fmt.Errorf("%s: not a regular file: remove it from the directory, or name the file itself",
					filepath.ToSlash(path)))
		}
	}
	return nil
}

// dir decides whether to descend into a directory below the named one.
func (l *lister) dir(at, path, below string, entry fs.DirEntry) error {
	if strings.HasPrefix(entry.Name(), ".") || l.excluded(below, true) {
		return fs.SkipDir
	}
	if l.Chart == nil {
		return nil
	}
	if info, err := os.Stat(filepath.Join(at, "Chart.yaml")); err == nil && info.Mode().IsRegular() {
		chart := filepath.ToSlash(path)
		l.charts = append(l.charts, chart)
		l.Chart(chart)
		return fs.SkipDir
	}
	return nil
}

// excluded reports whether patterns exclude a path below the directory.
func (l *lister) excluded(below string, isDir bool) bool {
	if excluded, decided := l.Exclude.decide(filepath.ToSlash(below), isDir); decided {
		return excluded
	}
	path, is := l.inParent(below)
	return is && l.ParentExclude.Exclude(filepath.ToSlash(path), isDir)
}

// inParent returns a function that returns a path below ParentDir, with links followed, for a path below a
// directory.
func (s Skips) inParent(dir string) func(below string) (string, bool) {
	if len(s.ParentExclude) == 0 {
		return func(string) (string, bool) { return "", false }
	}
	at, err := linkless(dir)
	outer, outerErr := linkless(s.ParentDir)
	if err == nil && outerErr == nil {
		at, err = filepath.Rel(outer, at)
	}
	is := err == nil && outerErr == nil && filepath.IsLocal(at)
	return func(below string) (string, bool) { return filepath.Join(at, below), is }
}

// linkless returns the absolute path of a directory without links.
func linkless(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(at)
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}

// Named adds the name of a file to an error, once.
func Named(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
