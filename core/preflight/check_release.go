package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var windowsPodsOnSeveralReleases = rule.Rule{
	ID: "MK315", Severity: rule.Info, Title: "Windows pods that can land on nodes of several releases",
	Reason: "The name of the image does not show its Windows release. An image that is published for all of the " +
		"releases runs everywhere; an image that is built for a single release starts only on the nodes of that " +
		"release.",
	Source: versionCompatibility,
}

// landsOn returns the names of the pools where pods certainly land and for which takes returns true.
func landsOn(answer placement.Placement, takes func(v *placement.Verdict) bool) []string {
	var names []string
	for i := range answer.Verdicts {
		if v := &answer.Verdicts[i]; v.Schedules == platform.Yes && takes(v) {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// refuses reports whether a pool is a Windows pool that does not run an image.
func (c *check) refuses(v *placement.Verdict, image platform.Image) bool {
	host := v.Pool.Platform
	return host.IsWindows() && platform.CanRun(host, image, c.matching(host)) == platform.No
}

// onSeveralReleases reports images of unknown release in pods that can land on nodes of several releases.
func (c *check) onSeveralReleases(p *judged, answer placement.Placement) {
	if p.releaseMatters() != platform.Yes {
		return
	}
	releases := map[platform.Platform]bool{}
	names := landsOn(answer, func(v *placement.Verdict) bool {
		if !v.Pool.Platform.IsWindows() {
			return false
		}
		releases[v.Pool.Platform] = true
		return true
	})
	if len(releases) < 2 {
		return
	}
	// The finding for an image with a known release covers the others too.
	if slices.ContainsFunc(p.target.Images, func(image platform.Image) bool { return image.Release != "" }) {
		return
	}
	for i := range p.Containers {
		// An image with facts from its registry is known.
		if ref, known := tree.Text(p.Containers[i].Spec["image"]); known && ref != "" &&
			!p.target.Images[i].HostProcess && p.target.Images[i].Facts == nil {
			c.report(windowsPodsOnSeveralReleases, rule.Problem{
				Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
				Detail: "does not name its Windows release, and the " + p.KindName() + " can land on " +
					pools(names) + ", which run different ones",
				Fix: "select " + labelBuild + ", unless the image is published for all of them",
			})
			return
		}
	}
}

var imageNotRunningOnPool = rule.Rule{
	ID: "MK305", Severity: rule.Error, Title: "an image that does not run on a pool where its pods can land",
	Reason: "The pods can land on Windows nodes of several releases, or of a release other than the image's. On " +
		"nodes of another release, the container does not start.",
	Source: versionCompatibility,
}

// onOtherRelease reports images that do not run on a Windows pool where the pods land. Images that do not fit the
// release of the pods are reported already.
func (c *check) onOtherRelease(p *judged, answer placement.Placement) {
	if p.releaseMatters() != platform.Yes {
		return
	}
	target, targeted := p.target.Release()
	for i, image := range p.target.Images {
		if image.OS != platform.WindowsOS && !image.TellsRelease() || targeted &&
			platform.CanRun(target.Release, image, c.matching(target.Release)) == platform.No {
			continue
		}
		var hosts []platform.Platform
		names := landsOn(answer, func(v *placement.Verdict) bool {
			if !c.refuses(v, image) {
				return false
			}
			hosts = append(hosts, v.Pool.Platform)
			return true
		})
		if len(names) == 0 {
			continue
		}
		ctr := &p.Containers[i]
		ref, _ := ctr.Spec["image"].(string) // a secret one is not shown
		found := rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: needs(image) + ", but the " + p.KindName() + " can land on the " + pools(names),
			Fix:    c.releaseFix(ref, image, answer, hosts),
		}
		if pinsOnePlatform(ctr, image) {
			found.Fix = pinIndex + ", or " + found.Fix
			c.report(digestOfOneRelease, found)
			continue
		}
		found.Fix += c.relaxing(hosts, image)
		c.report(imageNotRunningOnPool, found)
	}
}

// releaseFix returns how to move the pods to the pools that run their image, if they can get there, or else an image
// for one of the hosts where they land.
func (c *check) releaseFix(
	ref string, image platform.Image, answer placement.Placement, hosts []platform.Platform,
) string {
	if right, ok := c.runsOn(image, answer); ok {
		return "select " + labelBuild + "=" + right.Build()
	}
	slices.Sort(hosts)
	hosts = slices.Compact(hosts)
	if len(hosts) == 1 {
		return imageFix(ref, hosts[0])
	}
	products := make([]string, len(hosts))
	for i, host := range hosts {
		products[i] = productName(host)
	}
	return "use an image for one of " + strings.Join(products, ", ") + ", and select the " + labelBuild +
		" of that release"
}

// relaxing returns the choice of relaxed matching, if nodes of all the releases then run the images.
func (c *check) relaxing(hosts []platform.Platform, images ...platform.Image) string {
	for _, host := range hosts {
		if c.matching(host) == platform.Relaxed {
			return ""
		}
		for _, image := range images {
			if platform.CanRun(host, image, platform.Relaxed) == platform.No {
				return ""
			}
		}
	}
	return ", or set matching: relaxed if the nodes run images of older releases" + c.unsupportedByAKS()
}

// unsupportedByAKS ends a sentence about relaxed matching, unless the cluster is in another cloud.
func (c *check) unsupportedByAKS() string {
	if cloud := c.context.Topology.Cloud; cloud == "" || cloud == topology.AKS {
		return ", which AKS does not support"
	}
	return ""
}

// runsOn returns the release of a pool that runs the image and that the pods can get to if they tolerate its taints. It
// prefers the image's own release.
func (c *check) runsOn(image platform.Image, answer placement.Placement) (platform.Platform, bool) {
	var found platform.Platform
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		host := v.Pool.Platform
		if found == image.Release || platform.CanRun(host, image, c.matching(host)) != platform.Yes {
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
