package images

import (
	"github.com/mixedkube/mixedkube/core/platform"
	landing "github.com/mixedkube/mixedkube/core/preflight/internal/rules/placement"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var hostProcessRules = []engine.Rule{hostProcessBaseImageMisused, hostProcessIndex}

var hostProcessBaseImageMisused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK204", Severity: rule.Error, Page: rulepages.HostProcess,
		Title: "the base image of host-process containers in other containers",
		Reason: "The image contains no Windows files: only host-process containers, which use those of the host, can " +
			"start from it.",
		Fix:    "set windowsOptions.hostProcess and hostNetwork to true, or use another base image",
		Source: "https://github.com/microsoft/windows-host-process-containers-base-image",
	},
	Checks: []engine.Check{engine.On(hostProcessBaseImages, func(p *subject.Pods) []rule.Problem {
		if p.OS() == platform.LinuxOS || p.HostProcess() || p.HostProcessUnknown() {
			return nil
		}
		var found []rule.Problem
		for i, image := range p.Target.Images {
			if image.HostProcess {
				found = append(found, problem(p, i, "is for host-process containers only"))
			}
		}
		return found
	})},
}

var hostProcessIndex = engine.Rule{
	Rule: rule.Rule{
		ID: "MK219", Severity: rule.Warning, Page: rulepages.HostProcess,
		Title: "a host-process image whose index names other Windows releases",
		Reason: "Host-process containers run on any Windows release. But if the entries of the index name a release, " +
			"containerd chooses only an entry that fits the node: on other nodes the image is not pulled. An image " +
			"with a single manifest, or an entry without os.version, is pulled everywhere.",
		Fix: "build it from the base image of host-process containers, whose manifest names no release, or select " +
			topology.LabelWindowsBuild,
		Source: "https://github.com/containerd/containerd/issues/7431",
	},
	Silences: landing.Nowhere,
	Checks:   []engine.Check{engine.On(lockedLandingImages, onOtherIndex)},
}

// onOtherIndex finds host-process images that containerd does not choose on nodes where the pods land.
func onOtherIndex(p *subject.Pods) []rule.Problem {
	if p.ReleaseMatters() != platform.No {
		return nil
	}
	var found []rule.Problem
	for i, image := range p.Target.Images {
		if !image.TellsRelease() || !image.Facts.Indexed() {
			continue
		}
		names := p.LandsOn(func(v *placement.Verdict) bool { return p.Cluster.Refuses(v.Pool.Platform, image) })
		if len(names) > 0 {
			found = append(found, problem(p, i, "is an index that has "+image.Facts.String()+
				", from which containerd chooses nothing on "+subject.ListPools(names)))
		}
	}
	return found
}
