package placement

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
)

// checkOS is the kubelet's first check: it refuses a pod that names another
// operating system (PodOSNotSupported, pkg/kubelet/lifecycle/predicate.go).
func (c *check) checkOS() {
	os := c.node.os
	switch {
	case c.pod.unknown(PartOS):
		c.kubelet.unsure = true
	case c.pod.OS != "" && c.pod.OS != os:
		c.refuse(&c.kubelet, KindOS, func() (string, string) {
			return "spec.os.name is " + string(c.pod.OS) + ", but its nodes run " + os.DisplayName(),
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
		switch c.node.canRun(image.Image, c.nodes.matching) {
		case platform.Unknown:
			c.kubelet.unsure = true
		case platform.No:
			c.kubelet.refused = true
			switch {
			case !c.explain || slices.ContainsFunc(c.pod.Images[:i], image.same):
			case image.OS == c.node.os || len(image.Facts.For(c.node.os)) > 0:
				builds = append(builds, image)
			case image.OS == "":
				c.refuseImage(image, KindOS, " has "+image.Facts.String())
			default:
				c.refuseImage(image, KindOS, " is a "+image.OS.DisplayName()+" image")
			}
		case platform.Yes:
		}
	}
	for _, image := range builds {
		switch {
		case image.Facts == nil:
			c.refuseImage(image, KindBuild, " needs "+image.Release.DisplayName())
		case platform.CanRun(c.node.pool.Platform, image.Image, c.nodes.matching) == platform.No:
			c.refuseImage(image, KindBuild, " has "+image.Facts.String())
		default:
			c.refuseArchitecture(image)
		}
	}
}

// canRun is Unknown if the answer depends on the architecture, and this is only the default.
func (n *node) canRun(image platform.Image, matching platform.Matching) platform.Answer {
	runs := platform.CanRunOn(n.pool.Platform, n.architecture, image, matching)
	if runs == platform.No && n.guessedArchitecture &&
		platform.CanRun(n.pool.Platform, image, matching) != platform.No {
		return platform.Unknown
	}
	return runs
}

// same reports whether another container has the same image, so that it is reported
// only once.
func (i Image) same(other Image) bool {
	return i.Reference == other.Reference && i.Image == other.Image
}

func (c *check) refuseImage(image Image, kind Kind, problem string) {
	pool := c.node.pool.Platform
	c.refuse(&c.kubelet, kind, func() (string, string) {
		return "image " + image.Reference + problem + ", but its nodes run " + pool.DisplayName(),
			"use an image for " + pool.DisplayName()
	})
	c.reasons[len(c.reasons)-1].Container = image.Container
}

func (c *check) refuseArchitecture(image Image) {
	architecture := c.node.architecture
	c.refuse(&c.kubelet, KindArchitecture, func() (string, string) {
		return "image " + image.Reference + " has " + image.Facts.String() + ", but its nodes are " + architecture,
			"use an image for " + architecture
	})
	c.reasons[len(c.reasons)-1].Container = image.Container
}
