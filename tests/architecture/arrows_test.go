package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/golist"
)

// arrowsBack are how many arrows between the files of packages run back: an arrow leads from a file to one whose
// declarations it names, and runs back if the files cannot be read in an order in which each names only earlier ones.
// With a slash at its end, a path stands for all packages below it.
var arrowsBack = map[string]int{
	"core/preflight/":       20,
	"core/aks/plan":         16,
	"machines/kubeadm/plan": 11,
	"components/guard/":     3,
}

// files is a graph of files: the files that each one needs.
type files map[string]map[string]bool

// filesOf returns the files of a package, each with the files whose declarations it names.
func filesOf(t *testing.T, p golist.Package, importer types.Importer, set *token.FileSet) files {
	t.Helper()
	var parsed []*ast.File
	of := files{}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, path.Join(p.Dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed, of[name] = append(parsed, f), map[string]bool{}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: importer}).Check(p.ImportPath, set, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	for use, object := range info.Uses {
		from, to := set.Position(use.Pos()).Filename, set.Position(object.Pos()).Filename
		if object.Pkg() == pkg && from != to {
			of[path.Base(from)][path.Base(to)] = true
		}
	}
	return of
}

// back returns the arrows that run back in the best order that it finds: it moves single files for as long as that
// helps.
func (f files) back() []string {
	order := slices.Sorted(maps.Keys(f))
	best := f.backIn(order)
	for improved := true; improved; {
		improved = false
		for _, name := range slices.Clone(order) {
			rest := slices.DeleteFunc(slices.Clone(order), func(other string) bool { return other == name })
			for to := range order {
				moved := slices.Insert(slices.Clone(rest), to, name)
				if arrows := f.backIn(moved); len(arrows) < len(best) {
					best, order, improved = arrows, moved, true
				}
			}
		}
	}
	return best
}

// backIn returns the arrows that run back if files come after those that they need.
func (f files) backIn(order []string) []string {
	var arrows []string
	for i, from := range order {
		for _, to := range order[i+1:] {
			if f[from][to] {
				arrows = append(arrows, from+" → "+to)
			}
		}
	}
	return arrows
}

func TestFilesNeedFilesBelowThem(t *testing.T) {
	t.Parallel()
	var patterns []string
	for _, name := range slices.Sorted(maps.Keys(arrowsBack)) {
		if strings.HasSuffix(name, "/") {
			name += "..."
		}
		patterns = append(patterns, "./"+name)
	}
	packages := golist.List(t, "../..", patterns...)
	set := token.NewFileSet()
	importer := golist.Importer(set, packages)
	found := map[string]int{}
	for _, p := range packages {
		if p.DepOnly {
			continue
		}
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		back := filesOf(t, p, importer, set).back()
		t.Logf("%s: %d files, %d arrows back: %s", name, len(p.GoFiles), len(back), strings.Join(back, ", "))
		for of := range arrowsBack {
			if name == of || strings.HasSuffix(of, "/") && strings.HasPrefix(name+"/", of) {
				found[of] += len(back)
			}
		}
	}
	if diff := cmp.Diff(arrowsBack, found); diff != "" {
		t.Errorf("arrows between files that run back (-allowed +found):\n%s", diff)
	}
}

func TestArrowsBack(t *testing.T) {
	t.Parallel()
	graph := files{"a": {"b": true, "c": true}, "b": {"c": true}, "c": {}, "d": {"a": true}}
	if back := graph.back(); len(back) > 0 {
		t.Errorf("arrows run back without a circle: %q", back)
	}
	graph["c"]["a"] = true
	if back := graph.back(); len(back) != 1 {
		t.Errorf("arrows back in a circle: %q, want one", back)
	}
}
