package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// page is the reference of the plugin for readers of languages other than Go.
type page struct {
	strings.Builder
	g *generator
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// paragraph writes a text in lines of at most 120 characters.
func (p *page) paragraph(text string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > 120 {
			p.line("%s", line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	p.line("%s", line)
}

// TestGeneratedReference writes the reference of components, functions and options from the schema and from mocks.
func TestGeneratedReference(t *testing.T) {
	t.Parallel()
	p := &page{g: generate(t)}
	p.line("# Components in TypeScript, Python and YAML")
	p.line("")
	p.paragraph("Use this page to look up outputs, functions and options in TypeScript, Python and YAML. " +
		"`make generate` writes it, from the schema of the plugin and from runs of a component. " +
		"[components.md](components.md) lists the inputs that must be plain. Python writes names in snake case.")
	p.line("")
	p.line("## Outputs")
	p.line("")
	p.paragraph("Child resources and providers are not outputs: create a provider from a kubeconfig. A component " +
		"that is not in the table has no outputs.")
	p.line("")
	p.line("| Component | Output | Type | What it is |")
	p.line("|---|---|---|---|")
	for _, token := range slices.Sorted(maps.Keys(p.g.resources)) {
		p.properties("`"+token+"`", p.g.resources[token].Properties)
	}
	p.line("")
	p.line("## Functions")
	p.line("")
	p.paragraph("These are the plain functions of Go. Each has a form that takes outputs, such as " +
		"`tolerationsOutput` in TypeScript and `tolerations_output` in Python. If an argument is a " +
		"secret, so is the result.")
	p.line("")
	p.line("| Function | Argument or result | Type | What it is |")
	p.line("|---|---|---|---|")
	for _, token := range slices.Sorted(maps.Keys(p.g.functions)) {
		p.properties("`"+token+"`", p.g.functions[token].Inputs.Properties)
		p.properties("`"+token+"` returns", p.g.functions[token].Outputs.Properties)
	}
	p.line("")
	p.options(t)
	golden.Equal(t, "../../docs/languages-reference.md", p.String())
}

func (p *page) properties(about string, properties map[string]property) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		of := properties[name]
		secret := ""
		if of.Secret {
			secret = ", secret"
		}
		p.line("| %s | `%s` | %s%s | %s |", about, name, typeText(of.typeSpec), secret, cell(of.Description))
	}
}

// typeText returns a type in words.
func typeText(t typeSpec) string {
	switch {
	case len(t.OneOf) > 0:
		choices := make([]string, len(t.OneOf))
		for i, choice := range t.OneOf {
			choices[i] = typeText(choice)
		}
		return strings.Join(choices, " or ")
	case t.Items != nil:
		return "list of " + typeText(*t.Items)
	case t.AdditionalProperties != nil:
		return "map of " + typeText(*t.AdditionalProperties)
	case t.Ref != "":
		_, name, _ := strings.Cut(strings.ReplaceAll(t.Ref, "#/types/", "#/"), "#/")
		return "`" + name + "`"
	}
	return t.Type
}

// cell returns a text for a cell of a table in Markdown.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

func (p *page) options(t *testing.T) {
	t.Helper()
	p.line("## Resource options")
	p.line("")
	p.paragraph("The table shows what each option changes at a `mixedkube:workload:Deployment` in Go and at one " +
		"of the plugin, and at its object, the Deployment in the cluster, as the mocks of both programs " +
		"have seen it. [components.md](components.md) lists what the options of other components reach.")
	p.line("")
	p.paragraph("The engine passes `deletedWith` and `retainOnDelete` of a component to its children, and they " +
		"wait for the resources in `dependsOn` of the component. If the table says *nothing*, Pulumi's " +
		"protocol for components of plugins does not carry the option: the engine drops it without a " +
		"message, and the plugin never sees it. Set it at the object with a transform of the component, " +
		"as *import, in a transform* does. `version` and `pluginDownloadURL` choose the plugin of the " +
		"component itself, and `urn` and `id` are for reading resources, which components do not have.")
	p.line("")
	p.line("| Option | In Go | Through the plugin |")
	p.line("|---|---|---|")
	for _, o := range resourceOptions() {
		inGo, remote := reached(t, false, o.option), reached(t, true, o.option)
		if remote == inGo {
			remote = "the same"
		}
		p.line("| %s | %s | %s |", o.name, cell(inGo), cell(remote))
	}
}
