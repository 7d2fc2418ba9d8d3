package topology

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Selection is the node selector and, if that is not enough, the node affinity that lead pods to Windows nodes of
// some releases. Its zero value selects nothing.
type Selection struct {
	// Selector is a node selector.
	Selector map[string]string
	// Builds are the values of [LabelWindowsBuild] that a required node affinity selects in addition. It is empty if
	// the selector is enough: a node selector has one value for each label.
	Builds []string
}

// Hosts returns the releases of Windows nodes that run the containers of an image's release, in the order of
// [PoolPlatforms]. With [platform.Strict] it is the release itself; with [platform.Relaxed] each one that
// [platform.CanRun] accepts. Only releases of the topology's pools are hosts, or those of all possible pools if the
// topology is [Topology.Partial]. There are none for Linux.
func (t Topology) Hosts(image platform.Platform) []platform.Platform {
	return slices.DeleteFunc(t.Candidates(), func(host platform.Platform) bool {
		of := platform.Image{OS: image.OS(), Release: image}
		return !image.IsWindows() || platform.CanRun(host, of, t.Matching) != platform.Yes
	})
}

// Candidates returns the releases that Windows nodes of the cluster can have, in the order of [PoolPlatforms]: those
// of the topology's pools, or all if the topology is [Topology.Partial].
func (t Topology) Candidates() []platform.Platform {
	return slices.DeleteFunc(PoolPlatforms(), func(p platform.Platform) bool {
		return !p.IsWindows() || !t.Partial && len(t.PoolsOf(p)) == 0
	})
}

// Select returns the loosest selection of the Windows nodes of exactly these releases, which [Topology.Hosts] returns.
// With [platform.Strict] it is always the build. With [platform.Relaxed] it is only the operating system if the hosts
// are all Windows releases of a cluster that is known completely, the build of a single release, or the builds of
// several.
func (t Topology) Select(hosts ...platform.Platform) Selection {
	switch {
	case len(hosts) == 0:
		return Selection{}
	case t.Matching == platform.Relaxed && t.onlyWindows(hosts):
		return Selection{Selector: windowsSelector()}
	case len(hosts) == 1:
		return Selection{Selector: NodeSelector(hosts[0])}
	}
	selection := Selection{Selector: windowsSelector()}
	for _, host := range hosts {
		selection.Builds = append(selection.Builds, host.Build())
	}
	return selection
}

// SelectEach returns the selection of all nodes of these Windows releases, or of all Windows nodes if there are none:
// for pods that belong to their nodes, whatever their images are for. It selects the architecture too.
func SelectEach(platforms ...platform.Platform) Selection {
	if len(platforms) == 1 {
		return Selection{Selector: NodeSelector(platforms[0])}
	}
	selection := Selection{Selector: windowsSelector()}
	selection.Selector[corev1.LabelArchStable] = WindowsArchitecture
	for _, p := range platforms {
		selection.Builds = append(selection.Builds, p.Build())
	}
	return selection
}

// onlyWindows reports whether the cluster has no Windows nodes of other releases.
func (t Topology) onlyWindows(hosts []platform.Platform) bool {
	return !t.Partial && !slices.ContainsFunc(t.Candidates(), func(p platform.Platform) bool {
		return !slices.Contains(hosts, p)
	})
}

func windowsSelector() map[string]string {
	return map[string]string{corev1.LabelOSStable: string(platform.WindowsOS)}
}

// LabelRuns returns the label of the nodes that run the containers of a Windows release, with [platform.Relaxed]:
// "mixedkube.dev/runs-windows-2022". Its value is "true". A RuntimeClass needs it if nodes of several releases run
// its pods, and others do not: it can select one value of a label only. The pools set it in [Pool.Labels]; in AKS and
// most other clouds, labels of a pool change in place.
func LabelRuns(image platform.Platform) string { return labelRuns + image.String() }

const (
	labelRuns = "mixedkube.dev/runs-"
	// Runs is the value of [LabelRuns].
	Runs = "true"
)

// ClassSelector returns the node selector of the RuntimeClass of a Windows release. A class selects by equality only:
// if the nodes of several releases run its pods and others do not, it selects [LabelRuns] where exactly the pools that
// run them have it, and otherwise the build of the oldest host that has a pool.
func (t Topology) ClassSelector(image platform.Platform) map[string]string {
	hosts := t.Hosts(image)
	selection := t.Select(hosts...)
	switch {
	case len(hosts) == 0: // the class of a platform without pools
		return NodeSelector(image)
	case len(selection.Builds) == 0:
		return selection.Selector
	case t.labeled(image, hosts):
		selector := maps.Clone(selection.Selector)
		selector[LabelRuns(image)] = Runs
		return selector
	}
	// The hosts begin with the release itself, if it is one.
	listed := slices.IndexFunc(hosts, func(host platform.Platform) bool { return len(t.PoolsOf(host)) > 0 })
	return NodeSelector(hosts[max(listed, 0)])
}

// labeled reports whether exactly the pools of the hosts have the label [LabelRuns].
func (t Topology) labeled(image platform.Platform, hosts []platform.Platform) bool {
	some := false
	for _, pool := range t.Pools {
		has := pool.Labels[LabelRuns(image)] == Runs
		if has != slices.Contains(hosts, pool.Platform) {
			return false
		}
		some = some || has
	}
	return some
}

// ClassTolerations returns the tolerations of the RuntimeClass of a Windows release: those for the pools of all its
// hosts, see [Topology.Hosts] and [Defaulted.LikelyTolerations].
func (t Defaulted) ClassTolerations(image platform.Platform) []corev1.Toleration {
	hosts := t.Hosts(image)
	if len(hosts) == 0 {
		hosts = []platform.Platform{image}
	}
	return t.TolerationsOf(hosts...)
}

// TolerationsOf returns the tolerations for the pools of several platforms, each once: see
// [Defaulted.LikelyTolerations].
func (t Defaulted) TolerationsOf(platforms ...platform.Platform) []corev1.Toleration {
	var all []corev1.Toleration
	for _, p := range platforms {
		for _, toleration := range t.LikelyTolerations(p) {
			if !slices.Contains(all, toleration) {
				all = append(all, toleration)
			}
		}
	}
	return all
}
