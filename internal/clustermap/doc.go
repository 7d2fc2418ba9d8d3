// Package clustermap draws a cluster: its pools with their platform, build, taints and free capacity, the workloads on
// the pools where they can run, and the pending ones with the reasons.
//
// [New] creates a [Map] from a [Source], and [Map.HTML] or [Map.SVG] draws it. Package preflight decides where pods can
// run, and package landings what they request, as in a preview of the guard. In a live cluster, a workload is on the
// pools of its pods. A source with running pods is a live cluster.
//
// The page is one file that loads nothing from another host, and a content security policy enforces that. Both pictures
// show the same, in light and dark. The same source produces the same bytes.
//
// The package is pure, and does not trust any text of a source.
package clustermap
