// Package topology says what a mixed cluster consists of: the Kubernetes
// version of its Linux control plane and its node pools, each of one platform,
// with the labels and taints that its nodes register with.
//
// One description serves everything: the cloud resource that makes a pool, the
// RuntimeClasses and tolerations of the workloads, and the simulated node of
// the lab are all derived from a [Topology], so they cannot disagree.
//
// The way through the package is always the same: write a [Topology], let
// [Topology.Validate] report everything that is wrong, all at once and with
// field paths, and [Topology.WithDefaults] fill in what was left out. These two
// take a topology as it was written; the other methods expect one that is valid
// and has its defaults.
//
// Here belongs what is true of a cluster wherever it runs. Azure's sizes are here
// all the same, because they are names that people write in pools, and placement
// and the lab need to know what such a node has ([Pool.Capacity],
// [Pool.Architecture]). What a cloud allows (the length of a pool's name on AKS,
// which sizes a region offers, quotas, prices) belongs to the component that
// talks to that cloud; rules about pods belong to preflight. The package is pure:
// it imports nothing from Pulumi and does no I/O.
package topology
