package pods

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// images is what is known of the image of each container, in the order of
// [Pods.Containers]: by the lock, or else by its name. An image that is not known counts
// as one that tells nothing.
func (c *Context) images(p *Pods) []platform.Image {
	images := make([]platform.Image, len(p.Containers))
	for i := range p.Containers {
		if ref, ok := tree.Text(p.Containers[i].Spec["image"]); ok {
			images[i] = platform.FromFacts(ref, c.Images.Facts(ref))
		}
	}
	return images
}

// Agreed is what images say together: all that say something agree, as far as the release.
// If they contradict each other they say nothing, and the OS is not "". Words of tags alone
// that mean Linux say nothing either: images for Windows have such tags too.
func Agreed(images []platform.Image) (together platform.Image, said bool) {
	for _, image := range images {
		switch {
		case image.OS == "":
			continue
		case together.OS != "" && image.OS != together.OS:
			return image, false
		case together.Release != "" && image.Release != "" && image.Release != together.Release:
			return image, false
		}
		together.OS = image.OS
		if image.Release != "" {
			together.Release = image.Release
		}
		said = said || !image.ByTag || image.OS != platform.LinuxOS
	}
	if !said {
		return platform.Image{}, false
	}
	return together, true
}

// imagesOS is the operating system of images if all that are known agree.
func imagesOS(images []platform.Image) platform.OS {
	var found platform.OS
	for i := range images {
		switch os := images[i].OS; {
		case os == "":
		case found == "":
			found = os
		case found != os:
			return ""
		}
	}
	return found
}

// ByTag reports whether only a word of its tag tells what an image is for.
func ByTag(image platform.Image) bool { return image.ByTag }

// certain are images without what a word of a tag alone tells, unless it agrees with the
// operating system.
func certain(images []platform.Image, os platform.OS) []platform.Image {
	kept := slices.Clone(images)
	for i := range kept {
		kept[i] = kept[i].Certain(os)
	}
	return kept
}
