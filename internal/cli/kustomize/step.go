package kustomize

import (
	"slices"

	"sigs.k8s.io/kustomize/api/builtins"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// step is what a field of a kustomization does with the objects that it has accumulated.
type step interface {
	// parts returns what the step does, in its order. Each part has a place of its own.
	parts(r *reader) []part
}

// part is a change of an object.
type part struct {
	// apply changes the only object in m. It is false if the part is not for the object.
	apply func(m resmap.ResMap) bool
	// where returns the line at which the part writes a path of the object after it. It is nil if that is the line of
	// the step.
	where func(path []string, after any) position
	// keeps is true if the new value contains the earlier one, so that two places have written it.
	keeps bool
}

// transformer is a step of the library whose only place is its field. It keeps is as in a part.
type transformer struct {
	transform resmap.Transformer
	keeps     bool
}

func (t transformer) parts(*reader) []part {
	return []part{{
		// The only error of these transformers is that the step has no object: the build has had it as well, for all.
		apply: func(m resmap.ResMap) bool { return t.transform.Transform(m) == nil }, keeps: t.keeps,
	}}
}

// The specs of fields are those of the library for the fields that rules look at: internal/konfig/builtinpluginconsts
// of sigs.k8s.io/kustomize/api v0.21.1.

func namespaceStep(name string) step {
	return transformer{transform: &builtins.NamespaceTransformerPlugin{
		ObjectMeta: types.ObjectMeta{Namespace: name},
		FieldSpecs: []types.FieldSpec{spec("Namespace", "metadata/name"), spec("APIService", "spec/service/namespace")},
	}}
}

func prefixStep(prefix string) step {
	return transformer{&builtins.PrefixTransformerPlugin{
		Prefix: prefix, FieldSpecs: types.FsSlice{{Path: "metadata/name"}},
	}, true}
}

func suffixStep(suffix string) step {
	return transformer{&builtins.SuffixTransformerPlugin{
		Suffix: suffix, FieldSpecs: types.FsSlice{{Path: "metadata/name"}},
	}, true}
}

func labelStep(label types.Label) step {
	specs := append(slices.Clone(label.FieldSpecs), spec("", "metadata/labels"))
	if label.IncludeSelectors || label.IncludeTemplates {
		specs = append(specs, inTemplates("labels")...)
	}
	if label.IncludeSelectors {
		for _, kind := range []string{"Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"} {
			specs = append(specs, spec(kind, "spec/selector/matchLabels"))
		}
		specs = append(specs, spec("Service", "spec/selector"), spec("ReplicationController", "spec/selector"))
	}
	return transformer{transform: &builtins.LabelTransformerPlugin{Labels: label.Pairs, FieldSpecs: specs}}
}

func annotationStep(annotations map[string]string) step {
	return transformer{transform: &builtins.AnnotationsTransformerPlugin{
		Annotations: annotations, FieldSpecs: append(inTemplates("annotations"), spec("", "metadata/annotations")),
	}}
}

func replicaStep(replica types.Replica) step {
	var specs []types.FieldSpec
	for _, kind := range []string{"Deployment", "ReplicationController", "ReplicaSet", "StatefulSet"} {
		specs = append(specs, spec(kind, "spec/replicas"))
	}
	return transformer{transform: &builtins.ReplicaCountTransformerPlugin{Replica: replica, FieldSpecs: specs}}
}

func imageStep(image types.Image) step {
	return transformer{&builtins.ImageTagTransformerPlugin{
		ImageTag: image,
		FieldSpecs: []types.FieldSpec{
			spec("", "spec/volumes[]/image/reference"), spec("", "spec/template/spec/volumes[]/image/reference"),
		},
	}, true}
}

// inTemplates returns the specs of a field of the metadata of pod templates.
func inTemplates(field string) (specs []types.FieldSpec) {
	for _, kind := range []string{
		"ReplicationController", "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job",
	} {
		specs = append(specs, spec(kind, "spec/template/metadata/"+field))
	}
	return append(specs, spec("CronJob", "spec/jobTemplate/metadata/"+field),
		spec("CronJob", "spec/jobTemplate/spec/template/metadata/"+field))
}

func spec(kind, path string) types.FieldSpec {
	return types.FieldSpec{Gvk: resid.Gvk{Kind: kind}, Path: path, CreateIfNotPresent: true}
}

// opaqueStep is a step whose changes are not followed: variables, and transformers in files of their own.
type opaqueStep struct{}

func (opaqueStep) parts(*reader) []part { return nil }
