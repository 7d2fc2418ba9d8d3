package mocktest

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"gopkg.in/yaml.v3"
)

// String returns the whole graph as text, the same for the same program: the resources as a tree, each with its
// options, dependencies and inputs, and after them the exports, calls and logs. It leaves out empty and unset fields,
// and also the provider's version and download URL, and aliases for other versions of the same API, which would change
// a golden file with each upgrade.
//
// Values are YAML, with maps and lists on one line if they are short and not deep. Secrets show as [secret], including
// those that AdditionalSecretOutputs names, and unknown values as [unknown]. A log message shows unchanged. A
// dependency through inputs names them in parentheses. A resource is named by type and name, or by its URN if that is
// ambiguous.
func (g *Graph) String() string {
	p := printer{graph: g, scalars: map[any]*yaml.Node{}}
	p.line(0, "%s", g.title)
	for _, r := range g.resources {
		if r.Parent == "" {
			p.resource(1, r)
		} else if _, ok := g.ByURN(r.Parent); !ok {
			p.resource(1, r) // with a line for the parent that is not in the graph
		}
	}
	p.properties(0, "exports", g.exports)
	if len(g.calls) > 0 {
		p.line(0, "calls:")
	}
	for _, call := range g.calls {
		p.line(1, "%s", call.Token)
		p.references(2, "provider", call.Provider)
		p.properties(2, "args", call.Args)
	}
	if len(g.logs) > 0 {
		p.line(0, "logs:")
	}
	for _, log := range g.logs {
		about := ""
		if log.URN != "" {
			about = " " + p.name(log.URN)
		}
		p.line(1, "%s%s: %s", log.Severity, about, strings.ReplaceAll(log.Message, "\n", "\n    "))
	}
	return p.text.String()
}

type printer struct {
	graph   *Graph
	text    strings.Builder
	scalars map[any]*yaml.Node // keys and many values repeat, and encoding one is slow
}

func (p *printer) line(depth int, format string, args ...any) {
	p.text.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.text, format, args...)
	p.text.WriteByte('\n')
}

func (p *printer) resource(depth int, r Resource) {
	kind := ""
	switch {
	case r.Read:
		kind = fmt.Sprintf(" (read %q)", r.ID)
	case r.Remote:
		kind = " (remote component)"
	case !r.Custom:
		kind = " (component)"
	}
	p.line(depth, "%s%s", r, kind)
	if _, ok := p.graph.ByURN(r.Parent); !ok {
		p.references(depth+1, "parent", r.Parent)
	}
	p.options(depth+1, r)
	p.dependencies(depth+1, r)
	p.properties(depth+1, "inputs", r.hidden(r.Inputs))
	p.properties(depth+1, "outputs", r.hidden(r.Outputs))
	for _, child := range p.graph.Children(r.URN) {
		p.resource(depth+1, child)
	}
}

func (p *printer) options(depth int, r Resource) {
	p.references(depth, "provider", r.Provider)
	for _, pkg := range slices.Sorted(maps.Keys(r.Providers)) {
		p.references(depth, "provider of "+pkg, r.Providers[pkg])
	}
	p.flag(depth, "protect", r.Protect)
	p.flag(depth, "retain on delete", r.RetainOnDelete)
	p.flag(depth, "delete before replace", r.DeleteBeforeReplace)
	p.references(depth, "deleted with", r.DeletedWith)
	p.references(depth, "replace with", r.ReplaceWith...)
	p.strings(depth, "ignore changes", r.IgnoreChanges...)
	p.strings(depth, "replace on changes", r.ReplaceOnChanges...)
	if r.ReplacementTrigger != nil {
		value := resource.NewPropertyValue(r.ReplacementTrigger)
		p.properties(depth, "replacement trigger", resource.PropertyMap{"value": value})
	}
	p.strings(depth, "hide diffs", r.HideDiffs...)
	p.strings(depth, "additional secret outputs", r.AdditionalSecretOutputs...)
	p.strings(depth, "import", r.ImportID)
	p.strings(depth, "timeouts", r.CustomTimeouts.parts()...)
	p.strings(depth, "before create", r.Hooks.BeforeCreate...)
	p.strings(depth, "after create", r.Hooks.AfterCreate...)
	p.strings(depth, "before update", r.Hooks.BeforeUpdate...)
	p.strings(depth, "after update", r.Hooks.AfterUpdate...)
	p.strings(depth, "before delete", r.Hooks.BeforeDelete...)
	p.strings(depth, "after delete", r.Hooks.AfterDelete...)
	p.strings(depth, "on error", r.ErrorHooks...)
	for _, alias := range r.Aliases {
		if !isOtherVersion(alias, r.Type) {
			p.strings(depth, "alias", alias.parts()...)
		}
	}
}

// isOtherVersion reports whether an alias is only the resource's own type in another version of its API. The SDK of
// azure-native adds dozens of these to each resource.
func isOtherVersion(alias Alias, typ string) bool {
	return alias == Alias{Type: alias.Type} &&
		apiVersion.ReplaceAllString(alias.Type, ":") == apiVersion.ReplaceAllString(typ, ":")
}

// apiVersion is the version in the name of a module, such as azure-native:containerservice/v20250801:AgentPool.
var apiVersion = regexp.MustCompile(`/v[0-9][0-9a-z]*:`)

func (t CustomTimeouts) parts() []string {
	return labeled("create", t.Create, "update", t.Update, "delete", t.Delete, "read", t.Read)
}

func (a Alias) parts() []string {
	noParent := ""
	if a.NoParent {
		noParent = "none"
	}
	return append(labeled("name", a.Name, "type", a.Type, "stack", a.Stack, "project", a.Project,
		"parent", string(a.Parent), "parent", noParent), string(a.URN))
}

func labeled(pairs ...string) []string {
	var parts []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			parts = append(parts, pair[0]+" "+pair[1])
		}
	}
	return parts
}

func (p *printer) flag(depth int, label string, set bool) {
	if set {
		p.line(depth, "%s", label)
	}
}

func (p *printer) strings(depth int, label string, values ...string) {
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	if len(values) > 0 {
		p.line(depth, "%s: %s", label, strings.Join(values, ", "))
	}
}

func (p *printer) references(depth int, label string, urns ...resource.URN) {
	var names []string
	for _, urn := range urns {
		if urn != "" {
			names = append(names, p.name(urn))
		}
	}
	p.strings(depth, label, names...)
}

func (p *printer) dependencies(depth int, r Resource) {
	if len(r.Dependencies) > 0 {
		p.line(depth, "depends on:")
	}
	for _, urn := range r.Dependencies {
		var through []string
		for _, property := range slices.Sorted(maps.Keys(r.PropertyDependencies)) {
			if slices.Contains(r.PropertyDependencies[property], urn) {
				through = append(through, property)
			}
		}
		suffix := ""
		if len(through) > 0 {
			suffix = " (" + strings.Join(through, ", ") + ")"
		}
		p.line(depth+1, "%s%s", p.name(urn), suffix)
	}
}

// name returns a name that is as short as possible.
func (p *printer) name(urn resource.URN) string {
	if r, ok := p.graph.ByURN(urn); ok {
		if _, err := p.graph.Get(r.Type, r.Name); err == nil {
			return r.String()
		}
	}
	return string(urn)
}

func (p *printer) properties(depth int, label string, properties resource.PropertyMap) {
	if len(properties) == 0 {
		return
	}
	p.line(depth, "%s:", label)
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	node := p.node(Plain(properties))
	onLines(node, 2*(depth+1))
	if err := encoder.Encode(node); err != nil {
		p.line(depth+1, "%v", err)
		return
	}
	for line := range strings.Lines(text.String()) {
		if line == "\n" {
			p.line(0, "")
		} else {
			p.line(depth+1, "%s", strings.TrimSuffix(line, "\n"))
		}
	}
}
