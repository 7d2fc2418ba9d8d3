package images

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var fitRules = []engine.Rule{imageOfAnotherOS, imagesOfDifferentNodes, imageOfAnotherRelease, imageOfOlderRelease}

var imageOfAnotherOS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK202", Severity: rule.Error, Title: "an image of the other operating system", Page: rulepages.Images,
		Reason: "Linux images do not run on Windows nodes, nor Windows images on Linux nodes. If a word of the tag " +
			"is the only evidence for what the image is for, this is a warning: Windows images are also published " +
			"with the tags of their Linux originals, such as 1.14-alpine.",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{engine.On(wrongImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, wrong := range p.WrongImages() {
			if wrong.Mismatch == subject.OtherOS {
				found = append(found, otherOS(p, wrong.Container))
			}
		}
		return found
	})},
}

func otherOS(p *subject.Pods, container int) rule.Problem {
	image, os := p.Target.Images[container], p.OS()
	fix := "use " + imageOf(os)
	if release, ok := p.Target.Release(); ok {
		fix += " for " + release.Release.String()
	}
	if image.ByTag {
		fix += ", unless this is one"
	}
	found := problem(p, container, "is "+known(image)+", but "+p.Target.Claims[0].Text(p.Pods)+" makes these "+
		os.DisplayName()+" pods")
	found.Fix = fix
	return found
}

var imagesOfDifferentNodes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK203", Severity: rule.Error, Title: "images that cannot run on the same node", Page: rulepages.Images,
		Reason: "All containers of a pod run on the same node. A node has one operating system, and a Windows node " +
			"one release.",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{engine.On(wrongImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, wrong := range p.WrongImages() {
			switch {
			case wrong.Mismatch == subject.OtherOSThan:
				found = append(found, otherOSThan(p, wrong))
			case wrong.Mismatch == subject.OtherReleaseThan && !wrong.OnSome:
				found = append(found, otherReleaseThan(p, wrong))
			}
		}
		return found
	})},
}

const onOneNode = ", and all containers of a pod run on one node"

func otherOSThan(p *subject.Pods, wrong subject.WrongImage) rule.Problem {
	found := problem(p, wrong.Container, "is "+known(p.Target.Images[wrong.Container])+", but "+
		p.In(&p.Containers[wrong.Than], "image")+" is "+known(p.Target.Images[wrong.Than])+onOneNode)
	found.Fix = "use images for one operating system"
	return found
}

func otherReleaseThan(p *subject.Pods, wrong subject.WrongImage) rule.Problem {
	found := problem(p, wrong.Container, "is an image for "+releasesOf(p.Target.Images[wrong.Container])+", but "+
		p.In(&p.Containers[wrong.Than], "image")+" is one for "+releasesOf(p.Target.Images[wrong.Than])+onOneNode)
	found.Fix = "use images for one Windows release"
	return found
}

var imageOfAnotherRelease = engine.Rule{
	Rule: rule.Rule{
		ID: "MK201", Severity: rule.Error, Title: "an image of another Windows release", Page: rulepages.Images,
		Reason: "Windows containers share the kernel of their host, so the release of the image must be the host's. " +
			"If it is not, the image is not even pulled: containerd reports no match for platform in manifest. " +
			"Host-process containers and Hyper-V isolation are exceptions. A RuntimeClass that is named like a " +
			"platform of the topology, or like the platform in the options, counts as the one that " +
			"components/runtimeclass creates. If the cluster has a different RuntimeClass with this name, ignore " +
			"the rule.",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{engine.On(wrongImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, wrong := range p.WrongImages() {
			if wrong.Mismatch == subject.OtherRelease && !wrong.OnSome {
				needs := subject.Needs(p.Target.Images[wrong.Container])
				found = append(found, otherRelease(p, wrong.Container, needs+", but "+target(p)))
			}
		}
		return found
	})},
}

// otherRelease returns the problem with an image that does not run on the release of the pods.
func otherRelease(p *subject.Pods, container int, detail string) rule.Problem {
	found := problem(p, container, detail)
	release, _ := p.Target.Release()
	found.Fix = subject.ImageFix(shown(p, container), release.Release)
	return found
}

// target says which release the pods are for.
func target(p *subject.Pods) string {
	release, _ := p.Target.Release()
	return "the " + p.KindName() + " targets " + release.Release.String()
}

var imageOfOlderRelease = engine.Rule{
	Rule: rule.Rule{
		ID: "MK210", Severity: rule.Warning, Page: rulepages.Images,
		Title: "an image of an older Windows release, which only some nodes run",
		Reason: "Kubernetes requires the release of the host. Windows itself lets a Windows Server 2025 host run the " +
			"images of Windows Server 2022, and only some nodes allow it. If a topology or a platform is set, this " +
			"is an error, or not reported if `matching: relaxed` of the topology or of the options states that the " +
			"nodes allow it.",
		Source: sources.VersionCompatibility + "; " +
			"https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/version-compatibility",
	},
	Checks: []engine.Check{engine.On(wrongImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, wrong := range p.WrongImages() {
			switch {
			case !wrong.OnSome:
			case wrong.Mismatch == subject.OtherRelease:
				found = append(found, otherRelease(p, wrong.Container, isFor(p.Target.Images[wrong.Container])+", and "+
					target(p)+", which does not run it everywhere"))
			case wrong.Mismatch == subject.OtherReleaseThan:
				older := otherReleaseThan(p, wrong)
				older.Detail += ", which only some nodes of the newer release allow"
				found = append(found, older)
			}
		}
		return found
	})},
}
