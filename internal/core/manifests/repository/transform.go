package repository

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// transformers are what kustomizations change in the pods of a file: the names of images, and the keys of labels, sorted.
//
// Source: sigs.k8s.io/kustomize/api v0.21, types.Kustomization and types.Label.
type transformers struct{ images, labels []string }

// Transform replaces the images and the labels of pods that a kustomization which deploys the file changes: what they
// become is not known. It reports whether there is one. A nil repository has none.
func (r *Repository) Transform(file string, object map[string]any) bool {
	t := r.transformersOf(file)
	return len(t.images)+len(t.labels) > 0 && t.change(object)
}

func (r *Repository) transformersOf(file string) (t transformers) {
	for _, k := range r.above(file) {
		t.images = append(t.images, texts(k.content, strings.Split("images[].name", "."))...)
		t.labels = slices.AppendSeq(t.labels, maps.Keys(tree.Map(k.content["commonLabels"])))
		for _, v := range tree.List(k.content["labels"]) {
			of := tree.Map(v)
			selectors, _ := tree.Bool(of["includeSelectors"])
			templates, _ := tree.Bool(of["includeTemplates"])
			if selectors || templates {
				t.labels = slices.AppendSeq(t.labels, maps.Keys(tree.Map(of["pairs"])))
			}
		}
	}
	slices.Sort(t.images)
	slices.Sort(t.labels)
	return t
}

// change changes the containers and the pod templates below a value.
func (t *transformers) change(value any) (found bool) {
	for _, v := range tree.List(value) {
		found = t.change(v) || found
	}
	for key, v := range tree.Map(value) {
		switch key {
		case "containers", "initContainers":
			found = t.rename(tree.List(v)) || found
		case "template":
			found = t.label(tree.Map(v)) || found
		}
		found = t.change(v) || found
	}
	return found
}

func (t *transformers) rename(containers []any) (found bool) {
	for _, v := range containers {
		container := tree.Map(v)
		if image, ok := tree.Text(container["image"]); ok && slices.Contains(t.images, nameOf(image)) {
			container["image"], found = tree.Unknown{}, true
		}
	}
	return found
}

// label adds labels to a pod template.
func (t *transformers) label(template map[string]any) bool {
	if len(t.labels) == 0 || tree.Map(template["spec"])["containers"] == nil {
		return false
	}
	metadata := maps.Clone(tree.Map(template["metadata"]))
	if metadata == nil {
		metadata = map[string]any{}
	}
	labels := maps.Clone(tree.Map(metadata["labels"]))
	if labels == nil {
		labels = map[string]any{}
	}
	for _, key := range t.labels {
		labels[key] = tree.Unknown{}
	}
	metadata["labels"], template["metadata"] = labels, metadata
	return true
}

// nameOf returns an image without its tag and its digest.
func nameOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	return image
}
