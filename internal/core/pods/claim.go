package pods

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Claim is one place that states what pods are for.
type Claim struct {
	OS      platform.OS
	Release platform.Platform // "" if the place does not state the release
	Source  Source
	// Label is the label of a node selector, or the path of an annotation.
	Label string
}

// Source is a kind of place that makes a claim. The strongest source comes first.
type Source int

// The sources.
const (
	// ByCaller is the claim of the caller: the argument Platform, or an answer.
	ByCaller Source = iota
	// ByOSName is spec.os.name. The API server uses only this field.
	ByOSName
	// BySelector is the node selector.
	BySelector
	// ByAffinity is the required node affinity.
	ByAffinity
	// ByPools are the pools of the topology that match node selector and affinity.
	ByPools
	// ByClass is the RuntimeClass.
	ByClass
	// ByHostProcess are host-process containers, which only Windows has.
	ByHostProcess
	// ByAnnotation is [PlatformAnnotation].
	ByAnnotation
	// ByImages are the images.
	ByImages
	// ByMark is [PlacedAnnotation], which tells the release for which mixedkube has placed the pods.
	ByMark
)

// Contradicts reports whether two claims cannot be true together. With [platform.Relaxed], nodes of one release do not
// contradict images of another one that they run.
func (c Claim) Contradicts(other Claim, matching platform.Matching) bool {
	switch {
	case c.OS != other.OS:
		return true
	case c.Release == "" || other.Release == "" || c.Release == other.Release:
		return false
	case c.ofNodes() && !other.ofNodes():
		return !runs(c.Release, other.Release, matching)
	case other.ofNodes() && !c.ofNodes():
		return !runs(other.Release, c.Release, matching)
	default:
		return true
	}
}

// ofNodes reports whether the claim is the release of nodes, and not that of images.
func (c Claim) ofNodes() bool {
	return c.Source == BySelector || c.Source == ByAffinity || c.Source == ByPools ||
		c.Source == ByClass && c.Label != ""
}

func runs(host, image platform.Platform, matching platform.Matching) bool {
	return platform.CanRun(host, platform.Image{OS: image.OS(), Release: image}, matching) == platform.Yes
}

// Path returns the path of the claim, "" for a claim that is not at one path.
func (c Claim) Path(p *Pods) string {
	switch c.Source {
	case ByOSName:
		return p.Path("os", "name")
	case BySelector:
		return p.Path("nodeSelector", Key(c.Label))
	case ByAffinity:
		return p.Path("affinity", "nodeAffinity")
	case ByClass:
		return p.Path("runtimeClassName")
	case ByHostProcess:
		if IsSet(p.Windows, "hostProcess") {
			return p.Path("securityContext", "windowsOptions", "hostProcess")
		}
		for i := range p.Containers {
			if ctr := &p.Containers[i]; IsSet(ctr.Windows, "hostProcess") {
				return p.In(ctr, "securityContext", "windowsOptions", "hostProcess")
			}
		}
	case ByAnnotation:
		return c.Label
	case ByCaller, ByPools, ByImages, ByMark:
	}
	return ""
}

// Value returns the value at the path of the claim.
func (c Claim) Value(p *Pods) any {
	switch c.Source {
	case ByOSName:
		return tree.Map(p.Spec["os"])["name"]
	case BySelector:
		return tree.Map(p.Spec["nodeSelector"])[c.Label]
	case ByClass:
		return p.Spec["runtimeClassName"]
	case ByCaller, ByAffinity, ByPools, ByHostProcess, ByAnnotation, ByImages, ByMark:
	}
	return nil
}

// Text describes the claim for people. A secret is only a mark.
func (c Claim) Text(p *Pods) string {
	switch c.Source {
	case ByCaller:
		if c.Release != "" {
			return "the platform " + c.Release.String()
		}
		return "the platform " + string(c.OS)
	case ByOSName:
		return "os.name " + string(c.OS)
	case BySelector:
		return "the node selector " + c.Label + "=" + fmt.Sprint(tree.Map(p.Spec["nodeSelector"])[c.Label])
	case ByAffinity:
		return "the node affinity"
	case ByPools:
		return "the pools that the pods select"
	case ByClass:
		return "the RuntimeClass " + fmt.Sprint(p.Spec["runtimeClassName"])
	case ByHostProcess:
		return "host process"
	case ByAnnotation:
		return "the annotation " + PlatformAnnotation
	case ByImages:
		return "the images"
	case ByMark:
		return "the annotation " + PlacedAnnotation
	}
	return ""
}

// String names the source for people, in messages about where an operating system is known from.
func (s Source) String() string {
	switch s {
	case ByCaller:
		return "the caller"
	case ByOSName:
		return "os.name"
	case BySelector, ByAffinity, ByPools:
		return "the nodes that the pods select"
	case ByClass:
		return "the RuntimeClass"
	case ByHostProcess:
		return "host process"
	case ByAnnotation:
		return "the annotation"
	case ByImages:
		return "the images"
	case ByMark:
		return "the mark"
	default:
		return fmt.Sprintf("Source(%d)", int(s))
	}
}
