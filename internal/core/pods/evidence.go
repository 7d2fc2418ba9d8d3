package pods

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Evidence are all claims about pods, in the order in which they determine what the pods are completed for.
type Evidence struct {
	// Claims begin with the strongest one. The claim of the caller comes after the claims in the object, which it
	// does not replace.
	Claims []Claim
	// Selected is the claim of the nodes that the pods select, and Class the claim of their RuntimeClass. Without
	// such a claim they have no OS.
	Selected, Class Claim
}

// Evidence returns the claims about pods with a certain target. The images may include what only a word of a tag
// indicates. The annotation has no OS if it makes no claim.
func (c *Context) Evidence(p *Pods, certain *Target, images []platform.Image, annotation Claim) Evidence {
	e := Evidence{Selected: c.Selected(p, certain)}
	var before, after []Claim
	for _, claim := range certain.Written() {
		switch claim.Source {
		case ByOSName:
			before = append(before, claim)
		case BySelector, ByAffinity: // in Selected
		case ByClass:
			if e.Class.OS == "" {
				e.Class = claim
			}
			e.Class.Release = cmp.Or(e.Class.Release, claim.Release)
			after = append(after, claim)
		default:
			after = append(after, claim)
		}
	}
	ofImages := Claim{Source: ByImages}
	image, agreed := Agreed(images)
	if !agreed {
		image, agreed = c.newest(images)
	}
	if agreed {
		ofImages.OS = image.OS
		if certain.ReleaseMatters(p) != platform.No {
			ofImages.Release = image.Release
		}
	}
	caller := Claim{OS: c.OS, Release: releaseOf(c.Platform), Source: ByCaller}
	all := slices.Concat(before, []Claim{e.Selected}, after, []Claim{annotation, caller, ofImages})
	e.Claims = slices.DeleteFunc(all, func(c Claim) bool { return c.OS == "" })
	return e
}

// newest returns the image of the newest release if its nodes also run all other images, which [platform.Relaxed]
// allows.
func (c *Context) newest(images []platform.Image) (platform.Image, bool) {
	for _, image := range images {
		if image.Release != "" && image.Facts == nil && !slices.ContainsFunc(images, func(other platform.Image) bool {
			return platform.CanRun(image.Release, other, c.Matching) != platform.Yes
		}) {
			return image, true
		}
	}
	return platform.Image{}, false
}

// OS returns the operating system that the evidence leads to, "" if there is no evidence or if its claims contradict
// each other. The images never contradict other claims: they are compared with them.
func (e *Evidence) OS() platform.OS {
	if len(e.Claims) == 0 {
		return ""
	}
	first := e.Claims[0].OS
	if slices.ContainsFunc(e.Claims, func(c Claim) bool { return c.Source != ByImages && c.OS != first }) {
		return ""
	}
	return first
}
