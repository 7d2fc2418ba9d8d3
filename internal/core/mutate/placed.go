package mutate

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// placed decides about pods of which some fields belong to mixedkube: it takes these back, and decides about the rest.
// Without such fields, it decides about the pods as they stand.
func placed(o *pods.Object, context *pods.Context, policy Policy) Decision {
	p := o.All()[0] // the templates of a Workflow are placed by the fields of its spec, which they share
	have, marked := pods.ReadPlaced(o.Tree)
	policy.marked = marked
	pinned := false
	unreadable := !marked && tree.At(o.Tree, "metadata", "annotations", pods.PlacedAnnotation) != nil
	if policy.MovePins && !unreadable && len(have.Labels) == 0 {
		var written pods.Placed
		if written, pinned = earlier(p, context, policy); pinned {
			have.Labels, have.Release = written.Labels, cmp.Or(have.Release, written.Release)
		}
	}
	if !marked && !pinned {
		d := mark(o, decideAll(o, context, policy, ""), policy, false)
		d.Pin = pinOf(p, context, policy)
		return d
	}
	if have.Class != "" {
		policy.RuntimeClasses = true // as when the pods were placed
	}
	back := takenBack(p, have, marked)
	bare := pods.ReadObject(Apply(o.Tree, back))
	if len(bare.All()) == 0 {
		return decideAll(o, context, policy, "")
	}
	bare.Stated = o.Stated
	d := decideAll(bare, context, policy, have.Release)
	if marked && have.Release == "" && d.Guessed {
		d.Images = "" // the pods had no release when they were placed first
	}
	d = mark(bare, d, policy, marked)
	if !d.Decided {
		// Nothing says where the pods run instead, for example because they contradict themselves.
		if d = decideAll(o, context, policy, have.Release); d.Outcome.Completes() {
			d.Outcome, d.Edits = Unchanged, nil
		}
		return d
	}
	// What is decided again depends on the cluster alone: it is written as if the pods had never been placed.
	d.Edits = slices.Concat(back, d.Edits)
	if after := Apply(o.Tree, d.Edits); same(o.Tree, after) || pinned && same(o.Tree["spec"], after["spec"]) {
		d.Edits = nil
	}
	if d.Outcome = Unchanged; len(d.Edits) > 0 {
		d.Outcome = Completed
	}
	d.Pin = pinOf(bare.All()[0], context, policy)
	return d
}

// pinOf returns a selection of people that keeps pods off all pools, see [Decision.Pin].
func pinOf(p *pods.Pods, context *pods.Context, policy Policy) *pods.Pin {
	target := context.Target(p, p.ClassAmong(policy.Classes))
	return context.Pin(p, &target)
}

// mark adds the mark of pods whose edits place them on Windows nodes: to each object with [Policy.Mark], and to those
// that have one.
func mark(o *pods.Object, d Decision, policy Policy, marked bool) Decision {
	if !d.Decided || d.OS != platform.WindowsOS || !marked && !policy.Mark || tree.Map(o.Tree["metadata"]) == nil {
		return d
	}
	spec := o.All()[0].SpecPath()
	have := pods.Placed{Release: d.Images}
	for _, e := range d.Edits {
		switch keys := e.Path[len(spec):]; keys[0] {
		case "nodeSelector":
			have.Labels = append(have.Labels, keys[1])
		case "tolerations":
			for _, v := range tree.List(e.Value) {
				toleration, _, _ := pods.ReadToleration(v)
				have.Taints = append(have.Taints, topology.FormatTaint(corev1.Taint{
					Key: toleration.Key, Value: toleration.Value, Effect: toleration.Effect,
				}))
			}
		case "affinity":
			have.Builds = buildsIn(e.Value)
		case "runtimeClassName":
			have.Class, _ = tree.Text(e.Value)
		case "os":
			have.OS, _ = tree.Text(e.Value)
		}
	}
	// If there is only os.name, nothing can change.
	only := pods.Placed{Release: have.Release, OS: have.OS}
	if marked && !have.Empty() || !reflect.DeepEqual(have, only) {
		at := []string{"metadata", "annotations", pods.PlacedAnnotation}
		d.Edits = append(slices.Clip(d.Edits), Edit{Path: at})
		for _, e := range d.Edits {
			container := pods.EmptyAbove(o.Tree, spec, e.Path)
			if container != "" && !slices.Contains(have.Containers, container) {
				have.Containers = append(have.Containers, container)
			}
		}
		d.Edits[len(d.Edits)-1].Value = have.String()
	}
	return d
}

// buildsIn returns the builds in the value of an edit of the node affinity: a term, or its expression.
func buildsIn(value any) []string {
	at := tree.Map(tree.List(value)[0])
	if term, isTerm := at["matchExpressions"]; isTerm {
		return buildsIn(term)
	}
	var builds []string
	for _, build := range tree.List(at["values"]) {
		text, _ := tree.Text(build)
		builds = append(builds, text)
	}
	return builds
}

// TakenBack returns the edits that remove the fields of an object's mark, and the mark; none without a mark. The pods
// are then as they were before they were placed.
func TakenBack(o *pods.Object) []Edit {
	have, marked := pods.ReadPlaced(o.Tree)
	if !marked || len(o.All()) == 0 {
		return nil
	}
	return takenBack(o.All()[0], have, marked)
}

// takenBack returns the edits that remove the fields of a mark, and the mark.
func takenBack(p *pods.Pods, have pods.Placed, marked bool) []Edit {
	at := func(keys ...string) []string { return slices.Concat(p.SpecPath(), keys) }
	var back []Edit
	for _, label := range have.Labels {
		back = append(back, Edit{Path: at("nodeSelector", label), Remove: true})
	}
	if len(have.Builds) > 0 {
		back = append(back, Edit{
			Path:  at(slices.Concat(requiredTerms, []string{tree.Each, "matchExpressions"})...),
			Value: []any{ofBuilds(have.Builds)}, Remove: true,
		})
	}
	var tolerations []any
	for _, text := range have.Taints {
		if taint, err := topology.ParseTaint(text); err == nil {
			tolerations = append(tolerations, plain(topology.Tolerate(taint)))
		}
	}
	if len(tolerations) > 0 {
		back = append(back, Edit{Path: at("tolerations"), Value: tolerations, Remove: true})
	}
	if have.Class != "" {
		back = append(back, Edit{Path: at("runtimeClassName"), Value: have.Class, Remove: true})
	}
	if have.OS != "" {
		back = append(back, Edit{Path: at("os", "name"), Value: have.OS, Remove: true})
	}
	if marked {
		back = append(back, Edit{Path: []string{"metadata", "annotations", pods.PlacedAnnotation}, Remove: true})
	}
	for _, container := range have.Containers {
		at := pods.PathOf(container, p.SpecPath())
		switch tree.At(p.Object, at...).(type) {
		case map[string]any:
			back = append(back, Edit{Path: at, Value: map[string]any{}})
		case []any:
			back = append(back, Edit{Path: at, Value: []any{}})
		}
	}
	return back
}

// earlier returns the fields that a version of mixedkube without marks has written, see [pods.Context.WrittenBefore].
func earlier(p *pods.Pods, context *pods.Context, policy Policy) (pods.Placed, bool) {
	target := context.Target(p, p.ClassAmong(policy.Classes))
	release, is := context.WrittenBefore(p, &target)
	if !is {
		return pods.Placed{}, false
	}
	return pods.Placed{Release: release, Labels: slices.Sorted(maps.Keys(topology.NodeSelector(release)))}, true
}

// same reports whether two trees are equal, except for the order of lists: people may have added a toleration after
// those of mixedkube.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, isMap := b.(map[string]any)
		return isMap && maps.EqualFunc(a, b, same)
	case []any:
		b, isList := b.([]any)
		return isList && len(a) == len(b) && !slices.ContainsFunc(a, func(element any) bool {
			return !slices.ContainsFunc(b, func(other any) bool { return same(element, other) })
		})
	default:
		return reflect.DeepEqual(a, b)
	}
}
