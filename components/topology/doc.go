// Package topology says what a mixed cluster consists of: the Kubernetes
// version of its Linux control plane and its node pools, each of one platform,
// with the labels and taints that its nodes register with.
//
// One description serves everything: the cloud resource that makes a pool, the
// RuntimeClasses and tolerations of the workloads, and the simulated node of
// the lab are all derived from a [Topology], so they cannot disagree.
//
// The way through the package is always the same: write a [Topology], let
// [Topology.WithDefaults] fill in what was left out, and [Topology.Validate]
// report everything that is wrong, all at once and with field paths. The other
// methods expect a topology that has gone through both.
//
// Here belongs what is true of a cluster wherever it runs. Rules of one cloud
// (the length of a pool's name on AKS, say) belong to the component that talks
// to that cloud; rules about pods belong to preflight. The package is pure: it
// imports nothing from Pulumi and does no I/O.
package topology
