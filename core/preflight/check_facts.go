package preflight

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	imageOfAnotherArchitecture = rule.Rule{
		ID: "MK213", Severity: rule.Error, Title: "an image without the architecture of a pool where its pods can land",
		Reason: "The registry's index has no manifest for the nodes' operating system and architecture: the image is " +
			"not pulled there. The rule checks images in the lock file, and pools whose architecture is known from " +
			"their size or their nodes. An amd64 node also accepts 386, and an arm64 node arm.",
		Source: "https://github.com/containerd/platforms/blob/v1.0.0-rc.5/compare.go, platformVector; " + nodeLabels,
	}
	manifestOfAnotherArchitecture = rule.Rule{
		ID: "MK214", Severity: rule.Warning, Title: "an image for one architecture on nodes with another one",
		Reason: "The tag or digest resolves to one manifest and not to an index, so containerd pulls it on every " +
			"node, but its programs do not start (exec format error). This is a warning because such an image's " +
			"configuration may name the machine that it was built on, and because nodes can emulate other processors.",
		Source: "https://github.com/containerd/containerd/blob/v1.7.29/images/image.go, Manifest",
	}
	hostProcessIndex = rule.Rule{
		ID: "MK219", Severity: rule.Warning, Title: "a host-process image whose index names other Windows releases",
		Reason: "Host-process containers run on any Windows release. But if the entries of the index name a release, " +
			"containerd chooses only an entry that fits the node: on other nodes the image is not pulled. An image " +
			"with a single manifest, or an entry without os.version, is pulled everywhere.",
		Source: "https://github.com/containerd/containerd/issues/7431",
	}
)

const pinIndex = "pin the digest of the index that has all platforms"

// pinsOnePlatform reports whether the image reference of a container has the digest of a manifest.
func pinsOnePlatform(ctr *pods.Container, image platform.Image) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	return image.Facts != nil && !image.Facts.Indexed() && strings.Contains(ref, "@")
}

// onOtherArchitecture reports images that have a variant for the operating system of pools where the pods land, but
// none for their architecture.
func (c *check) onOtherArchitecture(p *judged, answer placement.Placement) {
	for i, image := range p.target.Images {
		if image.Facts == nil {
			continue
		}
		var lacks string
		where := func(runs platform.Answer) []string {
			return landsOn(answer, func(v *placement.Verdict) bool {
				architecture, known := v.Architecture()
				host := v.Pool.Platform
				if !known || platform.CanRun(host, image, c.matching(host)) != platform.Yes ||
					platform.CanRunOn(host, architecture, image, c.matching(host)) != runs {
					return false
				}
				lacks = architecture
				return true
			})
		}
		broken, names := imageOfAnotherArchitecture, where(platform.No)
		if len(names) == 0 {
			broken, names = manifestOfAnotherArchitecture, where(platform.Unknown)
		}
		if len(names) == 0 {
			continue
		}
		ctr := &p.Containers[i]
		c.report(broken, rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "has " + image.Facts.String() + ", but the " + p.KindName() + " can land on the " +
				lacks + " nodes of " + pools(names),
			Fix: architectureFix(ctr, image, lacks),
		})
	}
}

func architectureFix(ctr *pods.Container, image platform.Image, lacks string) string {
	fix := "use an image for " + lacks
	if pinsOnePlatform(ctr, image) {
		fix = pinIndex
	}
	// An image for Windows is wrong on Linux nodes anyway.
	if linux := image.Facts.For(platform.LinuxOS); len(linux) > 0 && linux[0].Architecture != "" {
		fix += ", or select " + corev1.LabelArchStable + "=" + linux[0].Architecture
	}
	return fix
}

// onSelectedArchitecture is onOtherArchitecture without a topology: the pods themselves select the architecture of
// their Linux nodes.
func (c *check) onSelectedArchitecture(p *judged) {
	selected, _ := tree.Map(p.Spec["nodeSelector"])[corev1.LabelArchStable].(string) // a secret value is not shown
	if c.context.Nodes != nil || selected == "" || p.target.OS() != platform.LinuxOS {
		return
	}
	for i, image := range p.target.Images {
		if image.Facts == nil || platform.CanRun(platform.Linux, image, platform.Strict) != platform.Yes ||
			platform.CanRunOn(platform.Linux, selected, image, platform.Strict) != platform.No {
			continue
		}
		ctr := &p.Containers[i]
		c.report(imageOfAnotherArchitecture, rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "has " + image.Facts.String() + ", but the " + p.KindName() + " selects " + selected +
				" nodes", Fix: architectureFix(ctr, image, selected),
		})
	}
}

// onOtherIndex reports host-process images that containerd does not choose on nodes where the pods land.
func (c *check) onOtherIndex(p *judged, answer placement.Placement) {
	if p.releaseMatters() != platform.No {
		return
	}
	for i, image := range p.target.Images {
		if !image.TellsRelease() || !image.Facts.Indexed() {
			continue
		}
		names := landsOn(answer, func(v *placement.Verdict) bool { return c.refuses(v, image) })
		if len(names) == 0 {
			continue
		}
		ctr := &p.Containers[i]
		c.report(hostProcessIndex, rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "is an index that has " + image.Facts.String() + ", from which containerd chooses nothing on " +
				pools(names),
			Fix: "build it from the base image of host-process containers, whose manifest names no release, or " +
				"select " + labelBuild,
		})
	}
}
