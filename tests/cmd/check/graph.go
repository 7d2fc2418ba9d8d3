package main

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// prefix is the path of the root module, below which the path of each package is its directory.
const prefix = "github.com/mixedkube/mixedkube"

// goPackage is a directory with Go files, including the ones for other systems: they are few, and `go list` takes
// longer than to read them all.
type goPackage struct {
	module string
	// imports and testImports are directories of packages, and external the imports from other modules.
	imports, testImports, external []string
	// embeds are patterns of files, from the root of the checkout.
	embeds []string
	// names are the files, directories and patterns that the source names, from the root of the checkout.
	names []string
	// tested is whether there are tests, and generated whether one of them compares a generated file.
	tested, generated bool
	// listed is whether a file of docs/api has the exported names of the package.
	listed bool
}

// graph has the packages by directory, from the root of the checkout.
type graph map[string]*goPackage

// scan reads the packages of the modules. The files are paths from the root of the checkout.
func scan(checkout fs.FS, files, modules []string) (graph, error) {
	nested, existing := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		if path.Base(file) == "go.mod" {
			nested[path.Dir(file)] = true
		}
		for part := file; part != "."; part = path.Dir(part) {
			existing[part] = true
		}
	}
	g := graph{}
	for _, file := range files {
		if path.Ext(file) != ".go" || inTestdata(file) {
			continue
		}
		module := enclosing(path.Dir(file), func(dir string) bool { return nested[dir] })
		if !slices.Contains(modules, module) {
			continue // a module of tools, which has no tests
		}
		text, err := fs.ReadFile(checkout, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			return nil, err
		}
		dir := path.Dir(file)
		if g[dir] == nil {
			g[dir] = &goPackage{module: module}
		}
		if err := g[dir].add(file, text); err != nil {
			return nil, err
		}
	}
	for dir, p := range g {
		p.listed = existing["docs/api/"+dir+".txt"]
		for _, list := range []*[]string{&p.imports, &p.testImports, &p.external, &p.embeds, &p.names} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		p.names = slices.DeleteFunc(p.names, func(name string) bool {
			return !existing[name] && !strings.Contains(name, "*")
		})
	}
	return g, nil
}

var (
	embed     = regexp.MustCompile(`(?m)^//go:embed (.+)$`)
	test      = regexp.MustCompile(`(?m)^func (?:Test|Fuzz|Example)`)
	generated = regexp.MustCompile(`(?m)^func TestGenerated`)
	literal   = regexp.MustCompile("\"[^\"\\s]+\"|`[^`\\s]+`")
	join      = regexp.MustCompile(`filepath\.Join\(("[^"]+"(?:, "[^"]+")*)`)
)

// add reads a file of the package.
func (p *goPackage) add(file string, text []byte) error {
	imports, err := importsOf(file, text)
	if err != nil {
		return err
	}
	dir, isTest := path.Dir(file), strings.HasSuffix(file, "_test.go")
	for _, name := range imports {
		switch within, ok := strings.CutPrefix(name+"/", prefix+"/"); {
		case !ok:
			p.external = append(p.external, name)
		case isTest:
			p.testImports = append(p.testImports, path.Clean(within))
		default:
			p.imports = append(p.imports, path.Clean(within))
		}
	}
	for _, found := range embed.FindAllSubmatch(text, -1) {
		for pattern := range strings.FieldsSeq(string(found[1])) {
			p.embeds = append(p.embeds, path.Join(dir, strings.TrimPrefix(pattern, "all:")))
		}
	}
	p.names = append(p.names, namesIn(dir, string(text))...)
	p.tested = p.tested || isTest && test.Match(text)
	p.generated = p.generated || isTest && generated.Match(text)
	return nil
}

func importsOf(file string, text []byte) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, i := range parsed.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		imports = append(imports, name)
	}
	return imports, nil
}

// namesIn returns the paths that strings of a Go file may name: the ones that lead out of its directory, and the
// ones from the root of the checkout. A name without a slash is a file of the root only if it is not a common one.
func namesIn(dir, text string) []string {
	var names []string
	for _, found := range join.FindAllStringSubmatch(text, -1) {
		if name := path.Join(strings.Split(strings.ReplaceAll(found[1], `"`, ""), ", ")...); climbs(name) {
			names = append(names, path.Join(dir, name))
		}
	}
	for _, found := range literal.FindAllString(text, -1) {
		name := found[1 : len(found)-1]
		switch {
		case climbs(name):
			names = append(names, path.Join(dir, name))
		case strings.Contains(name, "/") || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".yml"):
			names = append(names, path.Clean(name))
		}
	}
	// The root and other parents of the package, which tests prepend to paths, name no file. A pattern for the root is
	// for another directory.
	return slices.DeleteFunc(names, func(name string) bool {
		first, _, _ := strings.Cut(name, "/")
		return name == "." || climbs(name) || covers(name, dir) || first == "" || strings.Contains(first, "*")
	})
}

func climbs(name string) bool { return name == ".." || strings.HasPrefix(name, "../") }

// enclosing returns the nearest directory that is in the set: dir, its parent, and so on. It is "" if there is none.
func enclosing(dir string, in func(dir string) bool) string {
	for ; !in(dir); dir = path.Dir(dir) {
		if dir == "." {
			return ""
		}
	}
	return dir
}

func inTestdata(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(name string) bool {
		return name == "testdata" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") && name != "."
	})
}

// reaches returns whether the tests of a package import one of the others, directly or not.
func (g graph) reaches(dir string, others ...string) bool {
	seen := map[string]bool{}
	var visit func(dir string) bool
	visit = func(dir string) bool {
		p := g[dir]
		if p == nil || seen[dir] {
			return false
		}
		seen[dir] = true
		return slices.Contains(others, dir) || slices.ContainsFunc(p.imports, visit)
	}
	return g[dir] != nil && (visit(dir) || slices.ContainsFunc(g[dir].testImports, visit))
}

// dirs returns the directories in order.
func (g graph) dirs() []string { return slices.Sorted(maps.Keys(g)) }
