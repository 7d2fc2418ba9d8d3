// Package clustermap draws a cluster: its pools with their platform, build, taints and room, the
// workloads where they land, and what is pending and why.
//
// The way through the package is always the same: [New] makes a [Map] of a [Source], and [Map.HTML] or
// [Map.SVG] draws it. Where pods can land is what preflight says, and what they request of the room is
// what the guard shows in a preview: this package asks nobody else. In a live cluster, which the pods in
// the source tell, a workload is where its pods are.
//
// The page is one file that asks no other host for anything, and says so to the browser. Both pictures
// show the same, in light and dark. The same source gives the same bytes.
//
// The package is pure, and takes every text in a source for a stranger's.
package clustermap
