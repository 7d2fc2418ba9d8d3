package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sources are packages of a small module, each after the ones that it imports.
var sources = []struct{ path, text string }{
	{"io", "package io\n\ntype Reader interface{ Read(p []byte) (n int, err error) }\n\n" +
		"type Closer interface{ Close() error }\n"},
	{module + "/internal/core/value/tree", "package tree\n\ntype Node struct{ Name string }\n"},
	{module + "/components/plan", `package plan

import "` + module + `/internal/core/value/tree"

type Pool struct {
	Size  string
	Check Check
	nodes []tree.Node
}

func (*Pool) Nodes() []tree.Node { return nil }
func (Pool) Valid() bool { return true }

type Check func(name string) (valid bool, err error)

type Unused struct{ Field int }

func New() Unused { return Unused{} }
`},
	{module + "/components/aks", `package aks

import (
	"io"

	"` + module + `/components/plan"
	"` + module + `/internal/core/value/tree"
)

const Small = "s" + "m"

const internalOnly = 1

type Mode string

const (
	System Mode = "system"
	Path   Mode = "see internal/core/value/tree"
)

var Default, hidden = Mode("x"), 2

type Pool = plan.Pool

type common struct{ Tags map[string]*string }

func (*common) Tag(name string) {}
func (common) lower() {}

type Args struct {
	common
	io.Reader
	Pools   []Pool
	Named   struct{ A, b int }
	Tree    tree.Node
	ID      [2]chan<- error
	private int
}

func (a *Args) Read(p []byte) (n int, err error) { return 0, nil }

type Source interface {
	io.Closer
	Get(names ...string) (Mode, error)
	sealed()
}

type Number interface{ ~int | ~string }

type Set[K comparable, V Number] map[K]V

func (s Set[K, V]) Each(f func(key K, value V) bool) {}

func Of[K comparable](key K, from ...Source) Set[K, int] { return nil }
func Read(r io.Reader, n tree.Node) {}
func Any(a any, f func(x struct{ m interface{ M() } })) interface{ N(i int) } { return nil }
func secret() {}
`},
}

// small type-checks the packages of sources.
func small(t *testing.T) map[string]*types.Package {
	t.Helper()
	packages := map[string]*types.Package{}
	set := token.NewFileSet()
	config := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) {
		return packages[path], nil
	})}
	for _, source := range sources {
		file, err := parser.ParseFile(set, source.path+".go", source.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		packages[source.path], err = config.Check(source.path, set, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	return packages
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func TestTheListingHasALineForEachName(t *testing.T) {
	t.Parallel()
	api := listAPI([]*types.Package{small(t)[module+"/components/aks"]})
	want := map[string][]string{
		"components/aks": {
			`const Path Mode = "see internal/core/value/tree"`,
			`const Small untyped string = "sm"`,
			`const System Mode = "system"`,
			"func Any(any, func(struct {m interface { M() }})) interface { N(int) }",
			"func Of[K comparable](K, ...Source) Set[K, int]",
			"method (*Args) Read([]byte) (int, error)",
			"method (*Args) Tag(string)",
			"method (Set) Each(func(K, V) bool)",
			"type Args struct",
			"type Args struct, ID [2]chan<- error",
			"type Args struct, Named struct {A int; b int}",
			"type Args struct, Pools []components/plan.Pool",
			"type Args struct, Tags map[string]*string",
			"type Args struct, embedded io.Reader",
			"type Mode string",
			"type Number interface { ~int | ~string }",
			"type Pool = components/plan.Pool",
			"type Set[K comparable, V Number] map[K]V",
			"type Source interface { Close(); Get(); sealed() }",
			"type Source interface, Close() error",
			"type Source interface, Get(...string) (Mode, error)",
			"var Default Mode",
		},
		"components/plan": {
			"method (Pool) Valid() bool",
			"type Check func(string) (bool, error)",
			"type Pool struct",
			"type Pool struct, Check Check",
			"type Pool struct, Size string",
		},
	}
	got := map[string][]string{}
	for dir := range api.lines {
		got[dir] = api.of(dir)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
