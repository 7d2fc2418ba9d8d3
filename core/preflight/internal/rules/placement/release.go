package placement

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var releaseRules = []engine.Rule{windowsPodsOnSeveralReleases, imageNotRunningOnPool, digestOfOneRelease}

var windowsPodsOnSeveralReleases = engine.Rule{
	Rule: rule.Rule{
		ID: "MK315", Severity: rule.Info, Title: "Windows pods that can land on nodes of several releases",
		Page: rulepages.Placement,
		Reason: "The name of the image does not show its Windows release. An image that is published for all of the " +
			"releases runs everywhere; an image that is built for a single release starts only on the nodes of that " +
			"release.",
		Fix:    "select " + labelBuild + ", unless the image is published for all of them",
		Source: sources.VersionCompatibility,
	},
	Checks: []engine.Check{engine.On(subject.WindowsLanding, onSeveralReleases)},
}

// onSeveralReleases finds images of unknown release in pods that can land on nodes of several releases.
func onSeveralReleases(p *subject.Pods) []rule.Problem {
	if p.ReleaseMatters() != platform.Yes {
		return nil
	}
	releases := map[platform.Platform]bool{}
	names := p.LandsOn(func(v *placement.Verdict) bool {
		if !v.Pool.Platform.IsWindows() {
			return false
		}
		releases[v.Pool.Platform] = true
		return true
	})
	if len(releases) < 2 {
		return nil
	}
	// The finding for an image with a known release covers the others too.
	if slices.ContainsFunc(p.Target.Images, func(image platform.Image) bool { return image.Release != "" }) {
		return nil
	}
	for i := range p.Containers {
		// An image with facts from its registry is known.
		if ref, known := tree.Text(p.Containers[i].Spec["image"]); known && ref != "" &&
			!p.Target.Images[i].HostProcess && p.Target.Images[i].Facts == nil {
			return []rule.Problem{{
				Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
				Detail: "does not name its Windows release, and the " + p.KindName() + " can land on " +
					subject.ListPools(names) + ", which run different ones",
			}}
		}
	}
	return nil
}

var imageNotRunningOnPool = engine.Rule{
	Rule: rule.Rule{
		ID: "MK305", Severity: rule.Error, Title: "an image that does not run on a pool where its pods can land",
		Page: rulepages.Placement,
		Reason: "The pods can land on Windows nodes of several releases, or of a release other than the image's. On " +
			"nodes of another release, the container does not start.",
		Source: sources.VersionCompatibility,
	},
	Silences: Nowhere,
	Checks: []engine.Check{engine.On(subject.Landing, func(p *subject.Pods) []rule.Problem {
		return onWrongHosts(p, false, func(w subject.WrongHost, fix string) string {
			return fix + relaxing(p, w.Hosts, p.Target.Images[w.Container])
		})
	})},
}

var digestOfOneRelease = engine.Rule{
	Rule: rule.Rule{
		ID: "MK215", Severity: rule.Error, Title: "a digest of one Windows release, for pods that can land on several",
		Page: rulepages.Registries,
		Reason: "A digest of a manifest pins one platform, whatever else was published under the tag. A digest of " +
			"the index pins all of its platforms: each node chooses its own.",
		Source: sources.VersionCompatibility +
			"; https://github.com/opencontainers/image-spec/blob/v1.1.0/image-index.md",
	},
	Silences: Nowhere,
	Checks: []engine.Check{engine.On(subject.Landing, func(p *subject.Pods) []rule.Problem {
		return onWrongHosts(p, true, func(_ subject.WrongHost, fix string) string {
			return subject.PinIndex + ", or " + fix
		})
	})},
}

// onWrongHosts finds images that do not run on a Windows pool where the pods land: those whose reference has the digest
// of a manifest, or the others. The function completes the fix.
func onWrongHosts(p *subject.Pods, pinned bool, complete func(w subject.WrongHost, fix string) string) []rule.Problem {
	var found []rule.Problem
	for _, w := range p.WrongHosts() {
		ctr, image := &p.Containers[w.Container], p.Target.Images[w.Container]
		if subject.PinsOnePlatform(ctr, image) != pinned {
			continue
		}
		ref, _ := ctr.Spec["image"].(string) // a secret one is not shown
		found = append(found, rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: subject.Needs(image) + ", but the " + p.KindName() + " can land on the " +
				subject.ListPools(w.Pools),
			Fix: complete(w, releaseFix(p, ref, image, w.Hosts)),
		})
	}
	return found
}

// releaseFix returns how to move the pods to the pools that run their image, if they can get there, or else an image
// for one of the hosts where they land.
func releaseFix(p *subject.Pods, ref string, image platform.Image, hosts []platform.Platform) string {
	if right, ok := runsOn(p, image); ok {
		return "select " + labelBuild + "=" + right.Build()
	}
	hosts = slices.Compact(slices.Sorted(slices.Values(hosts)))
	if len(hosts) == 1 {
		return subject.ImageFix(ref, hosts[0])
	}
	products := make([]string, len(hosts))
	for i, host := range hosts {
		products[i] = subject.ProductName(host)
	}
	return "use an image for one of " + strings.Join(products, ", ") + ", and select the " + labelBuild +
		" of that release"
}

// runsOn returns the release of a pool that runs the image and that the pods can get to if they tolerate its taints. It
// prefers the image's own release.
func runsOn(p *subject.Pods, image platform.Image) (platform.Platform, bool) {
	answer, _ := p.Placement()
	var found platform.Platform
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		host := v.Pool.Platform
		if found == image.Release || platform.CanRun(host, image, p.Cluster.MatchingOf(host)) != platform.Yes {
			continue
		}
		onTaint := func(r placement.Reason) bool { return r.Kind == placement.KindTaint }
		if v.Schedules != platform.No ||
			!slices.ContainsFunc(v.Reasons(), func(r placement.Reason) bool { return !onTaint(r) }) {
			found = host
		}
	}
	return found, found != ""
}
