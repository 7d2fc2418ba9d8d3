package images

import (
	"strconv"

	"github.com/mixedkube/mixedkube/core/platform"
	landing "github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var newerRules = []engine.Rule{newerThanNodes}

var newerThanNodes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK227", Severity: rule.Warning, Title: "an image that is newer than an update that its nodes lack",
		Page: rulepages.Registries,
		Reason: "According to Microsoft, the revisions of image and node need not match. Two updates of 2025 were " +
			"exceptions: images with a greater revision ended on nodes from before the update (0xc0370106, the " +
			"virtual machine or container exited unexpectedly). Known are Windows Server 2025 nodes before " +
			"26100.4061 (KB5058411), for example with an image of 26100.3194 on a node of 26100.2894, and images of " +
			"Windows Server 2019 from 17763.7249 on older nodes. The rule checks images in the lock file against " +
			"pools whose reported.osVersion is known.",
		Fix: "update the nodes, or use an image whose revision is not greater",
		Source: "https://github.com/microsoft/Windows-Containers/issues/591, " +
			"https://github.com/actions/runner-images/issues/11582; against them " +
			"https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/update-containers" +
			"#host-and-container-version-compatibility",
	},
	Silences: landing.Nowhere,
	Checks:   []engine.Check{engine.On(lockedLandingImages, newerImages)},
}

// Revisions that nodes need for newer images: see the sources of the rule.
const (
	runsNewer2025 = 4061
	needsNode2019 = 7249
)

// endsOn reports whether an image with a revision of a release was seen to end on a node with another one.
func endsOn(release platform.Platform, image, host int) bool {
	switch release {
	case platform.WindowsServer2025:
		return host < runsNewer2025 && image > host
	case platform.WindowsServer2019:
		return host < needsNode2019 && image >= needsNode2019
	default:
		return false
	}
}

func newerImages(p *subject.Pods) []rule.Problem {
	if p.ReleaseMatters() != platform.Yes {
		return nil
	}
	var found []rule.Problem
	for i, image := range p.Target.Images {
		var host string
		var revision int
		names := p.LandsOn(func(v *placement.Verdict) bool {
			version := v.Pool.Reported.OSVersion
			onHost, known := v.Pool.Platform.Revision(version)
			own, same := revisionOf(image, v.Pool.Platform)
			if !known || !same || !endsOn(v.Pool.Platform, own, onHost) {
				return false
			}
			host, revision = version, own
			return true
		})
		if len(names) == 0 {
			continue
		}
		found = append(found, problem(p, i, "has the revision "+strconv.Itoa(revision)+", and the "+p.KindName()+
			" can land on "+subject.ListPools(names)+", whose nodes have "+host))
	}
	return found
}

// revisionOf returns the revision of the only variant of an image for a release.
func revisionOf(image platform.Image, release platform.Platform) (revision int, only bool) {
	for _, v := range image.Facts.For(platform.WindowsOS) {
		own, same := release.Revision(v.OSVersion)
		switch {
		case !same:
		case only:
			return 0, false
		default:
			revision, only = own, true
		}
	}
	return revision, only
}
