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

// Skips say what is left out of the folders that are named. The zero value leaves out nothing.
type Skips struct {
	// Exclude are patterns for paths that begin in the folder.
	Exclude Patterns
	// IgnoreFile is the name of a file in the folder with more of them, which need not be there;
	// those of Exclude come after them.
	IgnoreFile string
	// Around are patterns for paths that begin in AroundFolder, a folder that has the named one in it
	// or is the same. Those of IgnoreFile and Exclude come after them.
	Around       Patterns
	AroundFolder string
	// Chart is called for each Helm chart below the folder, which is left out then; nil takes
	// charts for ordinary folders.
	Chart func(path string)
}

// List returns a file itself, whatever it is called, and the manifests of a folder
// and of those below it, in the order of their names. Hidden folders (.git,
// .github) are left out, unless they are named. The folder that is named may be a link,
// those below are not followed. A manifest of a folder must be a regular file, or a
// link to one. A folder without manifests is a problem.
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
	l := lister{Skips: skips, root: root, start: start, problems: problems, around: skips.around(start)}
	_ = filepath.WalkDir(start, l.visit)
	if len(l.files) == 0 && len(l.problems) == 0 {
		l.problems = []error{fmt.Errorf("%s: %s", filepath.ToSlash(root), l.nothing())}
	}
	return l.files, l.problems
}

// fewCharts is how many charts of a folder are named that has nothing else.
const fewCharts = 3

// nothing says why there are no manifests.
func (l *lister) nothing() string {
	switch n := len(l.charts); {
	case n > fewCharts:
		return fmt.Sprintf("only Helm charts in the folder: name them instead: %s and %d more",
			strings.Join(l.charts[:fewCharts], " "), n-fewCharts)
	case n > 0:
		return "only Helm charts in the folder: name them instead: " + strings.Join(l.charts, " ")
	case len(l.Exclude)+len(l.Around) > 0:
		return "no *.yaml, *.yml or *.json in the folder that is not excluded"
	default:
		return "no *.yaml, *.yml or *.json in the folder"
	}
}

// lister walks through a folder.
type lister struct {
	Skips
	// root is the folder as it was named, start the one that is walked through.
	root, start string
	files       []string
	// around is where the folder is in that of Around, false if it is not in it.
	around func(below string) (path string, is bool)
	// charts are those that were left out.
	charts   []string
	problems []error
}

func (l *lister) visit(path string, entry fs.DirEntry, err error) error {
	isRoot := path == l.start
	at := path
	// Files have the name of what was named.
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
		return l.folder(at, path, below, entry)
	case isManifest(path) && !l.excluded(below, false):
		// What a link leads to counts. What is wrong with it reading says.
		switch info, err := os.Stat(path); {
		case err != nil || info.Mode().IsRegular():
			l.files = append(l.files, path)
		case !info.IsDir():
			l.problems = append(l.problems,
				fmt.Errorf("%s: not a regular file: remove it from the folder, or name the file itself",
					filepath.ToSlash(path)))
		}
	}
	return nil
}

// folder reports whether to go into a folder below the one that is named.
func (l *lister) folder(at, path, below string, entry fs.DirEntry) error {
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

// excluded reports whether patterns leave out what is below the folder.
func (l *lister) excluded(below string, isDir bool) bool {
	if excluded, decided := l.Exclude.decide(filepath.ToSlash(below), isDir); decided {
		return excluded
	}
	path, is := l.around(below)
	return is && l.Around.Exclude(filepath.ToSlash(path), isDir)
}

// around says where what is below a folder is in AroundFolder, links followed.
func (s Skips) around(folder string) func(below string) (string, bool) {
	if len(s.Around) == 0 {
		return func(string) (string, bool) { return "", false }
	}
	at, err := linkless(folder)
	outer, outerErr := linkless(s.AroundFolder)
	if err == nil && outerErr == nil {
		at, err = filepath.Rel(outer, at)
	}
	is := err == nil && outerErr == nil && filepath.IsLocal(at)
	return func(below string) (string, bool) { return filepath.Join(at, below), is }
}

// linkless is the absolute path of a folder without links.
func linkless(folder string) (string, error) {
	at, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(at)
}

func isManifest(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}

// Named says once which file an error is about.
func Named(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}
