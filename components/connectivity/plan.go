package connectivity

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// source is where requests come from: a pod of a platform, or a node.
type source struct {
	platform platform.Platform
	node     bool
}

// String returns the source in a readable form.
func (s source) String() string {
	if s.node {
		return s.platform.String() + " node"
	}
	return s.platform.String() + " pod"
}

// outside is the target of requests that leave the cluster. It is not a platform.
const outside platform.Platform = "outside"

// onWindowsNode reports whether requests come from a Windows node itself.
func (s source) onWindowsNode() bool { return s.node && s.platform.IsWindows() }

// pair is the source and the target of one Job: a source of requests, and the pod of a platform.
type pair struct {
	source source
	target platform.Platform
	checks []Check
	// sameNode is true if the source must be on the node of the target's pod.
	sameNode bool
}

// name returns the name of the Job, after the suite's. A source is a pod unless the name contains "-node".
func (p pair) name() string {
	from := p.source.platform.String()
	if p.source.node {
		from += "-node"
	}
	return from + "-to-" + p.target.String()
}

// checksBetween returns the checks that a source has for a target.
func checksBetween(s source, target platform.Platform) []Check {
	switch {
	case target == outside && s.node:
		return nil
	case target == outside:
		return []Check{Outbound}
	case s.onWindowsNode():
		return []Check{NodeToPod}
	case s.node:
		return []Check{NodeToPod, ServiceToPod, Inbound}
	default:
		return []Check{PodToPod, ServiceToPod, ServiceDiscovery}
	}
}

// plan returns the pairs with the checks that are not skipped. If the network lets Windows nodes reach only the pods on
// their own node, they have only those as targets.
func plan(platforms []platform.Platform, skip []Check, remotePodsFromWindowsNodes bool) []pair {
	var pairs []pair
	for _, node := range []bool{true, false} {
		for _, from := range platforms {
			s := source{from, node}
			sameNode := s.onWindowsNode() && !remotePodsFromWindowsNodes
			for _, target := range append(slices.Clip(platforms), outside) {
				if sameNode && target != from {
					continue
				}
				if checks := without(checksBetween(s, target), skip); len(checks) > 0 {
					pairs = append(pairs, pair{s, target, checks, sameNode})
				}
			}
		}
	}
	return pairs
}

// inUse returns the platforms that have nodes, or may get some.
func inUse(t topology.Defaulted) []platform.Platform {
	var platforms []platform.Platform
	for _, p := range t.Platforms() {
		if mostNodes(t, p) > 0 {
			platforms = append(platforms, p)
		}
	}
	return platforms
}

// mostNodes returns how many nodes of a platform there are, or will be if an autoscaler adds some for waiting pods.
func mostNodes(t topology.Defaulted, p platform.Platform) int {
	nodes := 0
	for _, pool := range t.PoolsOf(p) {
		nodes += max(pool.Count, pool.Autoscaling.Max)
	}
	return nodes
}

// leastNodes returns the minimum number of nodes of a platform.
func leastNodes(t topology.Defaulted, p platform.Platform) int {
	nodes := 0
	for _, pool := range t.PoolsOf(p) {
		if pool.Autoscaling.Enabled() {
			nodes += pool.Autoscaling.Min
		} else {
			nodes += pool.Count
		}
	}
	return nodes
}
