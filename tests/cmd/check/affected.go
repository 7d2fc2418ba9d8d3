package main

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// affected is a package whose tests may give another result after a change.
type affected struct {
	dir string
	// distance is 0 for a package with a changed file, 1 for a package that imports it or reads the file, and so on.
	distance int
	// because is a clause for a reader: "changed", "imports internal/core/pods", "reads docs/guard.md".
	because string
}

// reader is a package that reads files whose names do not appear as a whole in its source.
type reader struct {
	files string // a path, or a directory with everything below
	dir   string
}

// readers are the packages that put the names of files together.
var readers = []reader{
	{"docs/rules", "tests/rulepages"},
	{"docs/schemas", "tests/schemas"},
	{"docs", "tests/seeds"},
	{"README.md", "tests/seeds"},
	{".github/workflows", "tests/release"},
}

// api is the package that compares the exported names of promised packages with the files of docs/api.
const api = "tests/api"

// own is this package, which names files without reading them.
const own = "tests/cmd/check"

// readEveryFile are the packages that read most files of the checkout, whatever has changed.
var readEveryFile = []string{"tests/architecture", "tests/cmd/sizes", "tests/pages", "tests/prose"}

// effect is the result of changed files.
type effect struct {
	packages []affected
	// sources are the packages to lint: the ones with a changed Go file.
	sources []string
	// unread are changed files that no package is known to have or to read.
	unread []string
}

// affectedBy returns the packages that changed files affect, in the order of their distance and directory.
func (g graph) affectedBy(files []string) effect {
	found := map[string]affected{}
	note := func(dir string, distance int, because string) {
		if a, exists := found[dir]; g[dir] != nil && (!exists || distance < a.distance) {
			found[dir] = affected{dir, distance, because}
		}
	}
	var e effect
	var compiled []string
	for _, file := range files {
		owner, isCompiled := g.owner(file)
		if owner != "" {
			note(owner, 0, "changed")
		}
		if isCompiled {
			compiled = append(compiled, owner)
		}
		if owner != "" && path.Ext(file) == ".go" && path.Dir(file) == owner {
			e.sources = append(e.sources, owner)
		}
		read := g.readersOf(file)
		for _, dir := range read {
			note(dir, 1, "reads "+file)
		}
		if owner == "" && len(read) == 0 {
			e.unread = append(e.unread, file)
		}
	}
	g.dependents(compiled, note)
	for _, a := range found {
		e.packages = append(e.packages, a)
	}
	slices.SortFunc(e.packages, func(a, b affected) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.dir, b.dir))
	})
	slices.Sort(e.sources)
	e.sources = slices.Compact(e.sources)
	return e
}

// owner returns the package of a file, and whether the file is compiled into it, so that packages that import it
// change as well. It is "" if the file belongs to no package.
func (g graph) owner(file string) (dir string, isCompiled bool) {
	if path.Ext(file) == ".go" && !inTestdata(file) {
		if dir := path.Dir(file); g[dir] != nil {
			return dir, !strings.HasSuffix(file, "_test.go")
		}
		return "", false // the package is deleted, or belongs to a module of tools
	}
	dir = enclosing(path.Dir(file), func(dir string) bool { return g[dir] != nil })
	if dir == "" {
		return "", false
	}
	if path.Base(file) == "budget.txt" {
		return "", false // only tests/cmd/sizes reads it
	}
	embedded := slices.ContainsFunc(g[dir].embeds, func(pattern string) bool { return covers(pattern, file) })
	// The page of a directory is not a file of the package in it, and most files of the checkout are below the root.
	if !embedded && dir == "." && !strings.HasPrefix(file, "testdata/") {
		return "", false
	}
	return dir, embedded
}

// readersOf returns the packages that read a file of another package.
func (g graph) readersOf(file string) []string {
	owner, isCompiled := g.owner(file)
	var found []string
	if isCompiled && g[owner].listed {
		found = append(found, api)
	}
	for _, r := range readers {
		if covers(r.files, file) {
			found = append(found, r.dir)
		}
	}
	for _, dir := range g.dirs() {
		p := g[dir]
		if dir == owner || dir == own {
			continue
		}
		if path.Base(file) == "go.mod" || path.Base(file) == "go.sum" {
			if p.module == path.Dir(file) {
				found = append(found, dir)
				continue
			}
		}
		// A string that is a directory may be about its files of other kinds.
		names := func(name string) bool { return covers(name, file) }
		if path.Ext(file) == ".go" && !inTestdata(file) {
			names = func(name string) bool { return name == file }
		}
		if slices.ContainsFunc(p.names, names) {
			found = append(found, dir)
		}
	}
	return found
}

// covers returns whether a pattern matches a file, or a directory with it.
func covers(pattern, file string) bool {
	return enclosing(file, func(part string) bool {
		matches, err := path.Match(pattern, part)
		return part == pattern || err == nil && matches && part != "."
	}) != ""
}

// dependents notes the packages whose tests import the changed ones, by distance. The import of a test affects
// the package of the test only.
func (g graph) dependents(changed []string, note func(dir string, distance int, because string)) {
	reached := map[string]bool{}
	for _, dir := range changed {
		reached[dir] = true
	}
	for distance := 1; len(changed) > 0; distance++ {
		var next []string
		for _, dir := range g.dirs() {
			p := g[dir]
			for _, imported := range changed {
				if slices.Contains(p.imports, imported) && !reached[dir] {
					reached[dir] = true
					next = append(next, dir)
				}
				if slices.Contains(p.imports, imported) || slices.Contains(p.testImports, imported) {
					note(dir, distance, "imports "+imported)
				}
			}
		}
		changed = next
	}
}
