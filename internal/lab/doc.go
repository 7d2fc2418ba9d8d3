// Package lab runs all of mixedkube on one machine: a real Kubernetes control
// plane with simulated Linux and Windows nodes, and the ordinary Pulumi CLI that
// deploys a stack of this repository into it. It is a simulation: no container
// ever runs.
//
// The packages of the lab:
//
//   - tools finds, fetches or builds the pinned binaries;
//   - cluster is the simulated cluster;
//   - deploy runs Pulumi;
//   - status judges where the pods are;
//   - processes keeps track of what was started, so that nothing is left behind;
//   - azurenodes makes the lab's cluster simulate the clusters in the simulated Azure;
//   - nodebinaries builds what Windows nodes run;
//   - cmd/lab is the command behind the Makefile, and cmd/prepare builds what it needs.
//
// This package combines them. It is a separate Go module, so that programs that
// import a component do not get the lab's dependencies. The simulated Azure is
// another module, internal/azuresim, which does not depend on the lab.
package lab
