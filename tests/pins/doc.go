// Package pins moves what an earlier version of mixedkube has completed to a cluster with another release of Windows:
// 120 files that its command has written, and 80 workloads in six states of Pulumi. It also previews stacks with pools
// in AKS that an earlier version has deployed. testdata/README.md has how they were recorded.
package pins
