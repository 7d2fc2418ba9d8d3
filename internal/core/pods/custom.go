package pods

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// UnclaimedSpecs finds the pods in an object of a custom kind, for example a Ray cluster: the paths
// of specs with containers that have images, and that do not name an operating system. How
// the controller of the object uses the specs is not known.
//
// In an object of Kubernetes' own groups, containers are in the wrong place, and rules report them. A cloud runs those
// of its own resources outside the cluster.
func (c *Context) UnclaimedSpecs(object map[string]any) []string {
	var found []string
	if group := groupOf(object); !strings.Contains(group, ".") || ofCloud(group) || onCloudRun(object) {
		return nil
	}
	search(object["spec"], "spec", func(path string, spec map[string]any) {
		p := OfSpec(spec)
		t := c.Target(p, nil)
		if len(t.Written()) == 0 && !p.RequiresSeveralOS() {
			found = append(found, path)
		}
	})
	return found
}

// groupOf returns the API group of an object. That of a custom resource is a domain with a period. Source:
// k8s.io/apiextensions-apiserver v0.36.3, pkg/apis/apiextensions/validation, validateCustomResourceDefinitionSpec.
func groupOf(object map[string]any) string {
	version, _ := tree.Text(object["apiVersion"])
	group, _, grouped := strings.Cut(version, "/")
	if !grouped {
		return ""
	}
	return group
}

// clouds are the domains of API groups whose objects are resources of a cloud: those of Config Connector and of Cloud
// Run, of Azure Service Operator, of AWS Controllers for Kubernetes, and of Upbound's providers for Crossplane.
//
// Sources: https://cloud.google.com/config-connector/docs/reference/resource-docs/run/runservice,
// https://cloud.google.com/run/docs/reference/yaml/v1, https://azure.github.io/azure-service-operator/reference/,
// https://aws-controllers-k8s.github.io/community/reference/, https://marketplace.upbound.io/providers.
var clouds = []string{"cnrm.cloud.google.com", "run.googleapis.com", "azure.com", "services.k8s.aws", "upbound.io"}

func ofCloud(group string) bool {
	return slices.ContainsFunc(clouds, func(domain string) bool {
		return group == domain || strings.HasSuffix(group, "."+domain)
	})
}

// onCloudRun reports whether a Service of Knative's API is one of Cloud Run: it has annotations of it, or the label of
// its location. Source: https://cloud.google.com/run/docs/reference/yaml/v1.
func onCloudRun(object map[string]any) bool {
	if tree.At(object, "metadata", "labels", "cloud.googleapis.com/location") != nil {
		return true
	}
	for _, metadata := range [...]any{object["metadata"], tree.At(object, "spec", "template", "metadata")} {
		for annotation := range tree.Map(tree.At(metadata, "annotations")) {
			if strings.HasPrefix(annotation, "run.googleapis.com/") {
				return true
			}
		}
	}
	return false
}

// search finds everything below a path that looks like a spec of pods.
func search(v any, path string, found func(path string, spec map[string]any)) {
	for i, element := range tree.List(v) {
		search(element, path+"["+strconv.Itoa(i)+"]", found)
	}
	m := tree.Map(v)
	for _, container := range tree.List(m["containers"]) {
		if image, _ := tree.Text(tree.At(container, "image")); image != "" {
			found(path, m)
			return
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		search(m[key], path+"."+key, found)
	}
}
