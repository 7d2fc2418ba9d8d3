package preflight

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Words and facts that checks need which are not values yet.

// agree returns how to fix a contradiction of a claim.
func agree(with pods.Claim) string {
	if with.Source == pods.ByCaller {
		return "remove it, or change the platform"
	}
	return "make them agree, or remove one"
}

// matching returns how closely images must match a host. Version 23H2 has no images of its own: it is designed to run
// the images of Windows Server 2022.
func (c *check) matching(host platform.Platform) platform.Matching {
	if host == platform.WindowsServer23H2 {
		return platform.Relaxed
	}
	return c.options.matching()
}

// namesNo2019 reports whether the version of Kubernetes is known to no longer list Windows Server 2019. If the nodes
// are known, they decide.
func (c *check) namesNo2019() bool { return c.context.Nodes == nil && c.minor >= 36 }

// imageFix returns which image to use instead of another for a release: its tag if Microsoft publishes one. 23H2 uses
// the images of 2022.
func imageFix(ref string, release platform.Platform) string {
	if release == platform.WindowsServer23H2 {
		release = platform.WindowsServer2022
	}
	if tag, ok := platform.PublishedTag(ref, release); ok {
		return "use the tag " + tag
	}
	return "use an image for " + productName(release)
}

// productName returns Microsoft's name of a release.
func productName(p platform.Platform) string {
	release, _ := p.Release()
	return release.Name
}

// describe returns the display name of an operating system.
func describe(os platform.OS) string {
	if os == platform.WindowsOS {
		return "Windows"
	}
	return "Linux"
}

// needs describes which nodes an image with a known release needs.
func needs(image platform.Image) string {
	if image.Facts != nil {
		return "has " + image.Facts.String()
	}
	return "needs a " + productName(image.Release) + " node"
}

// hasDrive reports whether a path begins with a drive letter.
func hasDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		('a' <= path[0] && path[0] <= 'z' || 'A' <= path[0] && path[0] <= 'Z')
}
