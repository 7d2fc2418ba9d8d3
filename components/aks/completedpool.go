package aks

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// asInAzure returns a copy of pools with their versions as Azure writes them, without a leading "v".
func asInAzure(pools ...topology.Pool) []topology.Pool {
	pools = slices.Clone(pools)
	for i := range pools {
		pools[i].KubernetesVersion = kubeversion.Unprefixed(pools[i].KubernetesVersion)
	}
	return pools
}

// completedPool is a pool with its defaults.
type completedPool struct {
	topology.DefaultedPool

	// requested is the version that the program sets. Without one, Azure gives the nodes the version of the cluster:
	// the program cannot see whether an auto-upgrade channel has moved it on, and Azure does not accept an older one.
	requested string
}

// completed completes a pool of a cluster whose version may be empty.
func completed(p topology.Pool, cluster string) completedPool {
	return completedPool{p.WithDefaults(cluster), p.KubernetesVersion}
}

// desired returns the pool as it is requested from Azure.
func (p completedPool) desired() topology.DefaultedPool {
	p.KubernetesVersion = p.requested
	return p.DefaultedPool
}
