package pods

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// UnclaimedSpecs finds the pods in an object of a custom kind, for example a Ray cluster: the paths
// of specs with containers that have images, and that do not name an operating system. How
// the controller of the object uses the specs is not known.
func (c *Context) UnclaimedSpecs(object map[string]any) []string {
	var found []string
	search(object["spec"], "spec", func(path string, spec map[string]any) {
		p := OfSpec(spec)
		t := c.Target(p, nil)
		if len(t.Written()) == 0 && !p.RequiresSeveralOS() {
			found = append(found, path)
		}
	})
	return found
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
