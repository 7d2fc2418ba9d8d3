package subject

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Mismatch is why an image is wrong.
type Mismatch int

const (
	// OtherOS means that the pods are for the other operating system.
	OtherOS Mismatch = iota
	// OtherOSThan means that an earlier image is for the other operating system.
	OtherOSThan
	// OtherRelease means that the pods are for another release of Windows.
	OtherRelease
	// OtherReleaseThan means that no release of Windows runs the image and the earlier ones.
	OtherReleaseThan
)

// WrongImage is an image that does not run where its pods are for, or not together with the other images.
type WrongImage struct {
	Mismatch
	// Container is the index of the container, and Than that of the container with the earlier image.
	Container, Than int
	// OnSome means that some nodes run the image nevertheless, and that the nodes are not known.
	OnSome bool
}

// WrongImages compares the images with what the pods are for, or with each other if nothing else states it. If claims
// about the pods contradict each other, it is unknown what an image must fit, and there are none.
func (p *Pods) WrongImages() []WrongImage { return p.wrongImages.get(p.compareImages) }

func (p *Pods) compareImages() []WrongImage {
	if len(p.Contradictions()) > 0 {
		return nil
	}
	var wrong []WrongImage
	if os := p.OS(); os == "" || p.Target.Claims[0].Source == pods.ByImages {
		wrong = p.imagesOfOneOS()
	} else {
		for i, image := range p.Target.Images {
			if image.OS != os && (image.OS != "" || image.Facts != nil && len(image.Facts.For(os)) == 0) {
				wrong = append(wrong, WrongImage{Mismatch: OtherOS, Container: i})
			}
		}
	}
	if p.ReleaseMatters() != platform.Yes {
		return wrong
	}
	target, known := p.Target.Release()
	if !known {
		return append(wrong, p.imagesOfOneHost()...)
	}
	for i, image := range p.Target.Images {
		if image.TellsRelease() &&
			platform.CanRun(target.Release, image, p.Cluster.MatchingOf(target.Release)) == platform.No {
			relaxed := platform.CanRun(target.Release, image, platform.Relaxed) != platform.No
			wrong = append(wrong, WrongImage{
				Mismatch: OtherRelease, Container: i, OnSome: relaxed && !p.Cluster.knowsNodes(),
			})
		}
	}
	return wrong
}

func (p *Pods) imagesOfOneOS() []WrongImage {
	var wrong []WrongImage
	first := -1
	for i, image := range p.Target.Images {
		switch {
		case image.OS == "":
		case first < 0:
			first = i
		case image.OS != p.Target.Images[first].OS:
			wrong = append(wrong, WrongImage{Mismatch: OtherOSThan, Container: i, Than: first})
		}
	}
	return wrong
}

func (p *Pods) imagesOfOneHost() []WrongImage {
	first := -1
	for i, image := range p.Target.Images {
		switch {
		case !image.TellsRelease(),
			first >= 0 && image.Release != "" && image.Release == p.Target.Images[first].Release:
		case first < 0:
			first = i
		case !oneHostRuns(p.Target.Images[:i+1], p.Cluster.MatchingOf):
			relaxed := func(platform.Platform) platform.Matching { return platform.Relaxed }
			return []WrongImage{{
				Mismatch: OtherReleaseThan, Container: i, Than: first,
				OnSome: !p.Cluster.knowsNodes() && oneHostRuns(p.Target.Images[:i+1], relaxed),
			}}
		}
	}
	return nil
}

// oneHostRuns reports whether there is a release of Windows whose nodes run all images with a known release.
func oneHostRuns(images []platform.Image, matching func(platform.Platform) platform.Matching) bool {
	return slices.ContainsFunc(platform.Windows(), func(host platform.Platform) bool {
		return !slices.ContainsFunc(images, func(image platform.Image) bool {
			return platform.CanRun(host, image, matching(host)) == platform.No
		})
	})
}

// PinIndex is how to fix an image that is pinned to one platform.
const PinIndex = "pin the digest of the index that has all platforms"

// PinsOnePlatform reports whether the image reference of a container has the digest of a manifest.
func PinsOnePlatform(ctr *pods.Container, image platform.Image) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	return image.Facts != nil && !image.Facts.Indexed() && strings.Contains(ref, "@")
}
