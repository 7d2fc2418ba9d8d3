// Package stackprogram has the common code of the programs of this repository's stacks:
// everything except how they create a cluster. A program reads its stack's configuration
// (package stackconfig), creates the cluster, lets package guard check all later resources,
// and deploys RuntimeClasses and the workloads that the configuration lists.
package stackprogram
