package images

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	landing "github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var baselineRules = []engine.Rule{updateOnOneSide}

var updateOnOneSide = engine.Rule{
	Rule: rule.Rule{
		ID: "MK222", Severity: rule.Warning, Page: rulepages.Registries,
		Title: "an image and nodes that differ in the security update of February 2020",
		Reason: "The update changed the interface between the kernel and the programs of Windows Server 2019, and a " +
			"container with process isolation has its own programs and the node's kernel. If only one of the two has " +
			"the update, containers do not work: 32-bit programs end without a message. According to " +
			"Microsoft, all other revisions of a build are compatible; for exceptions see MK227. The rule checks " +
			"images in the lock file against pools whose reported.osVersion is known.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/update-containers" +
			"#host-and-container-version-compatibility; " +
			"https://support.microsoft.com/help/4542617/" +
			"you-might-encounter-issues-when-using-windows-server-containers-with-t",
	},
	Silences: landing.Nowhere,
	Checks:   []engine.Check{engine.On(lockedLandingImages, onOtherBaseline)},
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

// onOtherBaseline finds images from before the update on nodes from after it, and the reverse.
func onOtherBaseline(p *subject.Pods) []rule.Problem {
	if p.ReleaseMatters() != platform.Yes {
		return nil
	}
	var found []rule.Problem
	for i, image := range p.Target.Images {
		version, updated := baselineOf(image)
		if updated == platform.Unknown {
			continue
		}
		var host string
		names := p.LandsOn(func(v *placement.Verdict) bool {
			has := hasUpdate(v.Pool.Reported.OSVersion)
			if has == platform.Unknown || has == updated {
				return false
			}
			host = v.Pool.Reported.OSVersion
			return true
		})
		if len(names) == 0 {
			continue
		}
		lands := "the " + p.KindName() + " can land on " + subject.ListPools(names) + ", whose nodes have " + host
		differs := problem(p, i, "has Windows "+version+", and "+lands+", from before the update of February 2020")
		differs.Fix = "update the nodes"
		if updated == platform.No {
			differs.Detail = "has Windows " + version + ", from before the update of February 2020, and " + lands
			differs.Fix = "build it on a base image of February 2020 or later"
		}
		found = append(found, differs)
	}
	return found
}

// baselineOf returns the version of Windows Server 2019 in an image, and whether it contains the update. If the image
// has several variants, all of them must agree, because it does not matter which one a node uses.
func baselineOf(image platform.Image) (version string, updated platform.Answer) {
	variants := slices.DeleteFunc(image.Facts.For(platform.WindowsOS), func(v platform.Variant) bool {
		release, known := platform.ByBuild(v.OSVersion)
		return known && release != platform.WindowsServer2019
	})
	if len(variants) == 0 {
		return "", platform.Unknown
	}
	updated = hasUpdate(variants[0].OSVersion)
	if slices.ContainsFunc(variants, func(v platform.Variant) bool { return hasUpdate(v.OSVersion) != updated }) {
		return "", platform.Unknown
	}
	return variants[0].OSVersion, updated
}
