package pods

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// workflows are the kinds of Argo Workflows, with the keys of their spec:
// https://argo-workflows.readthedocs.io/en/latest/fields/.
var workflows = map[string][]string{
	"Workflow.argoproj.io":                {"spec"},
	"WorkflowTemplate.argoproj.io":        {"spec"},
	"ClusterWorkflowTemplate.argoproj.io": {"spec"},
	"CronWorkflow.argoproj.io":            {"spec", "workflowSpec"},
}

// inherited are the fields that a template inherits from the workflow if it does not set them:
// addSchedulingConstraints in workflow/controller/workflowpod.go of Argo Workflows.
var inherited = []string{"nodeSelector", "affinity", "tolerations", "securityContext"}

// workflowFields has the places of the fields of a template's pods.
type workflowFields struct {
	// spec has the keys of the workflow's spec.
	spec []string
	// template is the path of the template.
	template string
	// shared are the fields that the template inherits, and written those of them that the workflow sets.
	shared, written []string
}

func (w *workflowFields) path(parts []any) string {
	if len(parts) > 0 && slices.ContainsFunc(w.written, func(field string) bool { return field == parts[0] }) {
		return strings.Join(w.spec, ".") + Join(parts...)
	}
	return w.template + Join(parts...)
}

// OfWorkflow reports whether the template of the pods always inherits from the spec of its workflow.
// Templates of a WorkflowTemplate may be used without its spec (templateRef).
func (p *Pods) OfWorkflow() bool {
	return p.Kind == "Workflow.argoproj.io" || p.Kind == "CronWorkflow.argoproj.io"
}

// HasExecutorTemplates reports whether the workflow of a template also has templates whose pods run only
// Argo's executor, and inherit the node selector of the workflow.
func (p *Pods) HasExecutorTemplates() bool {
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

// Inherits reports whether the pods inherit a field from the workflow of their template.
func (p *Pods) Inherits(field string) bool {
	return p.workflow != nil && slices.Contains(p.workflow.shared, field)
}

// readWorkflow reads the templates of an Argo Workflow with one container, several containers or a
// script. It leaves out templates that a patch may change completely.
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

// pods returns the pods of a template, nil if it has no containers.
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

// fixed returns a field, or an unknown value if a part of it depends on parameters.
func fixed(v any) any {
	if out := withoutParameters(v); reflect.DeepEqual(out, v) {
		return out
	}
	return tree.Unknown{}
}

// withoutParameters replaces texts with parameters, such as "{{inputs.parameters.image}}", with unknown values.
func withoutParameters(v any) any {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "{{") {
			return tree.Unknown{}
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, element := range v {
			out[key] = withoutParameters(element)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = withoutParameters(element)
		}
		return out
	}
	return v
}

// isEmpty reports whether a field counts as not set: an empty map or list.
func isEmpty(v any) bool {
	return !tree.IsUnknown(v) && len(tree.Map(v)) == 0 && len(tree.List(v)) == 0
}

// ofSteps reports whether a template of steps, or of a graph of steps, has a field. Its steps inherit
// it, and which templates these are is not known.
func ofSteps(spec map[string]any, field string) bool {
	return slices.ContainsFunc(tree.List(spec["templates"]), func(v any) bool {
		template := tree.Map(v)
		return (IsSet(template, "steps") || IsSet(template, "dag")) && IsSet(template, field)
	})
}

func (w *workflowFields) containers(template map[string]any) []Container {
	var all []Container
	add := func(list string, index int, at string, v any) {
		if spec := tree.Map(withoutParameters(v)); spec != nil {
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
