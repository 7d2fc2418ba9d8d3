package mocktest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Graph is what a program registered. Its order depends only on the content of the program, not on which goroutine came
// first. Treat the values that it returns as read-only.
type Graph struct {
	title     string
	resources []Resource // sorted by URN
	children  map[resource.URN][]Resource
	named     map[typeAndName][]Resource
	exports   resource.PropertyMap
	calls     []Call
	logs      []Log

	preview  bool
	fromFile bool                     // without secrets, calls and logs
	remains  map[resource.URN]remains // by URN
	changes  Changes                  // nil without After
}

type typeAndName struct{ typ, name string }

// Call is an invoke of a provider function, or of a method of a resource.
type Call struct {
	Token    string
	Args     resource.PropertyMap
	Provider resource.URN
	Method   bool
}

// Log is one log message of the program.
type Log struct {
	// Severity is "debug", "info", "warning" or "error".
	Severity string
	Message  string
	// URN is the URN of the resource that the message is about, if any.
	URN resource.URN
}

func newLog(in *pulumirpc.LogRequest) Log {
	return Log{
		Severity: strings.ToLower(in.GetSeverity().String()),
		Message:  in.GetMessage(),
		URN:      resource.URN(in.GetUrn()),
	}
}

func (r *recorder) graph() *Graph {
	r.mu.Lock()
	defer r.mu.Unlock()
	mode := "update"
	if r.preview {
		mode = "preview"
	}
	g := &Graph{
		title:   fmt.Sprintf("%s-%s (%s)", r.project, r.stack, mode),
		exports: r.exports,
		calls:   slices.Clone(r.calling),
		logs:    slices.Clone(r.logging),
		preview: r.preview,
		remains: map[resource.URN]remains{},
	}
	for _, urn := range slices.Sorted(maps.Keys(r.records)) {
		g.resources = append(g.resources, r.records[urn].Resource)
		g.remains[urn] = r.records[urn].left
	}
	if r.past != nil {
		g.changes = r.past.all()
	}
	g.index()
	slices.SortStableFunc(g.calls, func(a, b Call) int {
		return cmp.Or(
			cmp.Compare(a.Token, b.Token),
			cmp.Compare(fmt.Sprint(Plain(a.Args)), fmt.Sprint(Plain(b.Args))),
			cmp.Compare(a.Provider, b.Provider))
	})
	slices.SortStableFunc(g.logs, func(a, b Log) int {
		return cmp.Or(cmp.Compare(a.URN, b.URN),
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Message, b.Message))
	})
	return g
}

// index sorts the resources, and indexes them by URN, type and name.
func (g *Graph) index() {
	slices.SortFunc(g.resources, func(a, b Resource) int { return cmp.Compare(a.URN, b.URN) })
	g.children, g.named = map[resource.URN][]Resource{}, map[typeAndName][]Resource{}
	for _, r := range g.resources {
		key := typeAndName{r.Type, r.Name}
		g.children[r.Parent], g.named[key] = append(g.children[r.Parent], r), append(g.named[key], r)
	}
}

// Resources returns all resources, sorted by URN. The stack is not among them.
func (g *Graph) Resources() []Resource { return slices.Clone(g.resources) }

// Exports returns what the program exports from the stack.
func (g *Graph) Exports() resource.PropertyMap { return g.exports }

// Calls returns the invokes and method calls, sorted by token and arguments.
func (g *Graph) Calls() []Call { return slices.Clone(g.calls) }

// Logs returns the messages, sorted by URN, severity and text.
func (g *Graph) Logs() []Log { return slices.Clone(g.logs) }

// ByType returns the resources of a type, sorted by URN.
func (g *Graph) ByType(typ string) []Resource {
	return g.filtered(func(r Resource) bool { return r.Type == typ })
}

// Children returns the children of a resource, sorted by URN. For "" it returns the children of the stack.
func (g *Graph) Children(parent resource.URN) []Resource {
	return slices.Clone(g.children[parent])
}

// ByURN returns the resource with a URN, such as a parent or a dependency.
func (g *Graph) ByURN(urn resource.URN) (Resource, bool) {
	i, found := slices.BinarySearchFunc(g.resources, urn,
		func(r Resource, urn resource.URN) int { return cmp.Compare(r.URN, urn) })
	if !found {
		return Resource{}, false
	}
	return g.resources[i], true
}

// Get returns the one resource of this type and name. If there is none, the error lists the nearest ones: the others of
// the type, else the others of the name, else all. If there are several, with different parents, it lists their URNs.
func (g *Graph) Get(typ, name string) (Resource, error) {
	want := Resource{Type: typ, Name: name}
	found := g.named[typeAndName{typ, name}]
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Resource{}, fmt.Errorf("mocktest: no %s: %s", want, g.alternatives(typ, name))
	default:
		return Resource{}, fmt.Errorf("mocktest: %d resources are %s: %s", len(found), want,
			list(found, func(r Resource) string { return string(r.URN) }))
	}
}

func (g *Graph) alternatives(typ, name string) string {
	if len(g.resources) == 0 {
		return "the graph is empty"
	}
	if others := g.ByType(typ); len(others) > 0 {
		return "resources of this type are " +
			list(others, func(r Resource) string { return fmt.Sprintf("%q", r.Name) })
	}
	if others := g.filtered(func(r Resource) bool { return r.Name == name }); len(others) > 0 {
		return "resources with this name are " + list(others, Resource.String)
	}
	return "there are " + list(g.resources, Resource.String)
}

func (g *Graph) filtered(keep func(Resource) bool) []Resource {
	var result []Resource
	for _, r := range g.resources {
		if keep(r) {
			result = append(result, r)
		}
	}
	return result
}

func list(resources []Resource, text func(Resource) string) string {
	texts := make([]string, 0, len(resources))
	for _, r := range resources {
		texts = append(texts, text(r))
	}
	return strings.Join(texts, ", ")
}
