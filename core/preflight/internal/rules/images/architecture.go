package images

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	landing "github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var architectureRules = []engine.Rule{imageOfAnotherArchitecture, manifestOfAnotherArchitecture}

var imageOfAnotherArchitecture = engine.Rule{
	Rule: rule.Rule{
		ID: "MK213", Severity: rule.Error, Page: rulepages.Registries,
		Title: "an image without the architecture of a pool where its pods can land",
		Reason: "The registry's index has no manifest for the nodes' operating system and architecture: the image is " +
			"not pulled there. The rule checks images in the lock file, and pools whose architecture is known from " +
			"their size or their nodes. An amd64 node also accepts 386, and an arm64 node arm.",
		Source: "https://github.com/containerd/platforms/blob/v1.0.0-rc.5/compare.go, platformVector; " +
			sources.NodeLabels,
	},
	Silences: landing.Nowhere,
	Checks: []engine.Check{
		engine.On(lockedLandingImages, func(p *subject.Pods) []rule.Problem {
			return onOtherArchitecture(p, platform.No)
		}),
		engine.On(lockedLinuxImages, onSelectedArchitecture),
	},
}

var manifestOfAnotherArchitecture = engine.Rule{
	Rule: rule.Rule{
		ID: "MK214", Severity: rule.Warning, Page: rulepages.Registries,
		Title: "an image for one architecture on nodes with another one",
		Reason: "The tag or digest resolves to one manifest and not to an index, so containerd pulls it on every " +
			"node, but its programs do not start (exec format error). This is a warning because such an image's " +
			"configuration may name the machine that it was built on, and because nodes can emulate other processors.",
		Source: "https://github.com/containerd/containerd/blob/v1.7.29/images/image.go, Manifest",
	},
	Silences: landing.Nowhere,
	Checks: []engine.Check{
		engine.On(lockedLandingImages, func(p *subject.Pods) []rule.Problem {
			return onOtherArchitecture(p, platform.Unknown)
		}),
	},
}

// onOtherArchitecture finds images that have a variant for the operating system of pools where the pods land, but none
// for their architecture. Whether such a node runs the image is No for an index, and Unknown for one manifest.
func onOtherArchitecture(p *subject.Pods, runs platform.Answer) []rule.Problem {
	var found []rule.Problem
	for i, image := range p.Target.Images {
		if image.Facts == nil {
			continue
		}
		names, lacks := otherArchitecture(p, image, runs)
		if len(names) == 0 {
			continue
		}
		wrong := problem(p, i, "has "+image.Facts.String()+", but the "+p.KindName()+" can land on the "+lacks+
			" nodes of "+subject.ListPools(names))
		wrong.Fix = architectureFix(p, i, lacks)
		found = append(found, wrong)
	}
	return found
}

// otherArchitecture returns the pools where the pods land whose operating system the image has, and whose architecture
// runs it with an answer, and the architecture of the last one.
func otherArchitecture(p *subject.Pods, image platform.Image, runs platform.Answer) (names []string, lacks string) {
	names = p.LandsOn(func(v *placement.Verdict) bool {
		architecture, known := v.Architecture()
		host := v.Pool.Platform
		matching := p.Cluster.MatchingOf(host)
		if !known || platform.CanRun(host, image, matching) != platform.Yes ||
			platform.CanRunOn(host, architecture, image, matching) != runs {
			return false
		}
		lacks = architecture
		return true
	})
	return names, lacks
}

func architectureFix(p *subject.Pods, container int, lacks string) string {
	image := p.Target.Images[container]
	fix := "use an image for " + lacks
	if subject.PinsOnePlatform(&p.Containers[container], image) {
		fix = subject.PinIndex
	}
	// An image for Windows is wrong on Linux nodes anyway.
	if linux := image.Facts.For(platform.LinuxOS); len(linux) > 0 && linux[0].Architecture != "" {
		fix += ", or select " + corev1.LabelArchStable + "=" + linux[0].Architecture
	}
	return fix
}

// onSelectedArchitecture is onOtherArchitecture without a topology: the pods themselves select the architecture of
// their Linux nodes.
func onSelectedArchitecture(p *subject.Pods) []rule.Problem {
	selected, _ := tree.Map(p.Spec["nodeSelector"])[corev1.LabelArchStable].(string) // a secret value is not shown
	if p.Cluster.Nodes != nil || selected == "" {
		return nil
	}
	var found []rule.Problem
	for i, image := range p.Target.Images {
		if image.Facts == nil || platform.CanRun(platform.Linux, image, platform.Strict) != platform.Yes ||
			platform.CanRunOn(platform.Linux, selected, image, platform.Strict) != platform.No {
			continue
		}
		wrong := problem(p, i, "has "+image.Facts.String()+", but the "+p.KindName()+" selects "+selected+" nodes")
		wrong.Fix = architectureFix(p, i, selected)
		found = append(found, wrong)
	}
	return found
}
