package images

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var outdatedRules = []engine.Rule{imageNoLongerPublished, Windows2019Outdated, imageOfRetiredRelease}

var imageNoLongerPublished = engine.Rule{
	Rule: rule.Rule{
		ID: "MK212", Severity: rule.Warning, Title: "an image that is no longer published for Windows",
		Page: rulepages.Images,
		Reason: "Microsoft moved its images from Docker Hub to its own registry, mcr.microsoft.com, and some Docker " +
			"official images dropped their Windows variants. The old images cannot be pulled, or are years old.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/" +
			"container-base-images; https://github.com/redis/docker-library-redis/pull/99",
	},
	Checks: []engine.Check{engine.On(otherThanLinux, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			successor, retired := retired(p, i)
			if !retired {
				continue
			}
			wrong := problem(p, i, "is no longer published for Windows")
			wrong.Fix = "run it on Linux nodes, or build an image on mcr.microsoft.com/windows/nanoserver"
			if successor != "" {
				wrong.Fix = "use " + successor + " or the tag of another release"
			}
			found = append(found, wrong)
		}
		return found
	})},
}

// retired reports whether the image of a container is no longer published for Windows, and returns its successor.
func retired(p *subject.Pods, container int) (successor string, retired bool) {
	if p.OS() == platform.LinuxOS {
		return "", false
	}
	name := p.ImageName(container)
	return name.Successor, name.Retired
}

// Windows2019Outdated is MK211. It looks at the builds that RuntimeClasses select, and not at those that pods select:
// the images of the pods tell.
var Windows2019Outdated = engine.Rule{
	Rule: rule.Rule{
		ID: "MK211", Severity: rule.Info, Title: "Windows Server 2019 on Kubernetes 1.36", Since: "1.36",
		Page: rulepages.Images,
		Reason: "Kubernetes 1.36 lists Windows Server 2022 and 2025 for nodes, and no longer 2019, whose images do " +
			"not run on the newer releases. Nodes with Windows Server 2019 still join and their pods still start: " +
			"plan to replace them. The rule checks images and RuntimeClasses if the version is known and no topology " +
			"is set: a topology lists such nodes explicitly.",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{
		engine.On(without2019, imagesOf2019),
		engine.On(subject.RuntimeClasses, classOf2019),
	},
}

func imagesOf2019(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	for i, image := range p.Target.Images {
		if image.Release != platform.WindowsServer2019 || p.HostProcess() {
			continue
		}
		if _, retired := retired(p, i); retired {
			continue
		}
		of2019 := problem(p, i, "is for Windows Server 2019, which Kubernetes 1.36 no longer names for nodes")
		of2019.Fix = subject.ImageFix(shown(p, i), platform.WindowsServer2022)
		found = append(found, of2019)
	}
	return found
}

func classOf2019(o *subject.Object) []rule.Problem {
	v := o.Class().Selector[topology.LabelWindowsBuild]
	text, _ := tree.Text(v)
	if release, _ := pods.ExactBuild(text); release != platform.WindowsServer2019 || o.Cluster.Lists2019() {
		return nil
	}
	return []rule.Problem{{
		Path: "scheduling.nodeSelector" + pods.Join(pods.Key(topology.LabelWindowsBuild)), Value: v,
		Detail: "is the build of Windows Server 2019, which Kubernetes 1.36 no longer names for nodes",
		Fix:    "add another class for 10.0.20348, Windows Server 2022",
	}}
}

var imageOfRetiredRelease = engine.Rule{
	Rule: rule.Rule{
		ID: "MK223", Severity: rule.Warning, Title: "an image of a Windows release that no supported node has",
		Page: rulepages.Images,
		Reason: "Windows containers share the kernel of their host, and the supported Kubernetes versions do not " +
			"list these releases for nodes: Windows Server 2016 and the releases of the semi-annual channel, 1709 to " +
			"20H2. The rule applies if there is no topology and no claim states the release of the nodes; otherwise " +
			"MK305 and MK201 apply. Host-process containers run on any release.",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{engine.On(windowsOnAnyNode, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, image := range p.Target.Images {
			if image.Release == "" || image.HostProcess || slices.Contains(topology.PoolPlatforms(), image.Release) {
				continue
			}
			if _, retired := retired(p, i); retired {
				continue
			}
			old := problem(p, i, "is for "+subject.ProductName(image.Release)+
				", which Kubernetes no longer supports as a node")
			old.Fix = subject.ImageFix(shown(p, i), platform.WindowsServer2022)
			found = append(found, old)
		}
		return found
	})},
}
