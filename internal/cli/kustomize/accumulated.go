package kustomize

import (
	"fmt"

	"sigs.k8s.io/kustomize/api/types"
)

// accumulated is what a kustomization builds, in the order of the library: an object is changed by each later step of
// its list, and then by those of the list that includes it. A component has no list of its own: it adds to the list of
// the kustomization that includes it.
//
// Source: KustTarget.accumulateTarget in internal/target/kusttarget.go of sigs.k8s.io/kustomize/api v0.21.1.
type accumulated struct {
	kustomization *kustomization
	// parent is the list that includes this one, at the place of the item.
	parent *accumulated
	at     int
	items  []item
}

// item is one of: a file with objects, the list of a directory, a generator, and a step.
type item struct {
	// kustomization has the item in a field.
	kustomization *kustomization
	field         string

	file      string
	sub       *accumulated
	generated *generated
	step      step
}

// generated is what a generator of the kustomization generates.
type generated struct{ kind, namespace, name string }

// addGenerators adds the generators of a kustomization.
func (a *accumulated) addGenerators(k *kustomization) {
	add := func(field, kind string, i int, args types.GeneratorArgs) {
		a.items = append(a.items, item{
			kustomization: k, field: fmt.Sprintf("%s[%d]", field, i),
			generated: &generated{kind, args.Namespace, args.Name},
		})
	}
	for i, args := range k.content.ConfigMapGenerator {
		add("configMapGenerator", "ConfigMap", i, args.GeneratorArgs)
	}
	for i, args := range k.content.SecretGenerator {
		add("secretGenerator", "Secret", i, args.GeneratorArgs)
	}
}

// addSteps adds the steps of a kustomization to the list of what it accumulates, in the order of the library
// (KustTarget.configureBuiltinTransformers).
func (r *reader) addSteps(k *kustomization, into *accumulated) error {
	add := func(field string, s step) {
		into.items = append(into.items, item{kustomization: k, field: field, step: s})
	}
	c := &k.content
	for i, patch := range c.PatchesStrategicMerge {
		at := fmt.Sprintf("patchesStrategicMerge[%d]", i)
		one := types.Patch{Path: string(patch)}
		if isInline(one.Path) {
			one = types.Patch{Patch: string(patch)}
		}
		add(at, &patchStep{kustomization: k, field: at, at: at, Patch: one})
	}
	for i, patch := range c.Patches {
		at := fmt.Sprintf("patches[%d]", i)
		add(at, &patchStep{kustomization: k, field: at, at: at + ".patch", Patch: patch})
	}
	if c.Namespace != "" {
		add("namespace", namespaceStep(c.Namespace))
	}
	if c.NamePrefix != "" {
		add("namePrefix", prefixStep(c.NamePrefix))
	}
	if c.NameSuffix != "" {
		add("nameSuffix", suffixStep(c.NameSuffix))
	}
	for i, label := range c.Labels {
		add(fmt.Sprintf("labels[%d].pairs", i), labelStep(label))
	}
	if len(c.CommonLabels) > 0 {
		add("commonLabels", labelStep(types.Label{Pairs: c.CommonLabels, IncludeSelectors: true}))
	}
	if len(c.CommonAnnotations) > 0 {
		add("commonAnnotations", annotationStep(c.CommonAnnotations))
	}
	for i, patch := range c.PatchesJson6902 {
		at := fmt.Sprintf("patchesJson6902[%d]", i)
		add(at, &patchStep{kustomization: k, field: at, at: at + ".patch", Patch: patch})
	}
	for i, replica := range c.Replicas {
		add(fmt.Sprintf("replicas[%d].count", i), replicaStep(replica))
	}
	for _, list := range []struct {
		field  string
		images []types.Image
	}{{"images", c.Images}, {"imageTags", c.ImageTags}} {
		for i, image := range list.images {
			add(fmt.Sprintf("%s[%d]", list.field, i), imageStep(image))
		}
	}
	for i, replacement := range c.Replacements {
		add(fmt.Sprintf("replacements[%d]", i), &replacementStep{kustomization: k, ReplacementField: replacement})
	}
	for _, ref := range configs(c) {
		add(ref.field, opaqueStep{})
	}
	for i := range c.Vars {
		add(fmt.Sprintf("vars[%d]", i), opaqueStep{})
	}
	if r.steps += len(into.items); r.steps > maxSteps {
		return fmt.Errorf("%s: its build has more than %d steps", r.shown(r.root), maxSteps)
	}
	return nil
}
