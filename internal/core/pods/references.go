package pods

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// References returns the references of all images that the pods of an object use, in containers and
// volumes, each once, sorted. For an object of a custom kind, it reads everything that looks like a
// spec of pods. It leaves out an image that is not known yet.
func References(object map[string]any) []string {
	var found []string
	o := ReadObject(object)
	for _, p := range o.All() {
		found = append(found, p.references()...)
	}
	if o.Kind == "" {
		search(object["spec"], "spec", func(_ string, spec map[string]any) {
			found = append(found, OfSpec(spec).references()...)
		})
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func (p *Pods) references() []string {
	var found []string
	add := func(v any) {
		if reference, _ := tree.Text(v); reference != "" {
			found = append(found, reference)
		}
	}
	for i := range p.Containers {
		add(p.Containers[i].Spec["image"])
	}
	for _, volume := range tree.List(p.Spec["volumes"]) {
		add(tree.At(volume, "image", "reference"))
	}
	return found
}
