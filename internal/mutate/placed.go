package mutate

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// placed decides about pods of which some fields belong to mixedkube: it takes these back, decides about the rest, and
// returns what differs. Without such fields, it decides about the pods as they stand.
func placed(o *pods.Object, p *pods.Pods, context *pods.Context, policy Policy) Decision {
	have, marked := pods.ReadPlaced(o.Tree)
	pinned := false
	if !marked && policy.MovePins {
		have, pinned = earlier(o, p, context, policy)
	}
	if !marked && !pinned {
		d := mark(o, decide(o, p, context, policy, ""), policy, false)
		d.Pin = pin(o, p, context, policy)
		return d
	}
	back := takenBack(p, have, marked)
	bare := pods.ReadObject(Apply(o.Tree, back))
	if bare.Pods == nil {
		return decide(o, p, context, policy, "")
	}
	bare.Stated = o.Stated
	d := decide(bare, bare.Pods, context, policy, have.Release)
	if marked && have.Release == "" && d.Guessed {
		d.Images = "" // the pods had no release when they were placed first
	}
	d = mark(bare, d, policy, marked)
	if !d.Decided {
		// Nothing says where the pods run instead, for example because they contradict themselves.
		if d = decide(o, p, context, policy, have.Release); d.Outcome.Completes() {
			d.Outcome, d.Edits = Unchanged, nil
		}
		return d
	}
	d.Edits = differing(o.Tree, back, d.Edits)
	if pinned && !slices.ContainsFunc(d.Edits, func(e Edit) bool { return e.Path[0] != "metadata" }) {
		d.Edits = nil // nothing moves
	}
	if d.Outcome = Unchanged; len(d.Edits) > 0 {
		d.Outcome = Completed
	}
	return d
}

// mark adds the mark of pods whose edits select Windows nodes: to each object if the policy says so, and to those that
// have one.
func mark(o *pods.Object, d Decision, policy Policy, marked bool) Decision {
	if !d.Decided || d.OS != platform.WindowsOS || !marked && !policy.Mark || tree.Map(o.Tree["metadata"]) == nil {
		return d
	}
	spec := o.Pods.SpecPath()
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
		}
	}
	if selects := len(have.Labels)+len(have.Builds) > 0 || have.Class != ""; selects || marked && !have.Empty() {
		at := []string{"metadata", "annotations", pods.PlacedAnnotation}
		d.Edits = append(slices.Clip(d.Edits), Edit{Path: at, Value: have.String()})
	}
	return d
}

// buildsIn returns the builds in the value of an edit of the node affinity: a term, or its expression.
func buildsIn(value any) []string {
	for _, v := range tree.List(value) {
		at := tree.Map(v)
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
	return nil
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
	if marked {
		back = append(back, Edit{Path: []string{"metadata", "annotations", pods.PlacedAnnotation}, Remove: true})
	}
	return back
}

// earlier returns the fields that a version of mixedkube without marks has written: the whole node selector of a
// release that some pool runs, for pods whose images are for it, or tell no release.
func earlier(o *pods.Object, p *pods.Pods, context *pods.Context, policy Policy) (pods.Placed, bool) {
	selector := tree.Map(p.Spec["nodeSelector"])
	build, _ := selector[topology.LabelWindowsBuild].(string)
	release, ok := pods.ExactBuild(build)
	if !ok || context.Topology.LacksHosts(release) != "" ||
		!reflect.DeepEqual(selector, anyTexts(topology.NodeSelector(release))) {
		return pods.Placed{}, false
	}
	target := context.Target(p, p.ClassAmong(policy.Classes))
	for _, image := range target.Images {
		if image.OS != "" && image.OS != platform.WindowsOS || image.Release != "" && image.Release != release {
			return pods.Placed{}, false
		}
	}
	return pods.Placed{Release: release, Labels: slices.Sorted(maps.Keys(topology.NodeSelector(release)))}, true
}

// pin returns the build that pods select although no pool has it, nil if there is none, if no pool runs the images, or
// if pools are not listed.
func pin(o *pods.Object, p *pods.Pods, context *pods.Context, policy Policy) *Pin {
	build, ok := tree.Map(p.Spec["nodeSelector"])[topology.LabelWindowsBuild].(string) // a secret one is not shown
	release, known := pods.ExactBuild(build)
	if !ok || !known || context.Topology.Partial || len(context.Topology.PoolsOf(release)) > 0 {
		return nil
	}
	target := context.Target(p, p.ClassAmong(policy.Classes))
	runs := func(pool topology.Pool) bool {
		return pool.Platform.IsWindows() && !slices.ContainsFunc(target.Images, func(image platform.Image) bool {
			return platform.CanRun(pool.Platform, image, context.Matching) != platform.Yes
		})
	}
	if !slices.ContainsFunc(context.Topology.Pools, runs) {
		return nil
	}
	_, mine := earlier(o, p, context, policy)
	return &Pin{Path: p.Path("nodeSelector", pods.Key(topology.LabelWindowsBuild)), Build: build, Earlier: mine}
}

func anyTexts(texts map[string]string) map[string]any {
	m := make(map[string]any, len(texts))
	for key, text := range texts {
		m[key] = text
	}
	return m
}

// differing returns the removals and additions without those that change nothing together.
func differing(object map[string]any, back, edits []Edit) []Edit {
	field := func(e Edit) string { return fieldOf(e.Path) }
	var fields []string
	for _, e := range slices.Concat(back, edits) {
		if f := field(e); !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	var out []Edit
	for _, f := range fields {
		of := func(all []Edit) []Edit {
			return slices.DeleteFunc(slices.Clone(all), func(e Edit) bool { return field(e) != f })
		}
		removals, additions := of(back), of(edits)
		retained := slices.Concat(Retain(removals, additions), additions)
		if reflect.DeepEqual(Apply(object, retained), object) {
			continue
		}
		// The order of a list depends on what is decided only, not on what was decided before. Elements that people have
		// added later stay in their places.
		together := slices.Concat(removals, additions)
		if atTheEnd(object, removals) {
			retained = together
		}
		out = append(out, retained...)
	}
	return out
}

// atTheEnd reports whether removals from lists take their last elements only.
func atTheEnd(object map[string]any, removals []Edit) bool {
	for _, e := range removals {
		if slices.Contains(e.Path, tree.Each) {
			continue
		}
		before := tree.List(tree.At(object, e.Path...))
		rest := tree.List(tree.At(Apply(object, []Edit{e}), e.Path...))
		if len(rest) > 0 && !reflect.DeepEqual(before[:len(rest)], rest) {
			return false
		}
	}
	return true
}

// fieldOf returns the field that edits must change together: a label of the node selector, and otherwise a field of
// the spec or an annotation.
func fieldOf(path []string) string {
	i := slices.Index(path, "affinity")
	if i >= 0 {
		path = path[:i+1]
	}
	return propertyPath(path)
}
