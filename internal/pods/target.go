package pods

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Target is what pods are for, as far as the object and the caller say.
type Target struct {
	// Declared is spec.os.name if it is one of the two that exist.
	Declared platform.OS
	// Claims are all places that say what the pods are for, the strongest first. Images
	// are among them only if nothing else says it: they are what a target is compared with.
	Claims []Claim
	// Images is what is known of the image of each container, in the order of
	// [Pods.Containers].
	Images []platform.Image
	// Class is the RuntimeClass object that the pods name, nil if it is not known.
	Class *Class
	// ByName says that the name of the RuntimeClass counts: it is that of a platform,
	// whose class has process isolation.
	ByName bool
	// Guessed says that something here may be wrong: nobody said that the platform is
	// there whose name the RuntimeClass has, and a class of this name may be anything;
	// or an image is known by a word of its tag alone.
	Guessed bool
}

// OS is the operating system that the strongest claim names, "" if there is none.
func (t *Target) OS() platform.OS {
	if len(t.Claims) == 0 {
		return ""
	}
	return t.Claims[0].OS
}

// Release is the first claim that names a release.
func (t *Target) Release() (Claim, bool) {
	for _, c := range t.Claims {
		if c.Release != "" {
			return c, true
		}
	}
	return Claim{}, false
}

// LikelyRelease is the release that a claim names, or else an image.
func (t *Target) LikelyRelease() platform.Platform {
	claim, _ := t.Release()
	release := claim.Release
	for _, image := range t.Images {
		release = cmp.Or(release, image.Release)
	}
	return release
}

// Contradictions are the claims that cannot be true together with the strongest one. Host
// process is not counted: elsewhere than on Windows the option has no effect.
func (t *Target) Contradictions() []Claim {
	var wrong []Claim
	release, hasRelease := t.Release()
	for _, c := range t.Claims {
		if c.Source == ByHostProcess {
			continue
		}
		if c.OS != t.Claims[0].OS || hasRelease && c.Release != "" && c.Release != release.Release {
			wrong = append(wrong, c)
		}
	}
	return wrong
}

// Written are the claims that something in the object makes by naming an operating system:
// neither the caller's nor those of images.
func (t *Target) Written() []Claim {
	var written []Claim
	for _, c := range t.Claims {
		if c.Source != ByCaller && c.Source != ByImages {
			written = append(written, c)
		}
	}
	return written
}

// Target is what the object says together with its RuntimeClass, nil if that is not known.
// A guess is part of it.
func (c *Context) Target(p *Pods, class *Class) Target { return c.target(p, class, c.images(p), true) }

// Certain is the target without what was only guessed.
func (c *Context) Certain(p *Pods, guess *Target) Target {
	return c.target(p, guess.Class, guess.Images, false)
}

// target collects the claims.
func (c *Context) target(p *Pods, named *Class, images []platform.Image, guess bool) Target {
	t := Target{Claims: make([]Claim, 0, 4), Images: images, Class: named}
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
		// Who thinks in platforms does not call a class for Windows so.
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

// CertainImages are the images without what a word of a tag alone tells: something else
// that says what the pods are for may agree with it, or another image.
func (t *Target) CertainImages() []platform.Image {
	if !slices.ContainsFunc(t.Images, ByTag) {
		return t.Images
	}
	if len(t.Claims) > 0 && t.Claims[0].Source != ByImages {
		return certain(t.Images, t.OS())
	}
	return certain(t.Images, imagesOS(certain(t.Images, "")))
}

// poolLabels are labels that clouds give the nodes of a pool, with its name:
// https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels.
var poolLabels = [...]string{"agentpool", "kubernetes.azure.com/agentpool"}

// azureSKULabels are labels that AKS gives its nodes, with the operating system of their image:
// https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels.
var azureSKULabels = [...]string{
	"kubernetes.azure.com/os-sku", "kubernetes.azure.com/os-sku-effective", "kubernetes.azure.com/os-sku-requested",
}

// azureSKUs are the values of these labels, and what nodes with them run: the OSSKU of
// Microsoft.ContainerService/managedClusters/agentPools.
var azureSKUs = map[string]Claim{
	"Windows2019": {OS: platform.WindowsOS, Release: platform.WindowsServer2019},
	"Windows2022": {OS: platform.WindowsOS, Release: platform.WindowsServer2022},
	"Windows2025": {OS: platform.WindowsOS, Release: platform.WindowsServer2025},
	"Ubuntu":      {OS: platform.LinuxOS}, "Ubuntu2204": {OS: platform.LinuxOS}, "Ubuntu2404": {OS: platform.LinuxOS},
	"AzureLinux": {OS: platform.LinuxOS}, "AzureLinux3": {OS: platform.LinuxOS}, "CBLMariner": {OS: platform.LinuxOS},
	"Mariner": {OS: platform.LinuxOS}, "AzureContainerLinux": {OS: platform.LinuxOS},
}

// selectorClaims adds what a node selector says. The build comes after the labels of the
// operating system, which say less and are said to more people; the labels of AKS come then,
// and the names of pools last.
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
		name, _ := tree.Text(selector[label])
		if claim, ok := azureSKUs[name]; ok {
			claim.Source, claim.Label = source, label
			claims = append(claims, claim)
		}
	}
	for _, label := range poolLabels {
		name, ok := tree.Text(selector[label])
		i := slices.IndexFunc(c.Topology.Pools, func(p topology.Pool) bool { return p.Name == name })
		if ok && i >= 0 {
			pool := c.Topology.Pools[i].Platform
			claims = append(claims, Claim{OS: pool.OS(), Release: releaseOf(pool), Source: source, Label: label})
		}
	}
	return claims
}

// ExactBuild is the release of a build as the label has it: without a revision.
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

// ReleaseMatters reports whether the Windows release of the images must be that of the node:
// Yes for containers with process isolation, which share the kernel of their node, and No
// for host-process containers
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/). It is
// Unknown where a value is not known yet, and where a RuntimeClass may ask for Hyper-V
// isolation.
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
