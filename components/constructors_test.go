// Package components_test writes docs/components.md: what each public constructor is called with, and
// where its options go. The source says which constructors there are, reflection what they take, and
// a run of each where options end up.
package components_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/golden"
)

const introduction = `# Components

This file is generated, by ` + "`make generate`" + `, from the source and from a run of each constructor.
[moving.md](moving.md) says how to use the options to move resources into components and out again.

**Plain inputs** are Go values that have to be known when the program runs: the component decides on them what it registers, or checks
them in the preview. They cannot be outputs. If yours is one, because another resource brings it, read it before: from the
configuration of the stack (` + "`config.Require`" + `), from a file, or in another stack whose outputs that configuration repeats. All other
inputs take outputs. The numbers say why, [below](#why-inputs-are-plain).

**Options** of a component that Pulumi hands down itself are the same everywhere: ` + "`Provider`, `Providers`, `Protect`, `RetainOnDelete`, " +
	"`DeletedWith`, `Transforms` and `Transformations`" + ` reach all children that do not say something else, and children wait for what
` + "`DependsOn`" + ` names. The others:

- **One resource**: what has the options that are about one resource: ` + "`IgnoreChanges`, `ReplaceOnChanges`, `ReplacementTrigger`, " +
	"`ReplaceWith`, `Import`, `DeleteBeforeReplace`, `AdditionalSecretOutputs`, `HideDiffs`, `Version`, `PluginDownloadURL` and `ResourceHooks`" + `.
  A protection that the component sets itself gives way to ` + "`Protect`" + ` there. Where no resource is named, these options are errors, but for
  hooks, which are those of the component.
- **Timeouts**: what ` + "`Timeouts`" + ` reaches. Where nothing is named, it is an error.
- **Aliases**: the resources that an alias can name by its type, and by its name if there are several. Parts that the alias does not
  say are the component's: its name, its parent. An alias of a resource of another type is an error; all others are the component's own.

What reaches nothing can be set by type and name with ` + "`pulumi.Transforms`" + ` at the component.
`

// constructors are the public constructors in the source: "workload.NewDeployment".
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
				found = append(found, file.Name.Name+"."+f.Name.Name)
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

// constructs says whether a function is exported, and takes options of resources.
func constructs(f *ast.FuncDecl) bool {
	params := f.Type.Params.List
	if !f.Name.IsExported() || f.Recv != nil || len(params) == 0 {
		return false
	}
	last, ok := params[len(params)-1].Type.(*ast.Ellipsis)
	if !ok {
		return false
	}
	option, ok := last.Elt.(*ast.SelectorExpr)
	return ok && option.Sel.Name == "ResourceOption"
}

// constructor is one of them, with good arguments.
type constructor struct {
	call any
	// args are nil where it takes none.
	args any
}

// name is the name of all components here.
const name = "it"

func (c constructor) program(opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		in := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(name)}
		if c.args != nil {
			in = append(in, reflect.ValueOf(c.args))
		}
		out := reflect.ValueOf(c.call).CallSlice(append(in, reflect.ValueOf(opts)))
		err, _ := out[1].Interface().(error)
		return err
	}
}

// run is a run with an option, in an Azure where there is nothing.
func (c constructor) run(opts ...pulumi.ResourceOption) (*mocktest.Graph, error) {
	azure := akstest.Azure()
	if strings.Contains(fmt.Sprintf("%T", c.args), "kubeadm.") {
		azure = kubeadmtest.Azure()
	}
	return mocktest.Run(c.program(opts...), azure, mocktest.Preview())
}

func TestGeneratedComponents(t *testing.T) {
	t.Parallel()
	all := instances(t)
	if diff := cmp.Diff(constructors(t), slices.Sorted(maps.Keys(all))); diff != "" {
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
	b.WriteString("\n## Why inputs are plain\n\n" + why.list(t))
	golden.Equal(t, "../docs/components.md", b.String())
}

// row is a row of the table.
func row(t *testing.T, name string, c constructor, why *reasons) string {
	t.Helper()
	graph, err := c.run()
	if err != nil {
		t.Fatalf("%s: the arguments here are not good: %v", name, err)
	}
	top := graph.Resources()[len(graph.Resources())-1]
	for _, r := range graph.Resources() {
		if r.Parent == "" && r.Name == "it" {
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
			names = append(names, "`"+string(key)+"`")
		}
		outputs = listed(names)
	}
	single := reached(c, pulumi.IgnoreChanges([]string{"probe"}), func(r mocktest.Resource) bool {
		return slices.Contains(r.IgnoreChanges, "probe")
	})
	timeouts := reached(c, pulumi.Timeouts(&pulumi.CustomTimeouts{Delete: "17m"}), func(r mocktest.Resource) bool {
		return r.CustomTimeouts.Delete == "17m"
	})
	return fmt.Sprintf("| [`%s`](https://pkg.go.dev/github.com/mixedkube/mixedkube/components/%s) | `%s` | %s | %s | %s | %s | %s |\n",
		name, strings.Replace(name, ".", "#", 1), top.Type, strings.Join(plain, ", "), outputs, single, timeouts, aliased(c, graph))
}

// reached are the resources that an option reaches, or "" where it is refused.
func reached(c constructor, option pulumi.ResourceOption, has func(mocktest.Resource) bool) string {
	graph, err := c.run(option)
	if err != nil {
		return ""
	}
	var types []string
	for _, r := range graph.Resources() {
		if has(r) {
			types = append(types, typeOf(r))
		}
	}
	return listed(types)
}

// aliased are the resources that aliases reach.
func aliased(c constructor, graph *mocktest.Graph) string {
	var types []string
	for _, r := range graph.Resources() {
		if r.Name == name && r.Parent == "" && !r.Custom {
			continue
		}
		alias := pulumi.Alias{Type: pulumi.String(r.Type), Name: pulumi.String(r.Name)}
		is := func(a mocktest.Alias) bool { return a.Type == r.Type && a.Name == r.Name }
		if reached(c, pulumi.Aliases([]pulumi.Alias{alias}), func(other mocktest.Resource) bool {
			return other.URN == r.URN && slices.ContainsFunc(other.Aliases, is)
		}) != "" {
			types = append(types, typeOf(r))
		}
	}
	return listed(types)
}

func typeOf(r mocktest.Resource) string {
	return "`" + r.Type + "`"
}

// listed are texts, each once.
func listed(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}
