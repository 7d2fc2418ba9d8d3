package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var digestOfOneRelease = rule.Rule{
	ID: "MK215", Severity: rule.Error, Title: "a digest of one Windows release, for pods that can land on several",
	Reason: "A digest of a manifest pins one platform, whatever else was published under the tag. A digest of " +
		"the index pins all of its platforms: each node chooses its own.",
	Source: versionCompatibility + "; https://github.com/opencontainers/image-spec/blob/v1.1.0/image-index.md",
}

const pinIndex = "pin the digest of the index that has all platforms"

// pinsOnePlatform reports whether the image reference of a container has the digest of a manifest.
func pinsOnePlatform(ctr *pods.Container, image platform.Image) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	return image.Facts != nil && !image.Facts.Indexed() && strings.Contains(ref, "@")
}

// ofBothSystems reports whether all images exist for Linux and for Windows, according to their registries.
func ofBothSystems(all []platform.Image) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(image platform.Image) bool {
		return len(image.Facts.For(platform.LinuxOS)) == 0 || len(image.Facts.For(platform.WindowsOS)) == 0
	})
}
