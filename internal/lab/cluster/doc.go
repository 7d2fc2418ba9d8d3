// Package cluster is the simulated cluster: a real Kubernetes control plane,
// started by kwokctl on this machine. KWOK simulates the nodes of a topology.
//
// The API server with its admission, the scheduler and the controllers are the
// real ones. The nodes are not: nothing runs on them, and their pods are ready
// as soon as they are scheduled. The labels, taints, capacity and version that a
// node registers with come from [topology.Pool], as everywhere else.
package cluster
