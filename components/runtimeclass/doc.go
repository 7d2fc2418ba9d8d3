// Package runtimeclass makes the RuntimeClasses of a mixed cluster: one for
// each Windows platform of its topology.
//
// A pod that names the class of a platform gets, from the API server's
// RuntimeClass admission, the node selector that leads to nodes of exactly that
// Windows build and the tolerations for their taints. So a workload states its
// platform once, and nobody copies selectors and tolerations into manifests.
// The DaemonSet controller does not look at RuntimeClasses when it picks nodes;
// DaemonSets carry selector and tolerations themselves (kubernetes#111590).
//
// Admission sees a pod once, when it is created: pods that are there already do not get
// the tolerations for a taint that their pool gets later. Restart them when a pool has
// a new taint, with `kubectl rollout restart` for example; a taint of the effect
// NoExecute evicts them before that.
//
// What a class is called, selects and tolerates is decided by package topology;
// this package only wires it to resources.
package runtimeclass
