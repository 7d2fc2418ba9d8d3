package repository

import (
	"path"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// DeploysOf returns the directories of the repository that an object of a GitOps tool deploys, cleaned: a Kustomization of
// Flux, and an Application or ApplicationSet of Argo CD. Whether the source of the object is this repository is not known:
// a directory that does not exist has no files. Patterns are returned unchanged.
//
// Sources: https://fluxcd.io/flux/components/kustomize/kustomizations/#path,
// https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/.
func DeploysOf(object map[string]any) []string {
	kind, _ := tree.Text(object["kind"])
	spec := object["spec"]
	var found []string
	add := func(v any) {
		if text, ok := tree.Text(v); ok && text != "" && !strings.Contains(text, "{{") && !path.IsAbs(text) {
			found = append(found, path.Clean(text))
		}
	}
	source := func(application any) {
		add(tree.At(application, "source", "path"))
		for _, source := range tree.List(tree.Map(application)["sources"]) {
			add(tree.Map(source)["path"])
		}
	}
	switch of := group(object); {
	case kind == "Kustomization" && of == "kustomize.toolkit.fluxcd.io":
		add(tree.Map(spec)["path"])
	case kind == "Application" && of == "argoproj.io":
		source(spec)
	case kind == "ApplicationSet" && of == "argoproj.io":
		source(tree.At(spec, "template", "spec"))
		for _, generator := range tree.List(tree.Map(spec)["generators"]) {
			for _, directory := range tree.List(tree.At(generator, "git", "directories")) {
				if exclude, _ := tree.Bool(tree.Map(directory)["exclude"]); !exclude {
					add(tree.Map(directory)["path"])
				}
			}
		}
	}
	return found
}
