package subject

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// ProductName returns Microsoft's name of a release.
func ProductName(p platform.Platform) string {
	release, _ := p.Release()
	return release.Name
}

// ListPools lists names of pools: "pool a", "pools a and b", "pools a, b and c".
func ListPools(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return "pool " + names[0]
	}
	return "pools " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// ImageFix returns which image to use instead of another for a release: its tag if Microsoft publishes one. 23H2 uses
// the images of 2022.
func ImageFix(ref string, release platform.Platform) string {
	if release == platform.WindowsServer23H2 {
		release = platform.WindowsServer2022
	}
	if tag, ok := platform.PublishedTag(ref, release); ok {
		return "use the tag " + tag
	}
	return "use an image for " + ProductName(release)
}

// Needs describes which nodes an image with a known release needs.
func Needs(image platform.Image) string {
	if image.Facts != nil {
		return "has " + image.Facts.String()
	}
	return "needs a " + ProductName(image.Release) + " node"
}

// Agree returns how to fix a contradiction of a claim.
func Agree(with pods.Claim) string {
	if with.Source == pods.ByCaller {
		return "remove it, or change the platform"
	}
	return "make them agree, or remove one"
}
