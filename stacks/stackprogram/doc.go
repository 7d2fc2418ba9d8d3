// Package stackprogram is what the programs of this repository's stacks have in common:
// everything except how they make a cluster. A program reads its stack's configuration
// (package stackconfig), makes the cluster, has package guard check all that follows, and
// deploys RuntimeClasses and the workloads that the configuration lists.
package stackprogram
