// Package cluster is the simulated cluster: a real Kubernetes control plane,
// started by kwokctl on this machine, with the nodes of a topology played by
// KWOK.
//
// The API server with its admission, the scheduler and the controllers are the
// real ones. The nodes are not: nothing runs on them, and their pods are ready
// as soon as they are scheduled. What a node registers with, its labels, taints,
// capacity and version, comes from [topology.Pool], as everywhere else.
package cluster
