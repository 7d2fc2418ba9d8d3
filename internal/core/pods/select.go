package pods

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Selected returns the claim of the nodes that the pods select: by a label that names the platform,
// or because all selected pools of the topology have the same one. The claim has no OS if the pods
// select no nodes, or nodes with several operating systems.
func (c *Context) Selected(p *Pods, t *Target) Claim {
	if !IsSet(p.Spec, "nodeSelector") && !IsSet(p.Spec, "affinity") {
		return Claim{}
	}
	var s Claim
	for _, claim := range t.Claims {
		if claim.Source != BySelector && claim.Source != ByAffinity {
			continue
		}
		if s.OS == "" {
			s = claim
		}
		if s.Release == "" && claim.OS == s.OS {
			s.Release = claim.Release
		}
	}
	if s.OS == platform.LinuxOS || s.OS == platform.WindowsOS && s.Release != "" {
		return s
	}
	pools := c.selectedPools(p)
	if s.OS == "" {
		if s.OS = commonOS(pools); s.OS == "" || len(pools) == len(c.Topology.Pools) {
			return Claim{}
		}
		s.Source = ByPools
	}
	if s.OS == platform.WindowsOS && s.Release == "" {
		s.Release = c.commonRelease(pools)
	}
	return s
}

// SelectedReleases returns the releases of the Windows pools that match node selector and affinity, with any taints:
// all of them if the pods select no nodes.
func (c *Context) SelectedReleases(p *Pods) []platform.Platform {
	selected := topology.Topology{Pools: c.selectedPools(p)}
	return slices.DeleteFunc(selected.Platforms(), func(p platform.Platform) bool { return !p.IsWindows() })
}

// selectedPools returns the pools that match node selector and affinity, with any taints.
func (c *Context) selectedPools(p *Pods) []topology.Pool {
	if c.Nodes == nil {
		return nil
	}
	required := tree.At(p.Spec["affinity"], "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	answer, _ := c.PlaceNodes(p.Spec["nodeSelector"], required)
	return possible(answer)
}

// PlaceNodes determines the pools of the topology, which must have pools, that a node selector and a required node
// affinity select, whatever their taints are. Both may be nil. It also reports whether the answer depends on values
// that must not be shown.
func (c *Context) PlaceNodes(selector, required any) (answer placement.Placement, hidden bool) {
	r := reader{context: c}
	selection := placement.Pod{
		NodeSelector: r.labels(selector, placement.PartSelector),
		Required:     r.nodeSelector(required, placement.PartAffinity),
		Tolerations:  []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
	}
	selection.Unknown = r.unknown
	return c.Nodes.Place(selection), r.hidden
}

// possible returns the pools where pods can or may land.
func possible(answer placement.Placement) []topology.Pool {
	verdicts := answer.Possible()
	pools := make([]topology.Pool, len(verdicts))
	for i := range verdicts {
		pools[i] = *verdicts[i].Pool
	}
	return pools
}

// commonOS returns the operating system of all the pools, "" if they have several.
func commonOS(pools []topology.Pool) platform.OS {
	if len(pools) == 0 ||
		slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Platform.OS() != pools[0].Platform.OS() }) {
		return ""
	}
	return pools[0].Platform.OS()
}

// commonRelease returns the release of all the selected pools, "" if the pods select all
// Windows pools.
func (c *Context) commonRelease(pools []topology.Pool) platform.Platform {
	all := len(c.Topology.PoolsOf(platform.Linux))+len(pools) >= len(c.Topology.Pools)
	if all || len(pools) == 0 ||
		slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Platform != pools[0].Platform }) {
		return ""
	}
	return releaseOf(pools[0].Platform)
}

// CanLandOn reports whether the pods can or may land on a pool with the platform. Without a topology,
// they can.
func (c *Context) CanLandOn(pl platform.Platform, p *Pods, t *Target) bool {
	if c.Nodes == nil {
		return true
	}
	answer, _ := c.Place(p, t)
	return slices.ContainsFunc(possible(answer), func(pool topology.Pool) bool { return pool.Platform == pl })
}

// Tolerations returns the tolerations of the pods that are known completely.
func (p *Pods) Tolerations() []corev1.Toleration {
	var r reader
	return r.tolerations(p.Spec["tolerations"], placement.PartTolerations)
}

// LastingTolerations returns the tolerations that do not end after some seconds.
func (p *Pods) LastingTolerations() []corev1.Toleration {
	var lasting []corev1.Toleration
	for _, v := range tree.List(p.Spec["tolerations"]) {
		t, _, ok := ReadToleration(v)
		if ok && (tree.Map(v)["tolerationSeconds"] == nil || t.Effect == corev1.TaintEffectNoSchedule) {
			lasting = append(lasting, t)
		}
	}
	return lasting
}

// ClassTolerations returns the known tolerations that the RuntimeClass of the pods adds.
func (c *Context) ClassTolerations(p *Pods, t *Target) []corev1.Toleration {
	r := reader{context: c, pods: p, target: t}
	if class := r.runtimeClass(); class != nil {
		return class.Tolerations
	}
	return nil
}

// ReadToleration reads a toleration; ok is false if it is not known completely. A hidden
// toleration must not be shown.
func ReadToleration(v any) (t corev1.Toleration, hidden, ok bool) {
	var r reader
	t, ok = r.toleration(tree.Map(v), placement.PartTolerations)
	return t, r.hidden, ok
}
