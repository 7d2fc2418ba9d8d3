package completion

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Foreign finds the pods in an object of a kind that is not Kubernetes' own, an Argo
// Rollout for example: the paths of specs with containers that have images, and do not
// name an operating system. What the object's controller makes of them is not known, so
// they are never completed.
func Foreign(object map[string]any) []string {
	var found []string
	search(object["spec"], "spec", func(path string, spec map[string]any) {
		pod := map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": spec}
		if _, named := preflight.NamedOS(pod); !named && !preflight.NamesSeveralOS(pod) {
			found = append(found, path)
		}
	})
	return found
}

// search goes through everything below a path, for what looks like the spec of pods.
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
