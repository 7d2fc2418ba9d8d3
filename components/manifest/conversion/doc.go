// Package conversion completes manifests for a mixed cluster, in their own text:
// each workload gets the node selector and the tolerations that lead its pods to
// the nodes of their operating system, and to no others.
//
// What a workload needs is decided by package mutate, what is wrong with it by
// package preflight, and how it is written by package manifests; this package reads
// the files, brings the three together, and compares what it has written with what
// was decided.
package conversion
