package bootstrap

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// UsedFacts returns the names of the facts in the releases of pools: known versions and hashes. The releases of flannel
// count only for Windows nodes of a network that needs them.
func (r Releases) UsedFacts(pools []topology.Pool, flannel bool) []string {
	names := []string{"ContainerdPairs"}
	for _, p := range pools {
		release, _ := r.of(p.KubernetesVersion)
		for name, known := range map[string][]facts.KubernetesRelease{
			"KubernetesOfKops": facts.KubernetesOfKops, "KubernetesOfKubespray": facts.KubernetesOfKubespray,
		} {
			if slices.ContainsFunc(known,
				func(k facts.KubernetesRelease) bool { return k.Version == release.Version }) {
				names = append(names, name)
			}
		}
	}
	flannel = flannel && slices.ContainsFunc(pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	for _, p := range publishers {
		if p.field(&r).Version == p.known && (p.linux != nil || flannel) {
			names = append(names, p.facts...)
		}
	}
	if r.PauseImage == "" {
		names = append(names, "PauseImages")
	}
	slices.Sort(names)
	return slices.Compact(names)
}
