// Package components_test writes docs/components.md: the arguments of each public constructor, and what its options
// reach. It finds the constructors in the source, their arguments by reflection, and what options reach by running each
// constructor.
package components_test

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

//go:embed testdata/introduction.md
var introduction string

// constructors returns the public constructors in the source, such as "workload.NewDeployment".
func constructors(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "internal") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && constructs(f) {
				found = append(found, file.Name.Name+"."+receiver(f)+f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// receiver returns the type of a method's receiver, followed by a dot.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	return typ.(*ast.Ident).Name + "."
}

// constructs reports whether a function is exported, and accepts options of resources. A method whose name does not
// begin with New registers parts of a component.
func constructs(f *ast.FuncDecl) bool {
	params := f.Type.Params.List
	part := f.Recv != nil && !strings.HasPrefix(f.Name.Name, "New")
	if !f.Name.IsExported() || part || len(params) == 0 {
		return false
	}
	last, ok := params[len(params)-1].Type.(*ast.Ellipsis)
	if !ok {
		return false
	}
	option, ok := last.Elt.(*ast.SelectorExpr)
	return ok && option.Sel.Name == "ResourceOption"
}

// constructor is one constructor, with valid arguments.
type constructor struct {
	call any
	// args are nil if it takes none.
	args any
}

// it is the name of all components here.
const it = "it"

func (c constructor) program(opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		in := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(it)}
		if c.args != nil {
			in = append(in, reflect.ValueOf(c.args))
		}
		out := reflect.ValueOf(c.call).CallSlice(append(in, reflect.ValueOf(opts)))
		err, _ := reflect.TypeAssert[error](out[1])
		return err
	}
}

// run runs the constructor with an option, in a simulated Azure that has only the existing cluster.
func (c constructor) run(opts ...pulumi.ResourceOption) (*mocktest.Graph, error) {
	return mocktest.Run(c.program(opts...), c.azure(), mocktest.Preview())
}

func (c constructor) azure() mocktest.Option {
	if strings.Contains(fmt.Sprintf("%T", c.args), "kubeadm.") {
		return kubeadmtest.Azure()
	}
	return akstest.Azure(existing)
}

func TestGeneratedComponents(t *testing.T) {
	t.Parallel()
	all := instances(t)
	if diff := gocmp.Diff(constructors(t), slices.Sorted(maps.Keys(all))); diff != "" {
		t.Fatalf("the constructors of the source and those here (-source +here):\n%s", diff)
	}
	why := newReasons()
	var b, rows strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		rows.WriteString(row(t, name, all[name], why))
	}
	b.WriteString(introduction)
	b.WriteString("\n| Constructor | Token | Plain inputs | Outputs | One resource | Timeouts | Aliases |\n" +
		"|---|---|---|---|---|---|---|\n" + rows.String())
	b.WriteString("\nThe manifests of `manifest.NewGroup` have one ConfigMap here: " +
		"each object is a resource of its own.\n")
	b.WriteString("\n## Why inputs are plain\n\n" + why.list(t))
	golden.Equal(t, "../docs/components.md", b.String())
}

// TestTheOutputsAreThoseOfThePlugin compares the outputs in the state with those of the schema of other languages.
func TestTheOutputsAreThoseOfThePlugin(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../internal/provider/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Resources map[string]struct{ Properties map[string]any }
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	// Some outputs are only in the state, or only in other languages.
	stateOnly := map[string][]string{
		"mixedkube:aks:Cluster": {"id"}, "mixedkube:aks:ExistingCluster": {"id"}, "mixedkube:aks:NodePool": {"id"},
		"mixedkube:kubeadm:Cluster": {"joinedNodes"}, // a record for the next update
	}
	pluginOnly := map[string][]string{
		"mixedkube:aks:ExistingCluster": {"topology"},       // which grows in Go
		"mixedkube:kubeadm:Cluster":     {"egressPolicies"}, // a method in Go
	}
	compared := 0
	for name, c := range instances(t) {
		graph, err := c.run()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range graph.Resources() {
			of, known := schema.Resources[r.Type]
			if !known || r.Name != it {
				continue
			}
			compared++
			want := append(slices.Collect(maps.Keys(of.Properties)), stateOnly[r.Type]...)
			got := slices.Clone(pluginOnly[r.Type])
			for key := range r.Outputs {
				got = append(got, string(key))
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s: outputs of the plugin and of the component (-plugin +component):\n%s", name, diff)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d components are compared", compared)
	}
}

// row returns a row of the table.
func row(t *testing.T, name string, c constructor, why *reasons) string {
	t.Helper()
	graph, err := c.run()
	if err != nil {
		t.Fatalf("%s: the arguments here are not good: %v", name, err)
	}
	top := graph.Resources()[len(graph.Resources())-1]
	for _, r := range graph.Resources() {
		if r.Name == it {
			top = r
		}
	}
	var plain []string
	if c.args != nil {
		plain = why.plain(t, reflect.TypeOf(c.args).Elem(), "")
	}
	outputs := "the resource itself"
	if !top.Custom {
		var names []string
		for key := range top.Outputs {
			if key != "id" { // only for states of earlier versions: no language can read it
				names = append(names, "`"+string(key)+"`")
			}
		}
		outputs = cmp.Or(listed(names), nothing)
	}
	single := reached(c, pulumi.IgnoreChanges([]string{"probe"}), func(r mocktest.Resource) bool {
		return slices.Contains(r.IgnoreChanges, "probe")
	})
	timeouts := reached(c, pulumi.Timeouts(&pulumi.CustomTimeouts{Delete: "17m"}), func(r mocktest.Resource) bool {
		return r.CustomTimeouts.Delete == "17m"
	})
	if timeouts == "" {
		timeouts = rendered
	}
	return fmt.Sprintf("| [`%s`](%s/%s) | `%s` | %s | %s | %s | %s | %s |\n",
		name, "https://pkg.go.dev/github.com/mixedkube/mixedkube/components", strings.Replace(name, ".", "#", 1),
		top.Type, cmp.Or(strings.Join(plain, ", "), nothing), outputs, single, timeouts,
		cmp.Or(aliased(c, graph), nothing))
}

// nothing is the text of an empty cell, and rendered represents the objects of a chart, which no run here renders.
const (
	nothing  = "–"
	rendered = "what the chart renders"
)

// reached returns the resources that an option reaches: none if the option is refused.
func reached(c constructor, option pulumi.ResourceOption, has func(mocktest.Resource) bool) string {
	graph, err := c.run(option)
	if err != nil {
		return nothing
	}
	var types []string
	for _, r := range graph.Resources() {
		if has(r) {
			types = append(types, typeOf(r))
		}
	}
	return listed(types)
}

// aliased returns the resources that aliases reach.
func aliased(c constructor, graph *mocktest.Graph) string {
	var types []string
	for _, r := range graph.Resources() {
		if r.Name == it && !r.Custom {
			continue
		}
		alias := pulumi.Alias{Type: pulumi.String(r.Type), Name: pulumi.String(r.Name)}
		is := func(a mocktest.Alias) bool {
			return a.Type == r.Type && a.Name == r.Name || strings.HasSuffix(string(a.URN), "::"+r.Type+"::"+r.Name)
		}
		if reached(c, pulumi.Aliases([]pulumi.Alias{alias}), func(other mocktest.Resource) bool {
			return other.URN == r.URN && slices.ContainsFunc(other.Aliases, is)
		}) == typeOf(r) {
			types = append(types, typeOf(r))
		}
	}
	return listed(types)
}

func typeOf(r mocktest.Resource) string {
	return "`" + r.Type + "`"
}

// listed joins texts, each once.
func listed(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}
