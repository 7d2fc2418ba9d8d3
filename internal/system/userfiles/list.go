package userfiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Skips are the files to leave out of directories that are named. The zero value leaves out nothing.
type Skips struct {
	// Exclude are patterns for paths that begin in the directory.
	Exclude Patterns
	// IgnoreFile is the name of a file in the directory with more patterns, which is optional; the patterns of Exclude
	// come after them.
	IgnoreFile string
	// ConfigFile is the name of files that are left out of all directories, because the command itself reads them.
	ConfigFile string
	// OtherOwner is called if IgnoreFile is not read, because it belongs to another user: see [disk.Access.OtherOwner].
	OtherOwner func(path, reason string)
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
// links to directories below it are not followed. A manifest in a directory must be a regular file, or a link to one.
// A directory without manifests is an error.
func List(access *disk.Access, root string, skips Skips) (files []string, problems []error) {
	switch info, err := access.Stat(root); {
	case err != nil:
		return nil, []error{disk.Named(filepath.ToSlash(root), err)}
	case !info.IsDir():
		return []string{root}, nil
	}
	if skips.IgnoreFile != "" {
		var more Patterns
		more, problems = skips.ignoreFile(access, filepath.Join(root, skips.IgnoreFile))
		skips.Exclude = append(more, skips.Exclude...)
	}
	l := lister{Skips: skips, access: access, root: root, problems: problems, inParent: skips.inParent(root)}
	_ = access.WalkDir(root, l.visit)
	if len(l.files) == 0 && len(l.problems) == 0 {
		l.problems = []error{fmt.Errorf("%s: %s", filepath.ToSlash(root), l.nothing())}
	}
	return l.files, l.problems
}

// ignoreFile reads the file of patterns, unless another user has put it there.
func (s Skips) ignoreFile(access *disk.Access, path string) (Patterns, []error) {
	reason, err := access.OtherOwner(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, []error{disk.Named(filepath.ToSlash(path), err)}
	case reason != "":
		s.OtherOwner(filepath.ToSlash(path), reason)
		return nil, nil
	}
	return readPatterns(access, path)
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
	access *disk.Access
	// root is the directory to walk through.
	root  string
	files []string
	// inParent returns a path below ParentDir, false if the directory is not in it.
	inParent func(below string) (path string, is bool)
	// charts are the charts that were left out.
	charts   []string
	problems []error
}

func (l *lister) visit(path string, entry fs.DirEntry, err error) error {
	below, relErr := filepath.Rel(l.root, path)
	switch err = cmp.Or(err, relErr); {
	case err != nil:
		l.problems = append(l.problems, disk.Named(filepath.ToSlash(path), err))
	case below == ".":
	case entry.IsDir():
		return l.dir(path, below, entry)
	case IsManifest(path) && filepath.Base(path) != l.ConfigFile && !l.excluded(below, false):
		if entry.Type().IsRegular() {
			l.files = append(l.files, path)
			return nil
		}
		// The destination of a link counts. Reading it reports its errors.
		switch info, err := l.access.Stat(path); {
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
func (l *lister) dir(path, below string, entry fs.DirEntry) error {
	if strings.HasPrefix(entry.Name(), ".") || l.excluded(below, true) {
		return fs.SkipDir
	}
	if l.Chart == nil {
		return nil
	}
	if info, err := l.access.Stat(filepath.Join(path, "Chart.yaml")); err == nil && info.Mode().IsRegular() {
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
	at, is := disk.Below(s.ParentDir, dir)
	return func(below string) (string, bool) { return filepath.Join(at, below), is }
}

// IsManifest reports whether a directory's file of that name is read.
func IsManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}
