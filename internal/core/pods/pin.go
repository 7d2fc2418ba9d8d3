package pods

import (
	"reflect"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pin is a build of Windows that pods select, and no pool has.
type Pin struct {
	// Path is the path of the build in the object, and Build its value.
	Path, Build string
	// Earlier is true if the whole selection is one that versions of mixedkube without marks wrote.
	Earlier bool
}

// Pin returns the build that pods select although no pool has it, nil if there is none, if no pool is known to run the
// images, or if pools are not listed. Pools may run images that tell no release.
func (c *Context) Pin(p *Pods, t *Target) *Pin {
	build, ok := tree.Map(p.Spec["nodeSelector"])[topology.LabelWindowsBuild].(string) // a secret one is not shown
	release, known := ExactBuild(build)
	if !ok || !known || c.Topology.Partial || len(c.Topology.PoolsOf(release)) > 0 {
		return nil
	}
	_, own := c.WrittenBefore(p, t)
	runs := func(pool topology.Pool) bool {
		return pool.Platform.IsWindows() && !slices.ContainsFunc(t.Images, func(image platform.Image) bool {
			answer := platform.CanRun(pool.Platform, image, c.Matching)
			return answer == platform.No || answer == platform.Unknown && !own
		})
	}
	if !slices.ContainsFunc(c.Topology.Pools, runs) {
		return nil
	}
	return &Pin{Path: p.Path("nodeSelector", Key(topology.LabelWindowsBuild)), Build: build, Earlier: own}
}

// WrittenBefore returns the release that pods select if a version of mixedkube without marks has written the node
// selector: it is the whole selector of a release that some pool runs, and the images are for it, or tell no release.
func (c *Context) WrittenBefore(p *Pods, t *Target) (platform.Platform, bool) {
	selector := tree.Map(p.Spec["nodeSelector"])
	build, _ := selector[topology.LabelWindowsBuild].(string)
	release, ok := ExactBuild(build)
	if !ok || c.Topology.LacksHosts(release) != "" {
		return "", false
	}
	// mixedkube writes the selector of a Workflow's spec, never those of its templates.
	ofSpec := tree.At(p.Object, slices.Concat(p.SpecPath(), []string{"nodeSelector"})...)
	if !reflect.DeepEqual(ofSpec, any(selector)) {
		return "", false
	}
	whole := map[string]any{}
	for key, value := range topology.NodeSelector(release) {
		whole[key] = value
	}
	if !reflect.DeepEqual(selector, whole) {
		return "", false
	}
	for _, image := range t.Images {
		if image.OS != "" && image.OS != platform.WindowsOS || image.Release != "" && image.Release != release {
			return "", false
		}
	}
	return release, true
}
