// Package clustermap draws a cluster: its pools with their platform, build, taints and room, the
// workloads where they land, and what is pending and why.
//
// [New] makes a [Map] of a [Source], and [Map.HTML] or [Map.SVG] draws it. Package preflight decides where
// pods can land, and package landings what they request, as in a preview of the guard. In a live cluster,
// a workload is where its pods are. A source with running pods is a live cluster.
//
// The page is one file that loads nothing from another host, and a content security policy enforces that.
// Both pictures show the same, in light and dark. The same source gives the same bytes.
//
// The package is pure, and trusts no text in a source.
package clustermap
