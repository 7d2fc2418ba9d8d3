package pods

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// workflows are the kinds of Argo Workflows, and where their spec is:
// https://argo-workflows.readthedocs.io/en/latest/fields/.
var workflows = map[string][]string{
	"Workflow.argoproj.io":                {"spec"},
	"WorkflowTemplate.argoproj.io":        {"spec"},
	"ClusterWorkflowTemplate.argoproj.io": {"spec"},
	"CronWorkflow.argoproj.io":            {"spec", "workflowSpec"},
}

// inherited are the fields that a template has from the workflow if it does not have its own:
// addSchedulingConstraints in workflow/controller/workflowpod.go of Argo Workflows.
var inherited = []string{"nodeSelector", "affinity", "tolerations", "securityContext"}

// workflowFields say where the fields of the pods of a template are.
type workflowFields struct {
	// spec are the keys of the workflow's spec.
	spec []string
	// template is the path of the template.
	template string
	// shared are the fields that it inherits, and written those of them that the workflow has.
	shared, written []string
}

func (w *workflowFields) path(parts []any) string {
	if len(parts) > 0 && slices.ContainsFunc(w.written, func(field string) bool { return field == parts[0] }) {
		return strings.Join(w.spec, ".") + Join(parts...)
	}
	return w.template + Join(parts...)
}

// OfWorkflow reports whether the pods are of a template that has what the spec of its workflow says.
// Those of a WorkflowTemplate may be used without it (templateRef).
func (p *Pods) OfWorkflow() bool {
	return p.Kind == "Workflow.argoproj.io" || p.Kind == "CronWorkflow.argoproj.io"
}

// BesideExecutors reports whether the workflow of a template has others whose pods run nothing but
// Argo's executor, and that would go where the workflow leads them.
func (p *Pods) BesideExecutors() bool {
	if p.workflow == nil {
		return false
	}
	spec := tree.Map(tree.At(p.Object, p.workflow.spec...))
	return slices.ContainsFunc(tree.List(spec["templates"]), func(v any) bool {
		template := tree.Map(v)
		return slices.ContainsFunc([]string{"resource", "http", "data", "plugin"},
			func(field string) bool { return IsSet(template, field) }) && !IsSet(template, "nodeSelector")
	})
}

// Inherits reports whether the pods have a field from the workflow that their template is of.
func (p *Pods) Inherits(field string) bool {
	return p.workflow != nil && slices.Contains(p.workflow.shared, field)
}

// readWorkflow reads the templates of an Argo Workflow: those with a container, with several or
// with a script. It leaves out those of which a patch may change everything.
func readWorkflow(object map[string]any, kind string) []*Pods {
	keys, ok := workflows[kind]
	if !ok {
		return nil
	}
	spec := tree.Map(tree.At(object, keys...))
	var all []*Pods
	for i, v := range tree.List(spec["templates"]) {
		template := tree.Map(v)
		if IsSet(template, "podSpecPatch") || IsSet(spec, "podSpecPatch") {
			continue
		}
		fields := &workflowFields{
			spec: keys, template: strings.Join(keys, ".") + ".templates[" + strconv.Itoa(i) + "]",
		}
		if p := fields.pods(template, spec); p != nil {
			p.Object, p.Kind, p.Prefix = object, kind, fields.template+"."
			all = append(all, p)
		}
	}
	return all
}

// pods are those of a template, nil if it has no containers.
func (w *workflowFields) pods(template, spec map[string]any) *Pods {
	containers := w.containers(template)
	if len(containers) == 0 {
		return nil
	}
	p := &Pods{
		Spec: map[string]any{}, Metadata: tree.Map(template["metadata"]), Containers: containers,
		workflow: w, at: w.path,
	}
	for _, field := range inherited {
		if IsSet(template, field) && !isEmpty(template[field]) {
			p.Spec[field] = fixed(template[field])
			continue
		}
		w.shared = append(w.shared, field)
		if v := spec[field]; v != nil {
			p.Spec[field] = fixed(v)
			w.written = append(w.written, field)
		}
		if ofSteps(spec, field) || tree.IsUnknown(spec["templateDefaults"]) ||
			tree.Map(spec["templateDefaults"])[field] != nil {
			p.Spec[field] = tree.Unknown{}
		}
	}
	p.Security = tree.Map(p.Spec["securityContext"])
	p.Windows = tree.Map(p.Security["windowsOptions"])
	return p
}

// fixed is a field, or what is not known if a part of it depends on parameters.
func fixed(v any) any {
	if out := settled(v); reflect.DeepEqual(out, v) {
		return out
	}
	return tree.Unknown{}
}

// settled has what is not known in place of texts with parameters, "{{inputs.parameters.image}}".
func settled(v any) any {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "{{") {
			return tree.Unknown{}
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, element := range v {
			out[key] = settled(element)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = settled(element)
		}
		return out
	}
	return v
}

// isEmpty reports whether a field counts as left out: an empty map or list.
func isEmpty(v any) bool {
	return !tree.IsUnknown(v) && len(tree.Map(v)) == 0 && len(tree.List(v)) == 0
}

// ofSteps reports whether a template of steps, or of a graph of them, has a field. Its steps have
// it from there, so that which of them is not known.
func ofSteps(spec map[string]any, field string) bool {
	return slices.ContainsFunc(tree.List(spec["templates"]), func(v any) bool {
		template := tree.Map(v)
		return (IsSet(template, "steps") || IsSet(template, "dag")) && IsSet(template, field)
	})
}

func (w *workflowFields) containers(template map[string]any) []Container {
	var all []Container
	add := func(list string, index int, at string, v any) {
		if spec := tree.Map(settled(v)); spec != nil {
			c := newContainer(list, index, spec)
			c.at = w.template + "." + at
			all = append(all, c)
		}
	}
	for i, v := range tree.List(template["initContainers"]) {
		add("initContainers", i, "initContainers["+strconv.Itoa(i)+"]", v)
	}
	before := len(all)
	for _, field := range []string{"container", "script"} {
		add("containers", 0, field, template[field])
	}
	for i, v := range tree.List(tree.At(template["containerSet"], "containers")) {
		add("containers", i, "containerSet.containers["+strconv.Itoa(i)+"]", v)
	}
	if len(all) == before {
		return nil
	}
	for i, v := range tree.List(template["sidecars"]) {
		add("containers", i+1, "sidecars["+strconv.Itoa(i)+"]", v)
	}
	return all
}
