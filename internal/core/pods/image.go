package pods

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// images returns what is known about the image of each container, in the order of
// [Pods.Containers]: from the lock, or otherwise from its name. An unknown image counts
// as an image that indicates nothing.
func (c *Context) images(p *Pods) []platform.Image {
	images := make([]platform.Image, len(p.Containers))
	for i := range p.Containers {
		if ref, ok := tree.Text(p.Containers[i].Spec["image"]); ok {
			images[i] = c.image(ref).Image
		}
	}
	return images
}

// NamesOf returns what the reference of each image says, in the order of [Pods.Containers]. A reference that is not
// known says nothing.
func (c *Context) NamesOf(p *Pods) []*ImageName {
	names := make([]*ImageName, len(p.Containers))
	for i := range p.Containers {
		ref, _ := tree.Text(p.Containers[i].Spec["image"])
		names[i] = &c.image(ref).name
	}
	return names
}

// ImageName is what the reference of an image says, whatever is known about the image itself.
type ImageName struct {
	// Reference is the full form, see [platform.NormalizeReference], "" if it is not valid.
	Reference string
	// Microsoft is the repository of an image in Microsoft's registry, such as "windows/servercore", "" for others. Tag
	// is its tag, "latest" if none is written and "" if there is a digest.
	Microsoft, Tag string
	// Retired means that the image is no longer published for Windows, and Successor is the one to use instead, "" if
	// there is none. See [platform.Retired].
	Retired   bool
	Successor string
}

func readName(ref string) (n ImageName) {
	n.Reference, _ = platform.NormalizeReference(ref)
	n.Successor, n.Retired = platform.Retired(ref)
	path, own := strings.CutPrefix(n.Reference, "mcr.microsoft.com/")
	if !own {
		return n
	}
	var pinned bool
	if n.Microsoft, _, pinned = strings.Cut(path, "@"); !pinned {
		n.Microsoft, n.Tag, _ = strings.Cut(path, ":")
	}
	return n
}

// readImage is what is known about an image, and what its reference says.
type readImage struct {
	platform.Image
	name ImageName
}

// image reads an image. Many pods have the same ones, and reading a reference takes longer than finding it again.
func (c *Context) image(ref string) *readImage {
	if c.read == nil {
		return c.readImage(ref)
	}
	if image, known := c.read.images.Load(ref); known {
		return image.(*readImage)
	}
	image := c.readImage(ref)
	if c.read.count.Add(1) <= mostImages {
		c.read.images.Store(ref, image)
	}
	return image
}

func (c *Context) readImage(ref string) *readImage {
	return &readImage{platform.FromFacts(ref, c.Images.Facts(ref)), readName(ref)}
}

// mostImages limits the memory of the images that a context has read.
const mostImages = 1000

// readImages are images that have been read, by their references.
type readImages struct {
	images sync.Map
	count  atomic.Int64
}

// Agreed returns what images indicate together: all images that indicate something agree, including
// the release. If they contradict each other, it returns false, with an OS that is not "". It also
// returns false if only words of tags indicate Linux: images for Windows have such tags too.
func Agreed(images []platform.Image) (together platform.Image, agreed bool) {
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
		agreed = agreed || !image.ByTag || image.OS != platform.LinuxOS
	}
	if !agreed {
		return platform.Image{}, false
	}
	return together, true
}

// imagesOS returns the operating system of images if all known images agree, otherwise "".
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

// ByTag reports whether only a word of its tag indicates what an image is for.
func ByTag(image platform.Image) bool { return image.ByTag }

// certain returns images without what only a word of a tag indicates, unless it agrees with the
// operating system.
func certain(images []platform.Image, os platform.OS) []platform.Image {
	images = slices.Clone(images)
	for i := range images {
		images[i] = images[i].Certain(os)
	}
	return images
}
