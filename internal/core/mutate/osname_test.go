package mutate_test

import (
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// indications are what indicates what a pod is for. A zero value is not set; with an empty text, the container has no
// image.
type indications struct {
	image, class, named, annotation string
	selector                        map[string]any
	// object is what the class selects, if it is among the objects.
	object map[string]any
	pools  topology.Topology
}

// allIndications returns all combinations.
func allIndications() []indications {
	type m = map[string]any
	one, labeled := cluster(platform.WindowsServer2022), cluster(platform.WindowsServer2022)
	labeled.Pools[1].Labels = map[string]string{"team": "legacy"}
	selectors := []m{nil, {"kubernetes.io/os": "windows"}, {"kubernetes.io/os": "linux"}, {"team": "legacy"}}

	all := []indications{{}}
	all = cross(all, []string{"", core2022, core2019, alpine, silentImage, "shop.example/web:ltsc2022"},
		func(i *indications, image string) { i.image = image })
	all = cross(all, []string{"", "windows-2022", "windows-2019", "legacy-win"},
		func(i *indications, class string) { i.class = class })
	all = cross(all, selectors, func(i *indications, of m) { i.object = of })
	all = cross(all, selectors, func(i *indications, selector m) { i.selector = selector })
	all = cross(all, []string{"", "windows", "linux"}, func(i *indications, os string) { i.named = os })
	all = cross(all, []string{"", "windows-2022"}, func(i *indications, platform string) { i.annotation = platform })
	all = cross(all, []topology.Topology{{}, one, labeled}, func(i *indications, t topology.Topology) { i.pools = t })
	return slices.DeleteFunc(all, func(i indications) bool { return i.class == "" && i.object != nil })
}

func cross[T any](all []indications, values []T, set func(*indications, T)) []indications {
	var product []indications
	for _, i := range all {
		for _, v := range values {
			set(&i, v)
			product = append(product, i)
		}
	}
	return product
}

// objects returns the pod and its RuntimeClass, if that is among the objects.
func (i indications) objects() []map[string]any {
	spec := map[string]any{}
	if i.class != "" {
		spec["runtimeClassName"] = i.class
	}
	if i.selector != nil {
		spec["nodeSelector"] = i.selector
	}
	if i.named != "" {
		spec["os"] = map[string]any{"name": i.named}
	}
	object := pod(spec, i.image)
	if i.annotation != "" {
		object = annotated(object, i.annotation)
	}
	if i.object == nil {
		return []map[string]any{object}
	}
	return []map[string]any{object, runtimeClass(i.class, i.object)}
}

func TestPreflightReportsEachOSNameThatIsAdded(t *testing.T) {
	t.Parallel()
	counts := map[[2]bool]int{}
	for _, i := range allIndications() {
		objects := i.objects()
		decision := adopter(options{Topology: i.pools, Classes: objects[1:]})(objects[0], "")
		added := slices.ContainsFunc(decision.Edits, func(e mutate.Edit) bool {
			return slices.Equal(e.Path, []string{"spec", "os", "name"}) && e.Value == "windows"
		})
		checker := preflight.New(preflight.Options{Topology: i.pools})
		findings := preflight.Join(checker.Check(objects[0]), checker.Across(objects)[0])
		reported := slices.ContainsFunc(findings, func(f preflight.Finding) bool { return f.Rule == "MK105" })
		counts[[2]bool{added, reported}]++
		switch {
		case added && !reported:
			t.Errorf("%+v: os.name is added, and not reported", i)
		case reported && !added && decision.Outcome != mutate.Misannotated &&
			(i.object == nil || i.object["kubernetes.io/os"] == "windows"):
			// Check itself does not know a class that is not what its name says, or that contradicts the image.
			// Nothing is added to pods with a wrong annotation, which preflight reports too.
			t.Errorf("%+v: os.name is reported, and not added", i)
		}
	}
	if counts[[2]bool{true, true}] == 0 || counts[[2]bool{false, false}] == 0 {
		t.Errorf("the cases are all alike: %v", counts)
	}
}
