package mutate

import (
	"reflect"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// decideTemplates decides what the templates of an Argo Workflow need. The edits are made in the
// workflow's spec, which its templates inherit from, so that all templates that inherit a field must
// need the same value.
func decideTemplates(
	o *pods.Object, context *pods.Context, policy Policy, release platform.Platform,
) Decision {
	parts := make([]Decision, len(o.Templates))
	for i, p := range o.Templates {
		parts[i] = decide(o, p, context, policy, release)
	}
	first := slices.IndexFunc(parts, func(d Decision) bool { return len(d.Edits) > 0 })
	out := Decision{HasPods: true}
	for i, p := range o.Templates {
		if d := parts[i]; d.Outcome == Unknown || d.Outcome == Misannotated ||
			first >= 0 && !follows(p, d, parts[first]) {
			out.Unsupported = append(out.Unsupported, p.Path())
		}
	}
	if len(out.Unsupported) > 0 {
		return Decision{Unsupported: out.Unsupported, Templates: parts}
	}
	out.OS, out.Platform, out.Source = parts[0].OS, parts[0].Platform, parts[0].Source
	out.Decided = !slices.ContainsFunc(parts, func(d Decision) bool { return !d.Decided })
	for _, d := range parts {
		if d.OS != out.OS || d.Platform != out.Platform {
			out.OS, out.Platform = "", ""
		}
		out.Outcome = max(out.Outcome, d.Outcome)
		if d.Against != nil {
			out.Against = d.Against
		}
	}
	if first >= 0 {
		out.Edits, out.Images, out.Guessed = parts[first].Edits, parts[first].Images, parts[first].Guessed
	}
	return out
}

// follows reports whether the pods of a template get exactly what they need if the workflow gets the
// edits of another template.
func follows(p *pods.Pods, d, other Decision) bool {
	if len(d.Edits) == 0 {
		return d.OS == other.OS || !p.Inherits("nodeSelector")
	}
	fromWorkflow := !slices.ContainsFunc(d.Edits, func(e Edit) bool {
		return !p.OfWorkflow() || !p.Inherits(e.Path[len(p.SpecPath())])
	})
	return fromWorkflow && reflect.DeepEqual(d.Edits, other.Edits) &&
		(d.OS != platform.WindowsOS || !p.HasExecutorTemplates())
}
