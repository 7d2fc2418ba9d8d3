// Package conversion completes manifests for a mixed cluster, in their own text: each workload gets the node selector
// and the tolerations that lead its pods to the nodes of their operating system, and to no others.
//
// Package mutate decides which fields a workload needs, package preflight finds its mistakes, and package manifests
// edits the text; this package combines the three, and compares the edited text with the decisions.
package conversion
