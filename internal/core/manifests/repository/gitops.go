package repository

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// isGitOps reports whether a kind says what Flux or Argo CD deploys.
func isGitOps(kind, group string) bool {
	switch kind {
	case "Kustomization":
		return group == "kustomize.toolkit.fluxcd.io"
	case "HelmRelease":
		return group == "helm.toolkit.fluxcd.io"
	case "Application", "ApplicationSet":
		return group == "argoproj.io"
	}
	return false
}

// Deployed is what an object of a GitOps tool deploys: a directory or a chart.
type Deployed struct {
	// Dir is the directory in the repository of the source, cleaned, or a pattern of [path.Match]; "" for a chart.
	// Whether this is the repository is not known: a directory that does not exist has no files. That of the root, ".",
	// always exists, so it counts as one of another repository.
	Dir string
	// Chart is the name of a chart, and From is where it is.
	Chart, From string
}

// rootDir is the directory of the root.
const rootDir = "."

// IsRoot reports whether the object deploys all of a repository.
func (d Deployed) IsRoot() bool { return d.Dir == rootDir }

// String returns the name for messages.
func (d Deployed) String() string {
	switch {
	case d.IsRoot():
		return "the root of a repository"
	case d.Dir != "":
		return d.Dir
	case d.From != "":
		return "the chart " + d.Chart + " of " + d.From
	}
	return "the chart " + d.Chart
}

// DeploysOf returns what an object of a GitOps tool deploys: a Kustomization or a HelmRelease of Flux, and an Application
// or an ApplicationSet of Argo CD.
//
// Sources: https://fluxcd.io/flux/components/kustomize/kustomizations/#path,
// https://fluxcd.io/flux/components/helm/helmreleases/#chart-template,
// https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/.
func DeploysOf(object map[string]any) []Deployed {
	kind, _ := tree.Text(object["kind"])
	spec := object["spec"]
	if !isGitOps(kind, group(object)) {
		return nil
	}
	var found deployments
	switch kind {
	case "Kustomization":
		found.dir(cmp.Or[any](tree.At(spec, "path"), rootDir))
	case "HelmRelease":
		found.ofRelease(spec)
	case "Application":
		found.ofApplication(spec)
	default:
		found.ofApplication(tree.At(spec, "template", "spec"))
		for _, generator := range tree.List(tree.Map(spec)["generators"]) {
			for _, directory := range tree.List(tree.At(generator, "git", "directories")) {
				if exclude, _ := tree.Bool(tree.Map(directory)["exclude"]); !exclude {
					found.dir(tree.Map(directory)["path"])
				}
			}
		}
	}
	return found
}

type deployments []Deployed

func (d *deployments) dir(v any) {
	text, ok := tree.Text(v)
	if dir := path.Clean(strings.TrimPrefix(text, "/")); ok && !strings.Contains(text, "{{") {
		d.add(Deployed{Dir: dir})
	}
}

func (d *deployments) add(one Deployed) {
	if !slices.Contains(*d, one) {
		*d = append(*d, one)
	}
}

// ofRelease adds the chart of a HelmRelease: one of a repository of charts, a directory of another source, or a
// reference.
func (d *deployments) ofRelease(spec any) {
	name := func(ref any) string {
		kind, _ := tree.Text(tree.Map(ref)["kind"])
		name, _ := tree.Text(tree.Map(ref)["name"])
		return kind + "/" + name
	}
	if ref := tree.Map(spec)["chartRef"]; ref != nil {
		d.add(Deployed{Chart: name(ref)})
		return
	}
	chart, _ := tree.Text(tree.At(spec, "chart", "spec", "chart"))
	from := tree.At(spec, "chart", "spec", "sourceRef")
	switch kind, _ := tree.Text(tree.Map(from)["kind"]); {
	case kind == "GitRepository":
		d.dir(chart)
	case chart != "":
		d.add(Deployed{Chart: chart, From: name(from)})
	}
}

// ofApplication adds the sources of an Application.
func (d *deployments) ofApplication(spec any) {
	for _, source := range append([]any{tree.At(spec, "source")}, tree.List(tree.Map(spec)["sources"])...) {
		of := tree.Map(source)
		d.dir(of["path"])
		chart, _ := tree.Text(of["chart"])
		from, _ := tree.Text(of["repoURL"])
		if chart == "" && of["path"] == nil && of["ref"] == nil && from != "" {
			d.dir(rootDir)
		}
		if chart != "" && !strings.Contains(chart, "{{") {
			d.add(Deployed{Chart: chart, From: from})
		}
	}
}
