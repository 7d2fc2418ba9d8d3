// Package topology describes a mixed cluster: the Kubernetes version of its Linux control plane and its node pools,
// each with one platform, and with the labels and taints that its nodes register with.
//
// There is one description for everything: the cloud resource of a pool, the RuntimeClasses and tolerations of the
// workloads, and the simulated nodes of the lab are all derived from a [Topology], so they cannot contradict each
// other.
//
// Use the package in three steps: write a [Topology], call [Topology.Validate], which reports all errors at once with
// field paths, and call [Topology.WithDefaults], which sets the fields that are not set. These two methods take a
// topology as it was written; the other methods expect one that is valid and has its defaults.
//
// This package contains facts that are true for a cluster wherever it runs. It also contains Azure's sizes, because
// people write their names in pools, and because placement and the lab need to know the capacity and architecture of
// such nodes ([Pool.Capacity], [Pool.Architecture]). The limits of a cloud (the length of a pool's name on AKS, the
// sizes in a region, quotas, prices) belong to the component that calls that cloud; rules about pods belong to
// preflight. The package is pure: it imports nothing from Pulumi and does no I/O.
package topology
