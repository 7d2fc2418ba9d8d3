// Package runtimeclass creates the RuntimeClasses of a mixed cluster: one for each Windows platform of its topology.
//
// A pod that names the class of a platform gets, from the API server's RuntimeClass admission, the node selector that
// leads to nodes of exactly that Windows build and the tolerations for their taints. So a workload states its platform
// once, and its manifest needs no selectors and tolerations. The DaemonSet controller does not look at RuntimeClasses
// when it picks nodes; DaemonSets have selector and tolerations of their own (kubernetes#111590).
//
// Admission sees a pod once, when it is created: existing pods do not get the tolerations for a taint that their pool
// gets later. Restart them when a pool has a new taint, for example with `kubectl rollout restart`; a taint with the
// effect NoExecute evicts them before that.
//
// Package topology decides the names, node selectors and tolerations of classes; this package only registers the
// resources.
package runtimeclass
