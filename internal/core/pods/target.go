package pods

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Target is what pods are for, according to the object and the caller.
type Target struct {
	// Declared is spec.os.name if it is a known operating system.
	Declared platform.OS
	// Claims are all claims about the pods, the strongest first. Images are among them only
	// if there is no other claim, because a target is compared with the images.
	Claims []Claim
	// Images is what is known about the image of each container, in the order of
	// [Pods.Containers].
	Images []platform.Image
	// Matching is how well the release of images must match that of their nodes.
	Matching platform.Matching
	// Class is the RuntimeClass object that the pods name, nil if it is not known.
	Class *Class
	// Volumes are the persistent volumes of the pods. [Context.Target] does not know any.
	Volumes Volumes
	// ByName is true if the name of the RuntimeClass is the name of a platform,
	// whose class has process isolation.
	ByName bool
	// Guessed is true if the target may be wrong: the RuntimeClass has the name of a platform,
	// and the pools of the cluster are not known, so that the class may be for anything; or only a
	// word of its tag indicates what an image is for.
	Guessed bool
}

// OS returns the operating system that the strongest claim names, "" if there is none.
func (t *Target) OS() platform.OS {
	if len(t.Claims) == 0 {
		return ""
	}
	return t.Claims[0].OS
}

// Release returns the first claim that names a release.
func (t *Target) Release() (Claim, bool) {
	for _, c := range t.Claims {
		if c.Release != "" {
			return c, true
		}
	}
	return Claim{}, false
}

// LikelyRelease returns the release that a claim names, or otherwise the release of an image.
func (t *Target) LikelyRelease() platform.Platform {
	claim, _ := t.Release()
	release := claim.Release
	for _, image := range t.Images {
		release = cmp.Or(release, image.Release)
	}
	return release
}

// Contradictions returns the claims that contradict the strongest one. Host process does not
// count: the option has no effect on other operating systems.
func (t *Target) Contradictions() []Claim {
	var wrong []Claim
	release, hasRelease := t.Release()
	for _, c := range t.Claims {
		if c.Source == ByHostProcess {
			continue
		}
		if c.OS != t.Claims[0].OS || hasRelease && c.Release != "" && c.Contradicts(release, t.Matching) {
			wrong = append(wrong, c)
		}
	}
	return wrong
}

// Written returns the claims of fields in the object that name an operating system: neither the
// claims of the caller nor those of images.
func (t *Target) Written() []Claim {
	var written []Claim
	for _, c := range t.Claims {
		if c.Source != ByCaller && c.Source != ByImages {
			written = append(written, c)
		}
	}
	return written
}

// Target returns the target of pods with their RuntimeClass, which is nil if it is not known. It includes
// guesses.
func (c *Context) Target(p *Pods, class *Class) Target {
	t := c.target(p, class, c.images(p), true)
	t.Volumes = p.unknownVolumes()
	return t
}

// Certain returns the target without guesses and without assumptions.
func (c *Context) Certain(p *Pods, guess *Target) Target {
	t := c.target(p, guess.Class, guess.Images, false)
	t.Volumes = guess.Volumes.Certain()
	return t
}

// target collects the claims.
func (c *Context) target(p *Pods, named *Class, images []platform.Image, guess bool) Target {
	if named == nil {
		named = c.existing[p.ClassName()]
	}
	t := Target{Claims: make([]Claim, 0, 4), Images: images, Class: named, Matching: c.Matching}
	if c.OS != "" {
		t.Claims = append(t.Claims, Claim{OS: c.OS, Release: releaseOf(c.Platform), Source: ByCaller})
	}
	if name, ok := tree.Text(tree.Map(p.Spec["os"])["name"]); ok {
		if t.Declared = osOf(name); t.Declared != "" {
			t.Claims = append(t.Claims, Claim{OS: t.Declared, Source: ByOSName})
		}
	}
	t.Claims = c.selectorClaims(t.Claims, tree.Map(p.Spec["nodeSelector"]), BySelector)
	if os := p.requiredOS(); os != "" {
		t.Claims = append(t.Claims, Claim{OS: os, Source: ByAffinity})
	}
	if named != nil {
		t.Claims = c.selectorClaims(t.Claims, named.Selector, ByClass)
	} else if release := platform.Platform(p.ClassName()); release.IsWindows() {
		if known := c.KnowsClass(release); known || guess {
			t.ByName, t.Guessed = true, !known
			t.Claims = append(t.Claims, Claim{OS: platform.WindowsOS, Release: release, Source: ByClass})
		}
	}
	if named == nil && p.ClassName() == platform.Linux.String() && c.Platform.IsWindows() {
		// A caller that passes a platform does not use this name for a class for Windows.
		t.Claims = append(t.Claims, Claim{OS: platform.LinuxOS, Source: ByClass})
	}
	if p.HostProcess() {
		t.Claims = append(t.Claims, Claim{OS: platform.WindowsOS, Source: ByHostProcess})
	}
	if t.guessesImages() {
		t.Guessed = true
		if !guess {
			t.Images = t.CertainImages()
		}
	}
	if len(t.Claims) == 0 {
		if os := imagesOS(t.Images); os != "" {
			t.Claims = append(t.Claims, Claim{OS: os, Source: ByImages})
		}
	}
	return t
}

func (t *Target) guessesImages() bool {
	return slices.ContainsFunc(t.Images, ByTag) && !slices.Equal(t.CertainImages(), t.Images)
}

// CertainImages returns the images without what only a word of a tag indicates, unless another
// claim or another image agrees with it.
func (t *Target) CertainImages() []platform.Image {
	if !slices.ContainsFunc(t.Images, ByTag) {
		return t.Images
	}
	if len(t.Claims) > 0 && t.Claims[0].Source != ByImages {
		return certain(t.Images, t.OS())
	}
	return certain(t.Images, imagesOS(certain(t.Images, "")))
}

// poolLabels are labels that clouds set on the nodes of a pool, with its name.
var poolLabels = placement.PoolLabels()

// azureSKULabels are labels that AKS sets on its nodes, with the operating system of their image.
var azureSKULabels = placement.SKULabels()

// azureSKU returns what nodes with a value of these labels run: the OSSKU of
// Microsoft.ContainerService/managedClusters/agentPools. False means that it is not known.
func azureSKU(name string) (Claim, bool) {
	sku, known := facts.SKUNamed(name)
	switch {
	case !known || sku.Windows && sku.Platform == "":
		return Claim{}, false
	case sku.Windows:
		return Claim{OS: platform.WindowsOS, Release: platform.Platform(sku.Platform)}, true
	default:
		return Claim{OS: platform.LinuxOS}, true
	}
}

// selectorClaims adds the claims of a node selector. The build comes after the labels of the
// operating system, which are less specific but better known. Then come the labels of AKS, and
// the names of pools come last.
func (c *Context) selectorClaims(claims []Claim, selector map[string]any, source Source) []Claim {
	if len(selector) == 0 {
		return claims
	}
	for _, label := range OSLabels {
		if name, ok := tree.Text(selector[label]); ok {
			if os := osOf(name); os != "" {
				claims = append(claims, Claim{OS: os, Source: source, Label: label})
			}
		}
	}
	if text, ok := tree.Text(selector[topology.LabelWindowsBuild]); ok {
		if build, ok := ExactBuild(text); ok {
			claims = append(claims,
				Claim{OS: platform.WindowsOS, Release: build, Source: source, Label: topology.LabelWindowsBuild})
		}
	}
	for _, label := range azureSKULabels {
		name, ok := tree.Text(selector[label])
		if !ok {
			continue
		}
		if claim, ok := azureSKU(name); ok {
			claim.Source, claim.Label = source, label
			claims = append(claims, claim)
		}
	}
	for _, label := range poolLabels {
		name, ok := tree.Text(selector[label])
		if !ok {
			continue
		}
		if i := slices.IndexFunc(c.Topology.Pools, func(p topology.Pool) bool { return p.Name == name }); i >= 0 {
			pool := c.Topology.Pools[i].Platform
			claims = append(claims, Claim{OS: pool.OS(), Release: releaseOf(pool), Source: source, Label: label})
		}
	}
	return claims
}

// ExactBuild returns the release of a build without a revision, like in the label.
func ExactBuild(text string) (platform.Platform, bool) {
	p, ok := platform.ByBuild(text)
	return p, ok && p.Build() == text
}

func releaseOf(p platform.Platform) platform.Platform {
	if p.IsWindows() {
		return p
	}
	return ""
}

// ReleaseMatters reports whether the images and the node must have the same Windows release:
// Yes for containers with process isolation, which share the kernel of their node, and No
// for host-process containers
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/). It is
// Unknown if a value is not known yet, or if a RuntimeClass may enable Hyper-V isolation.
func (t *Target) ReleaseMatters(p *Pods) platform.Answer {
	switch {
	case p.HostProcess():
		return platform.No
	case p.HostProcessUnknown():
		return platform.Unknown
	case t.Class != nil && t.Class.Handler == HandlerProcess:
		return platform.Yes
	case t.Class != nil:
		return platform.Unknown
	}
	name, known := tree.Text(p.Spec["runtimeClassName"])
	if !IsSet(p.Spec, "runtimeClassName") || known && (name == "" || t.ByName) {
		return platform.Yes
	}
	return platform.Unknown
}
