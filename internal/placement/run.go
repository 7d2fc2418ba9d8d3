package placement

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
)

// checkOS is what the kubelet does first: it refuses a pod that says another
// operating system (PodOSNotSupported, pkg/kubelet/lifecycle/predicate.go).
func (c *check) checkOS() {
	os := c.node.os
	switch {
	case c.pod.unknown(PartOS):
		c.kubelet.unsure = true
	case c.pod.OS != "" && c.pod.OS != os:
		c.refuse(&c.kubelet, KindOS, func() (string, string) {
			return "spec.os.name is " + string(c.pod.OS) + ", its nodes run " + describeOS(os),
				"set spec.os.name to " + string(os)
		})
	}
}

func (c *check) checkImages() {
	if c.pod.unknown(PartImages) {
		c.kubelet.unsure = true
	}
	var builds []Image
	for i, image := range c.pod.Images {
		switch platform.CanRun(c.node.pool.Platform, image.Image, c.nodes.matching) {
		case platform.Unknown:
			c.kubelet.unsure = true
		case platform.No:
			c.kubelet.refused = true
			switch {
			case !c.explain || slices.ContainsFunc(c.pod.Images[:i], image.same):
			case image.OS == c.node.os:
				builds = append(builds, image)
			default:
				c.refuseImage(image, KindOS, " is a "+describeOS(image.OS)+" image")
			}
		case platform.Yes:
		}
	}
	for _, image := range builds {
		c.refuseImage(image, KindBuild, " needs "+describe(image.Release))
	}
}

// same says whether another container has the same image: once is enough to say
// that it does not run.
func (i Image) same(other Image) bool {
	return i.Reference == other.Reference && i.Image == other.Image
}

func (c *check) refuseImage(image Image, kind Kind, problem string) {
	pool := c.node.pool.Platform
	c.refuse(&c.kubelet, kind, func() (string, string) {
		return "image " + image.Reference + problem + ", its nodes run " + describe(pool),
			"use an image for " + describe(pool)
	})
	c.reasons[len(c.reasons)-1].Container = image.Container
}
