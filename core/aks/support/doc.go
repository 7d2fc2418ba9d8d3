// Package support judges what AKS supports: versions of Kubernetes, and releases of Windows with them and until a day.
// It takes the facts from package facts, and is pure: it uses neither Pulumi nor the network.
//
// Package plan applies its rules to the arguments of a cluster or pool. Package preflight applies them to a topology
// with the cloud [topology.AKS], wherever the topology comes from: see [CheckTopology].
package support
