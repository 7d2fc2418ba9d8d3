package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

var updateOnOneSide = rule.Rule{
	ID: "MK222", Severity: rule.Warning,
	Title: "an image and nodes that differ in the security update of February 2020",
	Reason: "The update changed the interface between the kernel and the programs of Windows Server 2019, and a " +
		"container with process isolation has its own programs and the node's kernel. If only one of the two has the " +
		"update, containers do not work: 32-bit programs end without a message. All other revisions of a build are " +
		"compatible. The rule checks images in the lock file against pools whose reported.osVersion is known.",
	Source: "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/update-containers" +
		"#host-and-container-version-compatibility; " +
		"https://support.microsoft.com/help/4542617/you-might-encounter-issues-when-using-windows-server-containers-with-t",
}

// updated2019 is the revision of the update for Windows Server 2019, KB4532691; images of the same month have 1040. It
// is the only release older than the update that nodes still run
// (https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/update-containers).
const updated2019 = 1039

// hasUpdate reports whether a version of Windows, such as 10.0.17763.973, contains the update.
func hasUpdate(version string) platform.Answer {
	revision, known := platform.WindowsServer2019.Revision(version)
	switch {
	case !known:
		return platform.Unknown
	case revision < updated2019:
		return platform.No
	default:
		return platform.Yes
	}
}

// onOtherBaseline reports images from before the update on nodes from after it, and the reverse. If an image has
// several variants, all of them must differ from the nodes, because it does not matter which one a node uses.
func (c *check) onOtherBaseline(p *judged, answer placement.Placement) {
	if p.releaseMatters() != platform.Yes {
		return
	}
	for i, image := range p.target.Images {
		variants := slices.DeleteFunc(image.Facts.For(platform.WindowsOS), func(v platform.Variant) bool {
			release, known := platform.ByBuild(v.OSVersion)
			return known && release != platform.WindowsServer2019
		})
		if len(variants) == 0 {
			continue
		}
		updated := hasUpdate(variants[0].OSVersion)
		if updated == platform.Unknown || slices.ContainsFunc(variants, func(v platform.Variant) bool {
			return hasUpdate(v.OSVersion) != updated
		}) {
			continue
		}
		var host string
		names := landsOn(answer, func(v *placement.Verdict) bool {
			version := v.Pool.Reported.OSVersion
			has := hasUpdate(version)
			if has == platform.Unknown || has == updated {
				return false
			}
			host = version
			return true
		})
		if len(names) == 0 {
			continue
		}
		ctr := &p.Containers[i]
		found := rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "has Windows " + variants[0].OSVersion + ", and the " + p.KindName() + " can land on " +
				pools(names) + ", whose nodes have " + host + ", from before the update of February 2020",
			Fix: "update the nodes",
		}
		if updated == platform.No {
			found.Detail = "has Windows " + variants[0].OSVersion + ", from before the update of February 2020, and " +
				"the " + p.KindName() + " can land on " + pools(names) + ", whose nodes have " + host
			found.Fix = "build it on a base image of February 2020 or later"
		}
		c.report(updateOnOneSide, found)
	}
}
