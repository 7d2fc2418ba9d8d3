package images

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
)

// problem returns a problem with the image of a container.
func problem(p *subject.Pods, container int, detail string) rule.Problem {
	ctr := &p.Containers[container]
	return rule.Problem{Path: p.In(ctr, "image"), Value: ctr.Spec["image"], Detail: detail}
}

// shown returns the reference of the image of a container, "" if it must not be shown.
func shown(p *subject.Pods, container int) string {
	ref, _ := p.Containers[container].Spec["image"].(string)
	return ref
}

func imageOf(os platform.OS) string { return "a " + os.DisplayName() + " image" }

// known describes what an image is for, and whether a word of its tag is the only evidence.
func known(image platform.Image) string {
	switch {
	case image.ByTag:
		return imageOf(image.OS) + " by its tag alone"
	case image.OS == "": // for another system
		return "an image for " + image.Facts.String()
	case image.Facts != nil:
		return imageOf(image.OS) + " (" + image.Facts.String() + ")"
	default:
		return imageOf(image.OS)
	}
}

func isFor(image platform.Image) string {
	if image.Facts != nil {
		return "has " + image.Facts.String()
	}
	return "is for " + subject.ProductName(image.Release)
}

func releasesOf(image platform.Image) string {
	if image.Release == "" {
		return image.Facts.String()
	}
	return image.Release.String()
}
